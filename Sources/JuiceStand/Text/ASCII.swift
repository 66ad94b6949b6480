/// The bytes that the text readers look for.
enum ASCII {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let comma = UInt8(ascii: ",")
    static let point = UInt8(ascii: ".")
    static let plus = UInt8(ascii: "+")
    static let minus = UInt8(ascii: "-")
    static let zero = UInt8(ascii: "0")
    static let nine = UInt8(ascii: "9")
    static let openBrace = UInt8(ascii: "{")
    /// The byte order mark of UTF-8, which some programs put before a text.
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    static func isDigit(_ byte: UInt8) -> Bool { byte >= zero && byte <= nine }
}
