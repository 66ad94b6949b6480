import JuiceStand
import Platform

/// Compares a ledger with the state that wrote it, by replaying the journal.
///
/// The replay begins with the oldest snapshot. If that is the first one, the whole ledger is compared.
package struct StateAudit: Sendable {
    /// The number of the first line compared; one more than the last line if none was.
    package private(set) var first: UInt64
    /// Lines compared.
    package private(set) var lines: UInt64
    /// Changes replayed, also those that were refused.
    package private(set) var changes: UInt64
    /// The first difference; nil if there is none.
    package private(set) var difference: String?

    /// - Parameters:
    ///   - folder: The state, which is only read.
    ///   - files: The ledger, rotated files in order.
    /// - Throws: ``StateError`` if either can't be read.
    package init(folder: String, files: [String]) throws(StateError) {
        guard let found = try FoundState.read(folder, from: .oldest) else {
            throw .damaged(place: folder, reason: "holds no state")
        }
        var replay = try Replay(found, folder: folder)
        let sequence = replay.stand.factsAnnounced
        let made = replay.cache.made
        let comparison: Comparison
        do throws(FileError) { comparison = try Comparison(files, after: sequence) } catch { throw .system(error) }
        let isReached = replay.writeLedger(to: comparison, through: comparison.last) { comparison.difference == nil }
        first = comparison.first
        lines = comparison.lines
        changes = replay.cache.made - made
        difference = comparison.difference
        if difference == nil, !isReached {
            difference =
                "the ledger ends with line \(comparison.last), but the state with line \(replay.stand.factsAnnounced)"
        }
        if difference == nil, replay.stand.isClosed, comparison.last < replay.stand.factsAnnounced {
            difference =
                "the ledger ends with line \(comparison.last), but the stand closed with line \(replay.stand.factsAnnounced)"
        }
    }

    /// Takes the lines of the replay and compares them with those of the files.
    private final class Comparison: LineSink {
        private struct State {
            var next: UInt64
            /// The file that is compared, and the place in it.
            var file = 0
            var offset = 0
            var lines: UInt64 = 0
            var difference: String?
        }

        private let files: [LedgerReading]
        /// The numbers of the first line compared and of the last line in the files.
        let first: UInt64
        let last: UInt64
        private let state: Guarded<State>

        init(_ paths: [String], after sequence: UInt64) throws(FileError) {
            var files: [LedgerReading] = []
            for path in paths { files.append(try LedgerReading(path)) }
            self.files = files.filter { $0.last ?? 0 > sequence }
            last = files.compactMap(\.last).max() ?? sequence
            first = max(sequence + 1, self.files.first?.first ?? sequence + 1)
            state = Guarded(
                State(next: sequence + 1, offset: try self.files.first?.offset(of: sequence + 1) ?? 0))
        }

        var lines: UInt64 { state.withLock { $0.lines } }
        var difference: String? { state.withLock { $0.difference } }

        func write(_ lines: RawSpan) {
            let bytes = unsafe lines.withUnsafeBytes { unsafe Array($0) }
            state.withLock { state in
                var rest = bytes[...]
                while state.difference == nil, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    if state.next >= first, state.next <= last { compare(rest[...end], &state) }
                    state.next += 1
                    rest = rest[(end + 1)...]
                }
            }
        }

        private func compare(_ line: ArraySlice<UInt8>, _ state: inout State) {
            if state.offset == files[state.file].length, state.file < files.count - 1 {
                state.file += 1
                state.offset = 0
            }
            let reading = files[state.file]
            let there: [UInt8]
            do throws(FileError) {
                there = try reading.file.read(at: state.offset, count: min(line.count, reading.length - state.offset))
            } catch {
                state.difference = "\(error.path): \(error.reason)"
                return
            }
            guard line.elementsEqual(there) else {
                state.difference =
                    "\(reading.file.path): byte \(state.offset): line \(state.next) must be "
                    + String(decoding: line.dropLast(), as: UTF8.self)
                return
            }
            state.offset += line.count
            state.lines += 1
        }
    }
}
