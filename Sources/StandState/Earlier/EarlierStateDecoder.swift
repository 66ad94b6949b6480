/// Reads the snapshots of the schemas before 5, which were binary.
///
/// They began with a list of member names, and each member began with the number of its name. Integers had variable
/// lengths. A value that is no container began with a byte: 1, or 0 for nil.
enum EarlierStateDecoder {
    /// The value in `bytes`, which must hold nothing else.
    ///
    /// - Throws: ``StateDecodingError``, or what the type itself refuses.
    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: ArraySlice<UInt8>) throws -> Value {
        let input = EarlierInput(bytes)
        for _ in 0..<(try input.magnitude()) { input.names.append(try input.text()) }
        let value = try input.value(type)
        guard input.isAtEnd else { throw StateDecodingError() }
        return value
    }
}

/// The unread rest of a snapshot.
final class EarlierInput {
    private let bytes: ArraySlice<UInt8>
    private var place: Int
    var names: [String] = []
    /// How many elements each container has left.
    private var counts: [Int] = []
    /// The name of the next member, if it was taken already.
    private var named: String?
    /// Whether the next value is known to be there.
    private var isThere = false

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    var isAtEnd: Bool { place == bytes.endIndex }

    private func byte() throws -> UInt8 {
        guard place < bytes.endIndex else { throw StateDecodingError() }
        defer { place += 1 }
        return bytes[place]
    }

    // MARK: - Containers

    /// Opens a container of members with names, or of elements.
    ///
    /// - Returns: The container, for the functions below.
    func open(hasNames: Bool) throws -> Int {
        guard !hasNames else { return -1 }
        var count = 0
        for shift in stride(from: 0, to: 32, by: 8) { count |= Int(try byte()) << shift }
        counts.append(count)
        return counts.count - 1
    }

    func isAtEnd(of container: Int) -> Bool { container >= 0 && counts[container] <= 0 }

    /// Goes on to the next element of a container.
    func advance(in container: Int) throws {
        guard !isAtEnd(of: container) else { throw StateDecodingError() }
        if container >= 0 { counts[container] -= 1 }
    }

    /// Takes the name of the next member of a container.
    func name(in container: Int) throws -> String {
        if let named = named.take() { return named }
        let number = try magnitude()
        guard number < UInt64(names.count) else { throw StateDecodingError() }
        return names[Int(number)]
    }

    /// The name of the next member, which stays to be read; nil if there is none.
    func nextName(in container: Int) -> String? {
        let start = place
        defer { place = start }
        do { return try name(in: container) } catch { return nil }
    }

    /// Takes the next member if its value is nil.
    func isAbsent(_ key: some CodingKey) throws -> Bool {
        let name = try name(in: -1)
        guard name == key.stringValue else { throw StateDecodingError() }
        guard try truth() else { return true }
        named = name
        return false
    }

    // MARK: - Values

    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try Value(from: EarlierDecoding(input: self))
    }

    /// Begins a value that is no container.
    func begin() throws {
        guard try isThere || truth() else { throw StateDecodingError() }
        isThere = false
    }

    /// Takes the next value if it is nil.
    func takesNil() -> Bool {
        do { isThere = try truth() } catch { return false }
        return !isThere
    }

    func truth() throws -> Bool {
        let byte = try byte()
        guard byte <= 1 else { throw StateDecodingError() }
        return byte == 1
    }

    func text() throws -> String {
        let count = try magnitude()
        guard count <= UInt64(bytes.endIndex - place) else { throw StateDecodingError() }
        defer { place += Int(count) }
        return String(decoding: bytes[place..<(place + Int(count))], as: UTF8.self)
    }

    func double() throws -> Double {
        var bits: UInt64 = 0
        for shift: UInt64 in stride(from: 0, to: 64, by: 8) { bits |= UInt64(try byte()) << shift }
        return Double(bitPattern: bits)
    }

    func magnitude() throws -> UInt64 {
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

    func number() throws -> Int64 {
        let raw = try magnitude()
        return Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1)
    }

    func wide<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        let high = try magnitude()
        return Number(truncatingIfNeeded: UInt128(high) << 64 | UInt128(try magnitude()))
    }
}

extension StateSnapshot {
    /// Schemas that are still read.
    static let earlierSchemas = ["juicestand.state/3", "juicestand.state/4", "juicestand.state/5"]

    private struct Body: Decodable {
        var saved: StateSnapshot
    }

    /// Reads the body of a snapshot of one of the ``earlierSchemas``.
    ///
    /// Schema 3 has no state of observers and charts. Schema 4 has it as the last member. Schema 5 is JSON, whose
    /// tables are arrays of numbers.
    init(earlier body: ArraySlice<UInt8>, _ schema: String) throws {
        self =
            switch schema {
            case Self.earlierSchemas[0]: try EarlierStateDecoder.decode(Self.self, from: body)
            case Self.earlierSchemas[1]: try EarlierStateDecoder.decode(Body.self, from: body).saved
            default: try StateCoding.decode(Self.self, from: body)
            }
    }
}
