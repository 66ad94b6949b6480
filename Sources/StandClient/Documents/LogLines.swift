import JuiceStand
import TextFormats

/// Writes lines of ledgers as lines of a log: `at=08:00:30 level=info event=orderPlaced seq=2 order=1 …`.
///
/// A line as a stand writes it is copied value by value, without texts and trees. For any other line a ``LedgerEvent``
/// is made.
package struct LogLines {
    /// The part of a line just before the sequence number, by the raw value of the kind.
    private static let heads = FactKind.allCases.map { kind in
        Array("level=\(kind.severity.name) event=\(kind.name) seq=".utf8)
    }
    /// The ledger's key `level` is written as `stock`, because `level` is the severity of a log line.
    private static let renamed = (from: Array("level".utf8), to: Array("stock".utf8))
    private static let words = LedgerEvent.words.map { Array($0.utf8) }
    private static let times = LedgerEvent.times.map { Array($0.utf8) }

    /// The latest time and its text: most lines have that of the line before.
    private var time: (clock: StandClock, nanoseconds: Int64, text: [UInt8])?

    package init() {}

    /// Adds a line of a ledger to `bytes`, without a line feed.
    ///
    /// - Parameter fields: Fields that follow the time.
    /// - Returns: False if it is no line of a ledger.
    package mutating func add(
        _ line: ArraySlice<UInt8>, _ clock: StandClock, _ fields: String, to bytes: inout [UInt8]
    ) -> Bool {
        let start = bytes.count
        if addPlain(Array(line), clock, fields, to: &bytes) { return true }
        bytes.removeLast(bytes.count - start)
        guard let text = LedgerEvent(line)?.logLine(clock, fields) else { return false }
        bytes += text.utf8
        return true
    }

    /// - Returns: False if the line has another form than that of a stand's own lines, apart from names.
    private mutating func addPlain(
        _ line: [UInt8], _ clock: StandClock, _ fields: String, to bytes: inout [UInt8]
    ) -> Bool {
        var flat = FlatLine(line, in: line.indices)
        guard let head = LedgerLine(&flat) else { return false }
        if time?.nanoseconds != head.nanoseconds || time?.clock != clock {
            time = (clock, head.nanoseconds, Array("at=\(clock.value(nanoseconds: head.nanoseconds)) ".utf8))
        }
        bytes += time?.text ?? []
        bytes += fields.utf8
        bytes += Self.heads[head.kind.rawValue]
        bytes += line[head.number]
        while let (key, value) = flat.member() {
            guard Self.isWord(line[key]) else { return false }
            bytes.append(UInt8(ascii: " "))
            bytes += flat.isEqual(key, Self.renamed.from) ? Self.renamed.to[...] : line[key]
            bytes.append(UInt8(ascii: "="))
            switch value {
            case .text(let text):
                let isBare = Self.isWord(line[text]) && Self.words.contains { flat.isEqual(key, $0) }
                if isBare { bytes += line[text] } else { Self.quote(line[text], to: &bytes) }
            case .number(let number):
                let isTime =
                    LedgerLine.nanoseconds(number, in: line) != nil && Self.times.contains { flat.isEqual(key, $0) }
                guard isTime || LedgerLine.whole(number, in: line) != nil else { return false }
                bytes += line[number]
            case .null, .bool: return false
            }
        }
        return flat.end()
    }

    /// Whether the text is written without quotes, like the `word` of a `String`.
    private static func isWord(_ text: ArraySlice<UInt8>) -> Bool {
        !text.isEmpty
            && text.allSatisfy {
                $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=")
                    && $0 != UInt8(ascii: "\\")
            }
    }

    private static func quote(_ text: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        guard text.allSatisfy({ $0 < 0x7F }) else {
            bytes += JSONValue.string(String(decoding: text, as: UTF8.self)).compact().utf8
            return
        }
        bytes.append(UInt8(ascii: "\""))
        bytes += text
        bytes.append(UInt8(ascii: "\""))
    }
}
