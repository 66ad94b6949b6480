import Platform

/// A place lines go to, in order and without being changed.
package protocol LineSink: AnyObject, Sendable {
    /// Takes whole lines.
    ///
    /// Called from within a fact's delivery: it must not call the stand. What can't be written is the sink's to count
    /// and to report.
    func write(_ lines: RawSpan)
}

extension LineSink {
    package func write(_ text: String) {
        let bytes = Array(text.utf8)
        unsafe write(bytes.span.bytes)
    }
}

/// Writes the stand's diary: every fact, a line each, as the ledger wants it or for people to read.
///
/// The ledger is a function of configuration, seed and commands; a log line also says when it was written.
package final class StandLogger: EveryFactObserver {
    /// What the lines look like.
    package enum Form: Sendable {
        /// JSON Lines without wall-clock time: contract, section 5.
        case ledger
        /// `key=value`, led by the wall-clock time and a level.
        case text
        /// The same as ``text`` in JSON.
        case json
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
    ///   - form: What the lines look like.
    ///   - menu: Gives juices and fruit their names.
    ///   - sink: Where the lines go.
    ///   - flushAt: Bytes that may wait for ``flush()``; 0 writes every line at once.
    ///   - hasPriority: Whether log lines begin with how grave they are as syslog counts, in angle brackets: what the
    ///     journal of systemd understands.
    ///   - wallClock: The time of now in RFC 3339 with milliseconds; asked for log lines only.
    package init(
        _ form: Form, menu: Menu, sink: any LineSink, flushAt: Int = 0, hasPriority: Bool = false,
        wallClock: @escaping @Sendable () -> String = { "" }
    ) {
        state = Guarded(
            State(
                line: FactLine(form == .text ? .text : .json, fruitLevel: form == .ledger ? "level" : "stock"),
                names: FactNames(menu)))
        self.form = form
        self.flushAt = flushAt
        self.sink = sink
        self.hasPriority = hasPriority
        self.wallClock = wallClock
    }

    /// Hands all waiting lines to the sink.
    package func flush() {
        state.withLock { write(&$0) }
    }

    package func receive<F: LedgerFact>(_ fact: F) {
        state.withLock { state in
            state.line.begin(after: hasPriority ? (F.kind == .lowStock ? "<4>" : "<6>") : "")
            if form == .ledger {
                state.line.field("seq", fact.stamp.sequence)
                state.line.field("at", fact.stamp.time)
                state.line.field("event", word: F.event)
            } else {
                state.line.field("time", plain: wallClock())
                state.line.field("level", word: F.kind == .lowStock ? "warning" : "info")
                state.line.field("at", fact.stamp.time)
                state.line.field("event", word: F.event)
                state.line.field("seq", fact.stamp.sequence)
            }
            fact.write(to: &state.line, state.names)
            state.line.end()
            if state.line.count >= flushAt { write(&state) }
        }
    }

    private func write(_ state: inout State) {
        guard state.line.count > 0 else { return }
        state.line.withBytes(sink.write)
        state.line.removeAll()
    }
}
