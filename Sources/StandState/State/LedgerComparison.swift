import JuiceStand
import Platform

/// Compares the lines of a replay with those of a ledger, byte for byte.
final class LedgerComparison: LineSink {
    private struct State {
        /// The number of the next line.
        var next: UInt64
        /// The file that must have it, and where.
        var file = 0
        var offset: Int
        var compared: UInt64 = 0
        var difference: StateError?
    }

    /// In order; each has a line.
    private let files: [LedgerReading]
    /// The number of the first line that is compared.
    let first: UInt64
    /// The number of the last line that the ledger has.
    let last: UInt64
    private let state: Guarded<State>

    /// - Parameters:
    ///   - files: The ledger's files, in order. Lines before the first of them are not compared.
    ///   - sequence: The number of the line before the first of the replay.
    init(_ files: [LedgerReading], after sequence: UInt64) throws(FileError) {
        self.files = files.filter { $0.last ?? 0 > sequence }
        last = files.compactMap(\.last).max() ?? sequence
        first = max(sequence + 1, self.files.first?.first ?? last + 1)
        state = Guarded(State(next: sequence + 1, offset: try self.files.first?.offset(of: sequence + 1) ?? 0))
    }

    /// How many lines were equal.
    var compared: UInt64 { state.withLock { $0.compared } }
    /// The first line that differs; nil if none does.
    var difference: StateError? { state.withLock { $0.difference } }

    func write(_ lines: RawSpan) {
        var bytes = unsafe lines.withUnsafeBytes { unsafe Array($0) }[...]
        state.withLock { state in
            while !bytes.isEmpty, state.difference == nil, state.next <= last {
                if state.next < first {
                    bytes = bytes[((bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex - 1) + 1)...]
                    state.next += 1
                } else if state.next <= files[state.file].last ?? 0 {
                    bytes = compare(bytes, &state)
                } else if state.file < files.count - 1 {
                    beginNextFile(&state)
                } else {
                    break
                }
            }
        }
    }

    private func beginNextFile(_ state: inout State) {
        let ended = files[state.file].file.path
        state.file += 1
        state.offset = 0
        guard let first = files[state.file].first, first > state.next else { return }
        state.difference = .foreignLedger(
            place: ended, reason: "line \(state.next) is missing, the next file begins with line \(first)")
    }

    /// Compares lines with those of one file.
    ///
    /// - Returns: The lines after the end of the file.
    private func compare(_ bytes: ArraySlice<UInt8>, _ state: inout State) -> ArraySlice<UInt8> {
        let file = files[state.file]
        let there: [UInt8]
        let count = min(bytes.count, file.length - state.offset)
        do throws(FileError) { there = try file.file.read(at: state.offset, count: count) } catch {
            state.difference = .system(error)
            return []
        }
        var place = bytes.startIndex
        var (lineStart, lineOffset) = (place, state.offset)
        for byte in there {
            guard byte == bytes[place] else { break }
            place += 1
            if byte == UInt8(ascii: "\n") {
                state.next += 1
                state.compared += 1
                (lineStart, lineOffset) = (place, state.offset + place - bytes.startIndex)
            }
        }
        guard !there.isEmpty, place == bytes.startIndex + there.count else {
            let line = bytes[lineStart...].prefix { $0 != UInt8(ascii: "\n") }
            state.difference = .foreignLedger(
                place: "\(file.file.path): byte \(lineOffset)",
                reason: "line \(state.next) must be \(String(decoding: line, as: UTF8.self))")
            return []
        }
        state.offset += there.count
        return bytes[place...]
    }
}
