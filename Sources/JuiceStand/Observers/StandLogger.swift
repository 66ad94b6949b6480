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

    /// The lines that are not written yet.
    private let state: Guarded<FactLine>
    private let names: FactNames
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
        state = Guarded(FactLine(isJSON: form.isJSON, fruitLevel: form == .ledger ? "level" : "stock"))
        names = FactNames(menu)
        self.form = form
        self.flushAt = flushAt
        self.sink = sink
        self.hasPriority = hasPriority
        self.wallClock = wallClock
    }

    /// Writes all buffered lines to the sink.
    package func flush() { state.withLock { write(&$0) } }

    package var wanted: FactSet { .all }

    package func hear<F: LedgerFact>(_ fact: F) {
        state.withLock { line in
            line.begin(after: hasPriority ? F.kind.severity.priority : "")
            if form == .ledger {
                line.field("seq", fact.stamp.sequence)
                line.field("at", fact.stamp.time)
                line.field("event", word: F.kind.word)
            } else {
                line.field("time", plain: wallClock())
                line.field("level", word: F.kind.severity.name)
                if case .text(let clock) = form {
                    line.field("at", plain: clock.value(nanoseconds: fact.stamp.time.nanoseconds))
                } else {
                    line.field("at", fact.stamp.time)
                }
                line.field("event", word: F.kind.word)
                line.field("seq", fact.stamp.sequence)
            }
            fact.writeFields(to: &line, names)
            line.end()
            if line.count >= flushAt { write(&line) }
        }
    }

    private func write(_ lines: inout FactLine) {
        guard lines.count > 0 else { return }
        lines.withBytes(sink.write)
        lines.removeAll()
    }
}

// MARK: - CustomStringConvertible

extension StandLogger: CustomStringConvertible {
    /// Tells the two loggers of a stand apart.
    package var description: String { form == .ledger ? "ledger" : "log" }
}
