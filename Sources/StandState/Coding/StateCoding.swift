#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The format of saved values: one line of JSON, in which members are sorted by their names.
package enum StateCoding {
    // JSON has no infinite numbers.
    private static let infinite = "inf"
    private static let negative = "-inf"
    private static let none = "nan"

    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: infinite, negativeInfinity: negative, nan: none)
        return encoder
    }()

    private static let decoder = {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: infinite, negativeInfinity: negative, nan: none)
        return decoder
    }()

    /// - Precondition: `value` encodes itself without an error.
    package static func encode(_ value: some Encodable) -> [UInt8] {
        do { return Array(try encoder.encode(value)) } catch {
            preconditionFailure("\(type(of: value)) can't be saved: \(error)")
        }
    }

    /// The value in `bytes`, which must hold nothing else.
    ///
    /// - Throws: `DecodingError`, or what the type itself refuses.
    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: ArraySlice<UInt8>) throws -> Value {
        try decoder.decode(type, from: Data(bytes))
    }
}
