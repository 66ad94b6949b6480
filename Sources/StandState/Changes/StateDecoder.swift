/// Reads what ``StateEncoder`` wrote.
///
/// Anything that is not exactly what the type to be read would have written is refused.
struct StateDecoder {
    /// The value that `bytes` hold, all of them.
    ///
    /// - Throws: ``StateDecodingError``, or what the type itself refuses.
    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: ArraySlice<UInt8>) throws -> Value {
        let input = Input(bytes)
        let count = try input.number()
        for _ in 0..<count { input.names.append(try input.text()) }
        let value = try Value(from: Decoding(input: input))
        guard input.isAtEnd else { throw StateDecodingError() }
        return value
    }

    /// What is left to be read.
    final class Input {
        private let bytes: ArraySlice<UInt8>
        private var place: Int
        fileprivate var names: [String] = []

        fileprivate init(_ bytes: ArraySlice<UInt8>) {
            self.bytes = bytes
            place = bytes.startIndex
        }

        var isAtEnd: Bool { place == bytes.endIndex }

        private func byte() throws -> UInt8 {
            guard place < bytes.endIndex else { throw StateDecodingError() }
            defer { place += 1 }
            return bytes[place]
        }

        func number() throws -> UInt64 {
            var number: UInt64 = 0
            var shift: UInt64 = 0
            while true {
                let next = try byte()
                guard shift < 63 || next <= 1 else { throw StateDecodingError() }
                number |= UInt64(next & 0x7f) << shift
                if next < 0x80 { return number }
                shift += 7
            }
        }

        func signedNumber() throws -> Int64 {
            let raw = try number()
            return Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1)
        }

        func double() throws -> Double {
            var bits: UInt64 = 0
            for shift: UInt64 in stride(from: 0, to: 64, by: 8) { bits |= UInt64(try byte()) << shift }
            return Double(bitPattern: bits)
        }

        func text() throws -> String {
            let count = try number()
            guard count <= UInt64(bytes.endIndex - place) else { throw StateDecodingError() }
            defer { place += Int(count) }
            return String(decoding: bytes[place..<(place + Int(count))], as: UTF8.self)
        }

        func truth() throws -> Bool {
            switch try byte() {
            case 0: return false
            case 1: return true
            default: throw StateDecodingError()
            }
        }

        func count() throws -> Int {
            var count = 0
            for byte in 0..<4 { count |= Int(try self.byte()) << (8 * byte) }
            return count
        }

        /// The name of the next member, which stays to be read.
        func nextName() throws -> String {
            let start = place
            defer { place = start }
            return try name()
        }

        func expect(_ key: some CodingKey) throws {
            guard try name() == key.stringValue else { throw StateDecodingError() }
        }

        private func name() throws -> String {
            let number = try number()
            guard number < UInt64(names.count) else { throw StateDecodingError() }
            return names[Int(number)]
        }
    }
}

/// Bytes that are not what was to be read.
struct StateDecodingError: Error {}

private struct Decoding: Decoder {
    let input: StateDecoder.Input
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members<Key>(input: input))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try Elements(input: input) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { Single(input: input) }
}

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let input: StateDecoder.Input
    var codingPath: [any CodingKey] { [] }

    /// The next one; an enumeration has one.
    var allKeys: [Key] { do { return try Key(stringValue: input.nextName()).map { [$0] } ?? [] } catch { return [] } }

    func contains(_ key: Key) -> Bool { do { return try input.nextName() == key.stringValue } catch { return false } }

    func decodeNil(forKey key: Key) throws -> Bool {
        try input.expect(key)
        return try !input.truth()
    }

    /// Reads the value of a member, whose name must be next.
    private func decoder(_ key: Key) throws -> Decoding {
        try input.expect(key)
        return Decoding(input: input)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try Value(from: decoder(key)) }
    // The wide integers' defaults refuse them.
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try UInt128(from: decoder(key)) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try Int128(from: decoder(key)) }

    private func take<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
        try input.expect(key)
        return try input.truth() ? Value(from: Decoding(input: input)) : nil
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? { try take(type, key) }
    // A default would stand in for each of these.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try take(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try take(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try take(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try take(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try take(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try take(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try take(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try take(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try take(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try take(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try take(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try take(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try take(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try take(type, key) }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { Decoding(input: input) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

private struct Elements: UnkeyedDecodingContainer {
    let input: StateDecoder.Input
    private let number: Int
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { [] }

    init(input: StateDecoder.Input) throws {
        self.input = input
        number = try input.count()
    }

    /// Nil, so that a damaged count does not reserve memory.
    var count: Int? { nil }
    var isAtEnd: Bool { currentIndex >= number }

    private mutating func next() throws -> Decoding {
        guard !isAtEnd else { throw StateDecodingError() }
        currentIndex += 1
        return Decoding(input: input)
    }

    mutating func decodeNil() throws -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: next()) }
    // The wide integers' defaults refuse them.
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try UInt128(from: next()) }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try Int128(from: next()) }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try next() }
}

/// A value whose absence an optional type has asked for by ``decodeNil()`` already.
private final class Single: SingleValueDecodingContainer {
    let input: StateDecoder.Input
    private var isKnownToBeThere = false
    var codingPath: [any CodingKey] { [] }

    init(input: StateDecoder.Input) {
        self.input = input
    }

    func decodeNil() -> Bool {
        do { isKnownToBeThere = try input.truth() } catch { return false }
        return !isKnownToBeThere
    }

    private func begin() throws { guard try isKnownToBeThere || input.truth() else { throw StateDecodingError() } }

    private func whole<Value: BinaryInteger>(_ wide: some BinaryInteger) throws -> Value {
        guard let value = Value(exactly: wide) else { throw StateDecodingError() }
        return value
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try begin()
        return try Value(from: Decoding(input: input))
    }

    func decode(_ type: Bool.Type) throws -> Bool {
        try begin()
        return try input.truth()
    }

    func decode(_ type: String.Type) throws -> String {
        try begin()
        return try input.text()
    }

    func decode(_ type: Double.Type) throws -> Double {
        try begin()
        return try input.double()
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

    func decode<Number: SignedInteger & Decodable>(_ type: Number.Type) throws -> Number {
        try begin()
        return try whole(input.signedNumber())
    }

    func decode<Number: UnsignedInteger & Decodable>(_ type: Number.Type) throws -> Number {
        try begin()
        return try whole(input.number())
    }

    func decode(_ type: UInt128.Type) throws -> UInt128 {
        try begin()
        let high = try input.number()
        return UInt128(high) << 64 | UInt128(try input.number())
    }

    func decode(_ type: Int128.Type) throws -> Int128 { Int128(bitPattern: try decode(UInt128.self)) }
}
