import JuiceStand
import Platform

/// Whole lines of a ledger, in a row.
struct LedgerLines {
    /// The number of the first line.
    private(set) var first: UInt64
    private(set) var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8] = [], from first: UInt64) {
        self.first = first
        self.bytes = bytes[...]
    }

    /// The number of whole lines.
    static func count(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count { $0 == UInt8(ascii: "\n") } }

    mutating func append(_ lines: RawSpan) { unsafe lines.withUnsafeBytes { unsafe bytes += $0 } }

    /// Takes the first line, with its line feed; nil if there is none.
    mutating func next() -> ArraySlice<UInt8>? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer {
            bytes = bytes[(end + 1)...]
            first += 1
        }
        return bytes[...end]
    }

    /// Removes the lines up to the one numbered `last`.
    mutating func remove(through last: UInt64) { while first <= last, next() != nil {} }
}

/// Keeps the lines of a replay until they are taken.
final class KeptLines: LineSink {
    private let state: Guarded<LedgerLines>

    /// - Parameter sequence: The number of the line before the first.
    init(after sequence: UInt64) { state = Guarded(LedgerLines(from: sequence + 1)) }

    func write(_ lines: RawSpan) { state.withLock { $0.append(lines) } }

    func takeAll() -> LedgerLines {
        state.withLock { lines in
            let taken = lines
            lines = LedgerLines(from: taken.first + UInt64(LedgerLines.count(taken.bytes)))
            return taken
        }
    }
}
