/// The bytes do not have the expected format.
struct StateDecodingError: Error {}

struct EarlierDecoding: Decoder, SingleValueDecodingContainer {
    let input: EarlierInput
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try Members<Key>(input: input))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try Elements(input: input) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    // MARK: - One value

    func decodeNil() -> Bool { input.takesNil() }

    private func begun() throws -> EarlierInput {
        try input.begin()
        return input
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try begun().value(type) }
    func decode(_ type: Bool.Type) throws -> Bool { try begun().truth() }
    func decode(_ type: String.Type) throws -> String { try begun().text() }
    func decode(_ type: Double.Type) throws -> Double { try begun().double() }
    func decode(_ type: Float.Type) throws -> Float { Float(try begun().double()) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try begun().wide(type) }
    func decode(_ type: Int128.Type) throws -> Int128 { try begun().wide(type) }

    func decode<Number: SignedInteger & Decodable>(_ type: Number.Type) throws -> Number {
        guard let number = Number(exactly: try begun().number()) else { throw StateDecodingError() }
        return number
    }

    func decode<Number: UnsignedInteger & Decodable>(_ type: Number.Type) throws -> Number {
        guard let number = Number(exactly: try begun().magnitude()) else { throw StateDecodingError() }
        return number
    }
}

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let input: EarlierInput
    private let container: Int
    var codingPath: [any CodingKey] { [] }

    init(input: EarlierInput) throws {
        self.input = input
        container = try input.open(hasNames: true)
    }

    /// The next member alone: an enumeration has no other.
    var allKeys: [Key] { [input.nextName(in: container)].compactMap { $0.flatMap(Key.init(stringValue:)) } }

    func contains(_ key: Key) -> Bool { input.nextName(in: container) == key.stringValue }

    func decodeNil(forKey key: Key) throws -> Bool { try input.isAbsent(key) }

    /// Goes to the value of a member, which must be the next one.
    private func input(_ key: Key) throws -> EarlierInput {
        guard try input.name(in: container) == key.stringValue else { throw StateDecodingError() }
        return input
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try input(key).value(type) }
    // The protocol's default methods refuse integers of 128 bits.
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try input(key).value(type) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try input(key).value(type) }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> {
        KeyedDecodingContainer(try Members<Inner>(input: input(key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try Elements(input: input(key))
    }

    func superDecoder() throws -> any Decoder { throw StateDecodingError() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw StateDecodingError() }
}

private struct Elements: UnkeyedDecodingContainer {
    private let input: EarlierInput
    private let container: Int
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { [] }

    init(input: EarlierInput) throws {
        self.input = input
        container = try input.open(hasNames: false)
    }

    var count: Int? { nil }
    var isAtEnd: Bool { input.isAtEnd(of: container) }

    /// Goes to the next element.
    private mutating func next() throws -> EarlierInput {
        currentIndex += 1
        try input.advance(in: container)
        return input
    }

    // Never true: only elements of an optional type can be nil, and the optional's own decoding finds that out.
    mutating func decodeNil() throws -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().value(type) }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try Members<Key>(input: next()))
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try Elements(input: next()) }
    mutating func superDecoder() throws -> any Decoder { throw StateDecodingError() }
}
