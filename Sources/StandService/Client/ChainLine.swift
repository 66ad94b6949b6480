import JuiceStand
import TextFormats

/// A line of many stands: that of a ledger with the name of the stand before it.
///
/// `{"stand":"corner","seq":1,"at":0.000000000,…}`; or a gap, `{"stand":"corner","event":"missed",…}`.
package struct ChainLine {
    package let stand: String
    /// The line without the name of the stand.
    package let rest: ArraySlice<UInt8>

    /// What comes before the name.
    private static let beforeName = Array("{\"stand\":\"".utf8)
    /// `opened` is the first line of a ledger.
    private static let opening = LedgerLine.beforeSequence + Array("1,".utf8)
    private static let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))

    /// nil if it does not begin with a stand.
    package init?(_ line: ArraySlice<UInt8>) {
        guard line.starts(with: Self.beforeName), let end = Self.end(ofText: line.dropFirst(Self.beforeName.count)),
            line[end...].dropFirst().first == UInt8(ascii: ","),
            let name = JSONValue(parsing: line.dropFirst(Self.beforeName.count - 1)[...end])?.text
        else { return nil }
        stand = name
        rest = [UInt8(ascii: "{")] + line[(end + 2)...]
    }

    /// The beginning of the lines of a stand: `{"stand":"corner",`.
    package static func mark(_ name: String) -> [UInt8] {
        Array("{\"stand\":\(JSONValue.string(name).compact()),".utf8)
    }

    /// Adds a line of a ledger behind the mark of its stand.
    ///
    /// The line `opened` has what the stand calls itself. An object has each key once, so the mark replaces that.
    package static func add(_ line: ArraySlice<UInt8>, to bytes: inout [UInt8], mark: [UInt8]) {
        bytes += mark
        bytes += withoutName(line).dropFirst()
    }

    /// A line of a ledger without what the stand calls itself.
    package static func withoutName(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let name = Array(",\"stand\":\"".utf8)
        guard line.starts(with: opening), LedgerLine.head(line)?.event == FactKind.opened.name,
            let start = line.firstRange(of: name),
            let end = end(ofText: line[start.upperBound...])
        else { return line }
        return line[..<start.lowerBound] + line[(end + 1)...]
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

    /// The numbers of the events that are missing; nil for the line of an event.
    package var missed: ClosedRange<UInt64>? {
        guard !rest.starts(with: LedgerLine.beforeSequence), let json = JSONValue(parsing: rest),
            let first = json["from"]?.whole, let last = json["to"]?.whole, first >= 0, first <= last
        else { return nil }
        return UInt64(first)...UInt64(last)
    }

    /// The place of the quotation mark that ends a text.
    private static func end(ofText text: ArraySlice<UInt8>) -> Int? {
        var isEscaped = false
        return text.indices.first { place in
            defer { isEscaped = !isEscaped && text[place] == backslash }
            return !isEscaped && text[place] == quote
        }
    }
}
