/// Values as bytes: compact, in the order in which they encode themselves, and fast enough for a busy stand's state.
///
/// Every member is led by a number that stands for its name, so that bytes of another layout are refused and never
/// misread; the names come first. Integers are as long as they are large, absent values are one byte.
struct StateEncoder {
    /// The bytes of `value`.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let output = Output()
        try value.encode(to: Encoding(output: output))
        let whole = Output()
        whole.put(UInt64(output.names.count))
        for name in output.names { whole.put(name) }
        // In place: a snapshot is the largest thing a stand holds, if only for a moment.
        output.bytes.insert(contentsOf: whole.bytes, at: 0)
        return output.bytes
    }

    /// What has been written so far.
    final class Output {
        var bytes: [UInt8] = []
        fileprivate var names: [String] = []
        private var numbers: [String: UInt64] = [:]

        func put(_ number: UInt64) {
            var left = number
            while left >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: left) | 0x80)
                left >>= 7
            }
            bytes.append(UInt8(left))
        }

        /// Small numbers of either sign are short.
        func put(_ number: Int64) { put(UInt64(bitPattern: number << 1 ^ number >> 63)) }

        func put(_ number: Double) {
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> shift))
            }
        }

        func put(_ text: String) {
            put(UInt64(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
        }

        func put(_ truth: Bool) { bytes.append(truth ? 1 : 0) }

        func put(key: some CodingKey) {
            let name = key.stringValue
            if let number = numbers[name] { return put(number) }
            let number = UInt64(names.count)
            numbers[name] = number
            names.append(name)
            put(number)
        }

        func put(value: some Encodable) throws { try value.encode(to: Encoding(output: self)) }
    }
}

private struct Encoding: Encoder {
    let output: StateEncoder.Output
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Members<Key>(output: output))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { Elements(output: output) }
    func singleValueContainer() -> any SingleValueEncodingContainer { Single(output: output) }
}

/// A member: the number of its name, and its value; where it may be absent, whether it is there.
private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let output: StateEncoder.Output
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws {
        output.put(key: key)
        output.put(false)
    }

    /// Writes the name of a member; its value follows.
    private func encoder(_ key: Key) -> Encoding {
        output.put(key: key)
        return Encoding(output: output)
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try value.encode(to: encoder(key)) }
    // The wide integers' defaults refuse them.
    func encode(_ value: UInt128, forKey key: Key) throws { try value.encode(to: encoder(key)) }
    func encode(_ value: Int128, forKey key: Key) throws { try value.encode(to: encoder(key)) }

    private func put<Value: Encodable>(_ value: Value?, _ key: Key) throws {
        output.put(key: key)
        output.put(value != nil)
        if let value { try output.put(value: value) }
    }

    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws { try put(value, key) }
    // A default would stand in for each of these, and leave nothing where a value is absent.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try put(value, key) }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Inner> {
        encoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { Encoding(output: output) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
}

/// Elements, led by their number, which is written again with each.
private struct Elements: UnkeyedEncodingContainer {
    let output: StateEncoder.Output
    private let place: Int
    private(set) var count = 0
    var codingPath: [any CodingKey] { [] }

    init(output: StateEncoder.Output) {
        self.output = output
        place = output.bytes.count
        output.bytes.append(contentsOf: [0, 0, 0, 0])
    }

    private mutating func next() -> Encoding {
        count += 1
        for byte in 0..<4 { output.bytes[place + byte] = UInt8(truncatingIfNeeded: count >> (8 * byte)) }
        return Encoding(output: output)
    }

    mutating func encodeNil() throws { next().output.put(false) }
    mutating func encode<Value: Encodable>(_ value: Value) throws { try value.encode(to: next()) }
    // The wide integers' defaults refuse them.
    mutating func encode(_ value: UInt128) throws { try value.encode(to: next()) }
    mutating func encode(_ value: Int128) throws { try value.encode(to: next()) }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { next() }
}

/// One value, led by whether it is there, since an optional one looks the same.
private struct Single: SingleValueEncodingContainer {
    let output: StateEncoder.Output
    var codingPath: [any CodingKey] { [] }

    func encodeNil() throws { output.put(false) }

    func encode<Value: Encodable>(_ value: Value) throws {
        output.put(true)
        try output.put(value: value)
    }

    func encode(_ value: Bool) throws {
        output.put(true)
        output.put(value)
    }

    func encode(_ value: String) throws {
        output.put(true)
        output.put(value)
    }

    func encode(_ value: Double) throws {
        output.put(true)
        output.put(value)
    }

    func encode(_ value: Float) throws { try encode(Double(value)) }

    func encode<Number: SignedInteger & Encodable>(_ value: Number) throws {
        output.put(true)
        output.put(Int64(value))
    }

    func encode<Number: UnsignedInteger & Encodable>(_ value: Number) throws {
        output.put(true)
        output.put(UInt64(value))
    }

    func encode(_ value: UInt128) throws {
        output.put(true)
        output.put(UInt64(truncatingIfNeeded: value >> 64))
        output.put(UInt64(truncatingIfNeeded: value))
    }

    func encode(_ value: Int128) throws { try encode(UInt128(bitPattern: value)) }
}
