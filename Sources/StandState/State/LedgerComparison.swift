import JuiceStand
import Platform

/// Takes the lines of a replay: compares those that the ledger has, and passes the later ones on.
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

    private let files: [LedgerReading]
    /// The number of the first line that is compared.
    let first: UInt64
    /// The number of the last line that the ledger has.
    let last: UInt64
    private let rest: (any LineSink)?
    private let state: Guarded<State>

    /// - Parameters:
    ///   - files: The ledger's files as they were found, in order. Lines before the first of them are not compared.
    ///   - last: The number of the last line that the ledger has.
    ///   - sequence: The number of the line before the first of the replay.
    ///   - rest: Takes the lines after `last`.
    init(
        _ files: [LedgerReading], last: UInt64, after sequence: UInt64, rest: (any LineSink)? = nil
    ) throws(FileError) {
        self.files = files
        first = max(sequence + 1, files.first?.first ?? last + 1)
        self.last = last
        self.rest = rest
        state = Guarded(State(next: sequence + 1, offset: try files.first?.offset(of: sequence + 1) ?? 0))
    }

    /// How many lines were equal.
    var compared: UInt64 { state.withLock { $0.compared } }
    /// The first line that differs; nil if none does.
    var difference: StateError? { state.withLock { $0.difference } }

    func write(_ lines: RawSpan) {
        var bytes = unsafe lines.withUnsafeBytes { unsafe Array($0) }[...]
        state.withLock { state in
            while state.next <= last, state.next < first, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                bytes = bytes[(end + 1)...]
                state.next += 1
            }
            while state.next <= last, !bytes.isEmpty, state.difference == nil { bytes = compare(bytes, &state) }
        }
        if !bytes.isEmpty, difference == nil { unsafe rest?.write(bytes.span.bytes) }
    }

    /// Compares lines with those of one file.
    ///
    /// - Returns: The lines after the end of the file.
    private func compare(_ bytes: ArraySlice<UInt8>, _ state: inout State) -> ArraySlice<UInt8> {
        if state.offset == files[state.file].length, state.file < files.count - 1 {
            state.file += 1
            state.offset = 0
        }
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
