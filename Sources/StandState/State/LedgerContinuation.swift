import JuiceStand
import Platform

/// Takes the lines of a replay: compares those that the file has, and writes the others.
package final class LedgerContinuation: LineSink {
    private struct State {
        /// The number of the next line.
        var next: UInt64
        /// Where in the file it must be.
        var offset: Int
        var difference: StateError?
    }

    private let known: LedgerReading?
    /// The number of the last line in the file.
    private let last: UInt64
    private let file: (any LineSink)?
    private let state: Guarded<State>

    /// - Parameters:
    ///   - known: The file as it was found.
    ///   - last: The number of the last line that is there already.
    ///   - sequence: The number of the line before the first of the replay.
    ///   - file: Takes the lines after `last`.
    package init(
        _ known: LedgerReading?, last: UInt64, after sequence: UInt64, file: (any LineSink)?
    ) throws(FileError) {
        self.known = known
        self.last = last
        self.file = file
        let offset = try known?.offset(of: sequence + 1) ?? 0
        state = Guarded(State(next: sequence + 1, offset: offset))
    }

    /// The first line that differs; nil if none does.
    package var difference: StateError? { state.withLock { $0.difference } }

    package func write(_ lines: RawSpan) {
        var bytes = unsafe lines.withUnsafeBytes { unsafe Array($0) }[...]
        state.withLock { state in
            guard state.difference == nil else { return }
            bytes = skip(bytes, &state)
            if state.next <= last, let known { bytes = compare(bytes, with: known, &state) }
        }
        guard !bytes.isEmpty, difference == nil else { return }
        state.withLock { $0.next += UInt64(bytes.count { $0 == UInt8(ascii: "\n") }) }
        unsafe file?.write(bytes.span.bytes)
    }

    /// Lines that are in earlier files.
    private func skip(_ bytes: ArraySlice<UInt8>, _ state: inout State) -> ArraySlice<UInt8> {
        var rest = bytes
        let first = known?.first ?? last + 1
        while state.next < first, state.next <= last, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            rest = rest[(end + 1)...]
            state.next += 1
        }
        return rest
    }

    private func compare(
        _ bytes: ArraySlice<UInt8>, with known: LedgerReading, _ state: inout State
    ) -> ArraySlice<UInt8> {
        let there: [UInt8]
        let count = min(bytes.count, known.length - state.offset)
        do throws(FileError) { there = try known.file.read(at: state.offset, count: count) } catch {
            state.difference = .system(error)
            return []
        }
        var place = bytes.startIndex
        var (lineStart, lineOffset) = (place, state.offset)
        for byte in there {
            guard byte == bytes[place] else {
                let line = bytes[lineStart...].prefix { $0 != UInt8(ascii: "\n") }
                state.difference = .foreignLedger(
                    place: "\(known.file.path): byte \(lineOffset)",
                    reason: "line \(state.next) must be \(String(decoding: line, as: UTF8.self))")
                return []
            }
            place += 1
            if byte == UInt8(ascii: "\n") {
                state.next += 1
                (lineStart, lineOffset) = (place, state.offset + place - bytes.startIndex)
            }
        }
        state.offset += there.count
        return bytes[place...]
    }
}
