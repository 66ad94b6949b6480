/// Reads what ``StateEncoder`` wrote.
///
/// Anything that is not exactly what the type to be read would have written is refused, so that the text of another
/// layout is never misread.
package enum StateDecoder {
    /// The value that `bytes` hold, all of them.
    ///
    /// - Throws: ``StateDecodingError``, or what the type itself refuses.
    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: ArraySlice<UInt8>) throws -> Value {
        let input = Input(bytes)
        let value = try input.value(type)
        guard input.isAtEnd else { throw StateDecodingError() }
        return value
    }

    private final class Input: StateInput {
        private let bytes: [UInt8]
        private var place = 0
        /// The brackets that must close the containers which are open, the innermost last.
        private var brackets: [UInt8] = []
        /// Whether nothing has been read after the latest bracket.
        private var isFirst = true

        init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

        var isAtEnd: Bool { place == bytes.count }

        private var next: UInt8 { place < bytes.count ? bytes[place] : 0 }

        private func take(_ byte: UInt8) -> Bool {
            guard next == byte else { return false }
            place += 1
            return true
        }

        private func expect(_ byte: UInt8) throws { guard take(byte) else { throw StateDecodingError() } }

        func open(hasNames: Bool) throws -> Int {
            try expect(hasNames ? UInt8(ascii: "{") : UInt8(ascii: "["))
            brackets.append(hasNames ? UInt8(ascii: "}") : UInt8(ascii: "]"))
            isFirst = true
            return brackets.count
        }

        func advance(in container: Int) throws {
            try close(to: container)
            if !isFirst { try expect(UInt8(ascii: ",")) }
            isFirst = false
        }

        private func close(to container: Int) throws {
            while brackets.count > container {
                try expect(brackets.removeLast())
                isFirst = false
            }
        }

        func isAtEnd(of container: Int) throws -> Bool {
            try close(to: container)
            return next == brackets[container - 1]
        }

        func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
            if Value.self == [Int64].self, let numbers = try numbers() as? Value { return numbers }
            let container = brackets.count
            let value = try Value(from: StateDecoding(input: self))
            try close(to: container)
            return value
        }

        // MARK: - Members

        func name(in container: Int) throws -> String {
            try advance(in: container)
            let name = try text()
            try expect(UInt8(ascii: ":"))
            return name
        }

        func nextName(in container: Int) -> String? {
            do {
                guard try !isAtEnd(of: container) else { return nil }
                let (place, isFirst) = (place, isFirst)
                defer { (self.place, self.isFirst) = (place, isFirst) }
                return try name(in: container)
            } catch {
                return nil
            }
        }

        // A member without a value is left out.
        func isAbsent(_ key: some CodingKey) -> Bool { false }

        // MARK: - Values

        func begin() {}
        func takesNil() -> Bool { takes("null") }

        func truth() throws -> Bool {
            if takes("true") { return true }
            guard takes("false") else { throw StateDecodingError() }
            return false
        }

        func double() throws -> Double {
            let word = word()
            guard let number = Double(word) ?? Double(word.filter { $0 != "\"" }) else { throw StateDecodingError() }
            return number
        }

        func wide<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
            guard let number = Number(word()) else { throw StateDecodingError() }
            return number
        }

        private func takes(_ letters: String) -> Bool {
            guard bytes[place...].starts(with: letters.utf8) else { return false }
            place += letters.utf8.count
            return true
        }

        func number() throws -> Int64 {
            let isNegative = take(UInt8(ascii: "-"))
            let magnitude = try magnitude()
            guard magnitude <= (isNegative ? Int64.min.magnitude : Int64.max.magnitude) else {
                throw StateDecodingError()
            }
            return isNegative ? Int64(truncatingIfNeeded: 0 &- magnitude) : Int64(magnitude)
        }

        func magnitude() throws -> UInt64 {
            let start = place
            var number: UInt64 = 0
            while case let digit = next &- UInt8(ascii: "0"), digit < 10 {
                let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
                let (sum, overflows) = product.addingReportingOverflow(UInt64(digit))
                guard !isTooLarge, !overflows else { throw StateDecodingError() }
                number = sum
                place += 1
            }
            guard place > start else { throw StateDecodingError() }
            return number
        }

        private func numbers() throws -> [Int64] {
            try expect(UInt8(ascii: "["))
            var numbers: [Int64] = []
            guard !take(UInt8(ascii: "]")) else { return numbers }
            repeat { numbers.append(try number()) } while take(UInt8(ascii: ","))
            try expect(UInt8(ascii: "]"))
            return numbers
        }

        func text() throws -> String {
            try expect(UInt8(ascii: "\""))
            let start = place
            while next != UInt8(ascii: "\""), next != UInt8(ascii: "\\"), !isAtEnd { place += 1 }
            if take(UInt8(ascii: "\"")) { return String(decoding: bytes[start..<(place - 1)], as: UTF8.self) }
            var text = Array(bytes[start..<place])
            while !take(UInt8(ascii: "\"")) {
                guard !isAtEnd else { throw StateDecodingError() }
                text.append(try letter())
            }
            return String(decoding: text, as: UTF8.self)
        }

        private func letter() throws -> UInt8 {
            let isEscaped = take(UInt8(ascii: "\\"))
            defer { place += 1 }
            guard isEscaped, next == UInt8(ascii: "u"), place + 4 < bytes.count else { return next }
            let digits = String(decoding: bytes[(place + 1)...(place + 4)], as: UTF8.self)
            guard let byte = UInt8(digits, radix: 16) else { throw StateDecodingError() }
            place += 4
            return byte
        }

        /// What stands before the end of the element: a number in another form.
        private func word() -> String {
            let start = place
            while !isAtEnd, ![UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(next) { place += 1 }
            return String(decoding: bytes[start..<place], as: UTF8.self)
        }
    }
}
