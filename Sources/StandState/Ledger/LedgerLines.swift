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

/// Keeps the lines of a replay: all of them until they are taken, or the latest.
final class KeptLines: LineSink {
    private let state: Guarded<LedgerLines>
    private let least: Int

    /// - Parameters:
    ///   - sequence: The number of the line before the first.
    ///   - least: Bytes that are kept at least, and twice as many at most.
    init(after sequence: UInt64, least: Int = .max) {
        state = Guarded(LedgerLines(from: sequence + 1))
        self.least = least
    }

    var lines: LedgerLines { state.withLock { $0 } }

    func write(_ lines: RawSpan) {
        state.withLock { kept in
            kept.append(lines)
            guard kept.bytes.count / 2 > least else { return }
            while kept.bytes.count > least, kept.next() != nil {}
        }
    }

    func takeAll() -> LedgerLines {
        state.withLock { lines in
            let taken = lines
            lines = LedgerLines(from: taken.first + UInt64(LedgerLines.count(taken.bytes)))
            return taken
        }
    }
}
