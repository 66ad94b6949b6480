import JuiceStand
import TextFormats

/// A line of many stands: that of a ledger with the name of the stand before it.
///
/// `{"stand":"corner","seq":1,"at":0.000000000,…}`; or a gap, `{"stand":"corner","event":"missed",…}`.
package enum ChainLine {
    /// `opened` is the first line of a ledger.
    private static let opening = LedgerLine.beforeSequence + Array("1,".utf8)

    /// The beginning of the lines of a stand: `{"stand":"corner",`.
    package static func mark(_ name: String) -> [UInt8] {
        Array("{\"stand\":\(JSONValue.string(name).compact()),".utf8)
    }

    /// Adds a line of a ledger behind the mark of its stand.
    ///
    /// - Parameter line: From ``withoutStandKey(_:)``.
    package static func add(_ line: ArraySlice<UInt8>, to bytes: inout [UInt8], mark: [UInt8]) {
        bytes += mark
        bytes += line.dropFirst()
    }

    /// A line of a ledger in which the stand's own name has the key `name`.
    ///
    /// Only the line `opened` has it, with the key `stand`. An object has each key once, and the mark takes that one.
    package static func withoutStandKey(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard line.starts(with: opening), LedgerLine.head(line)?.event == FactKind.opened.name,
            let key = line.firstRange(of: Array(",\"stand\":".utf8))
        else { return line }
        return line[..<key.lowerBound] + Array(",\"name\":".utf8) + line[key.upperBound...]
    }

    /// Why events are missing.
    package static let why = "the stand no longer has them"

    /// What the line for events that a stand no longer has says.
    package static func missed(_ numbers: ClosedRange<UInt64>) -> JSONValue {
        [
            "event": "missed", "from": .whole(numbers.lowerBound), "to": .whole(numbers.upperBound),
            "why": .string(why),
        ]
    }
}
