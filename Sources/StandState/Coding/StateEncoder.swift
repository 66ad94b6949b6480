/// Values as one line of JSON, with the members in the order in which a value encodes itself.
///
/// An array of whole numbers is written at once: the tables of a stand are such arrays.
package enum StateEncoder {
    /// - Precondition: `value` encodes itself without an error.
    package static func encode(_ value: some Encodable) -> [UInt8] {
        let output = Output()
        do { try output.put(value) } catch { preconditionFailure("\(type(of: value)) can't be saved: \(error)") }
        return output.bytes
    }

    /// What has been written so far.
    fileprivate final class Output {
        private(set) var bytes: [UInt8] = []
        /// The brackets that close the containers which are open, the innermost last.
        private var brackets: [UInt8] = []
        /// Whether nothing follows the latest bracket yet.
        private var isFirst = true

        /// Opens a container.
        ///
        /// - Returns: How many containers are open now.
        func open(_ bracket: Unicode.Scalar, _ closing: Unicode.Scalar) -> Int {
            bytes.append(UInt8(ascii: bracket))
            brackets.append(UInt8(ascii: closing))
            isFirst = true
            return brackets.count
        }

        /// Begins the next element of a container. Those within it are complete.
        func next(in container: Int) {
            close(to: container)
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
        }

        private func close(to container: Int) {
            while brackets.count > container {
                bytes.append(brackets.removeLast())
                isFirst = false
            }
        }

        func put<Value: Encodable>(_ value: Value) throws {
            if Value.self == [Int64].self, let numbers = value as? [Int64] { return put(numbers) }
            let container = brackets.count
            try value.encode(to: Encoding(output: self))
            close(to: container)
        }

        /// A word or a number as it is.
        func put(bare text: String) { bytes.append(contentsOf: text.utf8) }

        func put(_ number: Int64) { Self.append(number, to: &bytes) }
        func put(_ number: UInt64) { Self.append(number, to: &bytes) }

        private func put(_ numbers: [Int64]) {
            // Bytes of its own: those of an object are checked at every access.
            var bytes = [UInt8(ascii: "[")]
            bytes.reserveCapacity(8 * numbers.count)
            for (place, number) in numbers.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.append(number, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
            self.bytes += bytes
        }

        private static func append(_ number: Int64, to bytes: inout [UInt8]) {
            if number < 0 { bytes.append(UInt8(ascii: "-")) }
            append(number.magnitude, to: &bytes)
        }

        private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
            let start = bytes.count
            var left = number
            repeat {
                bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: left % 10))
                left /= 10
            } while left > 0
            var (low, high) = (start, bytes.count - 1)
            while low < high {
                bytes.swapAt(low, high)
                low += 1
                high -= 1
            }
        }

        func put(_ text: String) {
            bytes.append(UInt8(ascii: "\""))
            for byte in text.utf8 {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                    bytes.append(UInt8(ascii: "\\"))
                    bytes.append(byte)
                case 0..<32:
                    put(bare: byte < 16 ? "\\u000" : "\\u00")
                    put(bare: String(byte, radix: 16))
                default: bytes.append(byte)
                }
            }
            bytes.append(UInt8(ascii: "\""))
        }
    }
}

private struct Encoding: Encoder, SingleValueEncodingContainer {
    let output: StateEncoder.Output
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Members<Key>(output: output))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { Elements(output: output) }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    // MARK: - One value

    func encodeNil() { output.put(bare: "null") }
    func encode<Value: Encodable>(_ value: Value) throws { try output.put(value) }
    func encode(_ value: Bool) { output.put(bare: value ? "true" : "false") }
    func encode(_ value: String) { output.put(value) }
    // An infinite number is a text, since JSON has none.
    func encode(_ value: Double) { value.isFinite ? output.put(bare: "\(value)") : output.put("\(value)") }
    func encode(_ value: Float) { encode(Double(value)) }
    func encode<Number: SignedInteger & Encodable>(_ value: Number) { output.put(Int64(value)) }
    func encode<Number: UnsignedInteger & Encodable>(_ value: Number) { output.put(UInt64(value)) }
    func encode(_ value: UInt128) { output.put(bare: "\(value)") }
    func encode(_ value: Int128) { output.put(bare: "\(value)") }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let output: StateEncoder.Output
    private let container: Int
    var codingPath: [any CodingKey] { [] }

    init(output: StateEncoder.Output) {
        self.output = output
        container = output.open("{", "}")
    }

    /// Writes the name of a member; its value follows.
    private func output(_ key: Key) -> StateEncoder.Output {
        output.next(in: container)
        output.put(key.stringValue)
        output.put(bare: ":")
        return output
    }

    func encodeNil(forKey key: Key) throws { output(key).put(bare: "null") }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try output(key).put(value) }
    // The wide integers' defaults refuse them.
    func encode(_ value: UInt128, forKey key: Key) throws { output(key).put(bare: "\(value)") }
    func encode(_ value: Int128, forKey key: Key) throws { output(key).put(bare: "\(value)") }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Inner> {
        KeyedEncodingContainer(Members<Inner>(output: output(key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { Elements(output: output(key)) }
    func superEncoder() -> any Encoder { preconditionFailure("a saved value has no superclass") }
    func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}

private struct Elements: UnkeyedEncodingContainer {
    private let output: StateEncoder.Output
    private let container: Int
    private(set) var count = 0
    var codingPath: [any CodingKey] { [] }

    init(output: StateEncoder.Output) {
        self.output = output
        container = output.open("[", "]")
    }

    private mutating func next() -> StateEncoder.Output {
        count += 1
        output.next(in: container)
        return output
    }

    mutating func encodeNil() throws { next().put(bare: "null") }
    mutating func encode<Value: Encodable>(_ value: Value) throws { try next().put(value) }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Members<Key>(output: next()))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { Elements(output: next()) }
    mutating func superEncoder() -> any Encoder { preconditionFailure("a saved value has no superclass") }
}
