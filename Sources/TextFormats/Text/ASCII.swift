/// The bytes that the readers of text look for.
package enum ASCII {
    @inlinable package static var tab: UInt8 { UInt8(ascii: "\t") }
    @inlinable package static var lineFeed: UInt8 { UInt8(ascii: "\n") }
    @inlinable package static var carriageReturn: UInt8 { UInt8(ascii: "\r") }
    @inlinable package static var space: UInt8 { UInt8(ascii: " ") }
    @inlinable package static var quote: UInt8 { UInt8(ascii: "\"") }
    @inlinable package static var comma: UInt8 { UInt8(ascii: ",") }
    @inlinable package static var point: UInt8 { UInt8(ascii: ".") }
    @inlinable package static var plus: UInt8 { UInt8(ascii: "+") }
    @inlinable package static var minus: UInt8 { UInt8(ascii: "-") }
    @inlinable package static var zero: UInt8 { UInt8(ascii: "0") }
    @inlinable package static var nine: UInt8 { UInt8(ascii: "9") }
    @inlinable package static var openBrace: UInt8 { UInt8(ascii: "{") }
    /// The byte order mark of UTF-8, with which some programs begin a text.
    package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    @inlinable package static func isDigit(_ byte: UInt8) -> Bool { byte >= zero && byte <= nine }
}
