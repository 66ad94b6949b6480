import Platform
import TextFormats

/// Writes every fact as one line, for the ledger or for a log.
///
/// The ledger depends only on configuration, seed and commands; log lines also carry the wall-clock time.
package final class StandLogger: FactObserver, Sendable {
    /// The format of the lines.
    package enum Form: Equatable, Sendable {
        /// The ledger: JSON Lines without wall-clock time.
        case ledger
        /// `key=value` pairs, starting with the wall-clock time and a severity. The stand time is that of the clock.
        case text(StandClock)
        /// The same as ``text(_:)`` in JSON.
        case json

        fileprivate var isJSON: Bool { if case .text = self { false } else { true } }
    }

    private struct State: ~Copyable {
        var line: FactLine
        let names: FactNames
    }

    private let state: Guarded<State>
    private let form: Form
    private let flushAt: Int
    private let sink: any LineSink
    private let hasPriority: Bool
    private let wallClock: @Sendable () -> String

    /// - Parameters:
    ///   - form: The format of the lines.
    ///   - menu: Names the fruits and juices.
    ///   - sink: Receives the lines.
    ///   - flushAt: Bytes that are buffered before they are written; 0 writes every line at once.
    ///   - hasPriority: Whether log lines start with a syslog priority such as `<6>`, which the systemd journal reads.
    ///   - wallClock: Returns the current time in RFC 3339 with milliseconds; called for log lines only.
    package init(
        _ form: Form, menu: Menu, sink: any LineSink, flushAt: Int = 0, hasPriority: Bool = false,
        wallClock: @escaping @Sendable () -> String = { "" }
    ) {
        state = Guarded(
            State(
                line: FactLine(isJSON: form.isJSON, fruitLevel: form == .ledger ? "level" : "stock"),
                names: FactNames(menu)))
        self.form = form
        self.flushAt = flushAt
        self.sink = sink
        self.hasPriority = hasPriority
        self.wallClock = wallClock
    }

    /// Writes all buffered lines to the sink.
    package func flush() { state.withLock { writeLines(of: &$0) } }

    package var wanted: FactSet { .all }

    package func hear<F: LedgerFact>(_ fact: F) {
        state.withLock { state in
            state.line.begin(after: hasPriority ? F.kind.severity.priority : "")
            if form == .ledger {
                state.line.field("seq", fact.stamp.sequence)
                state.line.field("at", fact.stamp.time)
                state.line.field("event", word: F.kind.word)
            } else {
                state.line.field("time", plain: wallClock())
                state.line.field("level", word: F.kind.severity.name)
                if case .text(let clock) = form {
                    state.line.field("at", plain: clock.value(nanoseconds: fact.stamp.time.nanoseconds))
                } else {
                    state.line.field("at", fact.stamp.time)
                }
                state.line.field("event", word: F.kind.word)
                state.line.field("seq", fact.stamp.sequence)
            }
            fact.writeFields(to: &state.line, state.names)
            state.line.end()
            if state.line.count >= flushAt { writeLines(of: &state) }
        }
    }

    private func writeLines(of state: inout State) {
        guard state.line.count > 0 else { return }
        state.line.withBytes(sink.write)
        state.line.removeAll()
    }
}

// MARK: - CustomStringConvertible

extension StandLogger: CustomStringConvertible {
    /// Tells the two loggers of a stand apart.
    package var description: String { form == .ledger ? "ledger" : "log" }
}
