import Dispatch
import JuiceStand
import StandService
import StandState
import TerminalView
import TextFormats

/// `juicestand watch`: follows a running stand.
enum WatchCommand: Command {
    static let name = "watch"
    static let summary = "follows a running stand: live display, text or JSON Lines"
    static let discussion = """
        On a terminal it shows a live display of stock, orders, alerts and log. Press ? for the keys. Elsewhere it
        prints one line for each event, as text or as ledger lines (json). It reconnects when the stand restarts, and
        resumes without a gap if the stand writes a ledger. It ends when the stand closes, on Ctrl-C, or when its
        output is closed; the exit status is 0. --only takes event names and these groups:
        """ + LedgerEvent.groups.map { "\n  \(Columns.left($0, 9))\($1.joined(separator: ", "))" }.joined()
    static let options = [
        ServiceOptions.socket,
        Option("--format", "text|json|live", "output format (default: live on a terminal, else text)"),
        Option("--only", "NAME,…", "prints only these events (text and json)"),
        Option(
            "--since", "SEQ", "starts after this event number; 0 prints all (text and json; default: the next event)"),
    ]
    static let examples = [
        Example("juicestand watch", "live display; q quits it, the stand continues"),
        Example("juicestand watch --format text --only alerts,restock", "low stock and restocking"),
        Example("juicestand watch --format json --since 0 > copy.jsonl", "a copy of the ledger"),
    ]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try ThreadReserve.check()
        try options.refuseOperands()
        let format: WatchFormat = try options.choice(
            "--format", default: TerminalAbilities.obstacle == nil ? .live : .text)
        let only = try selection(try options.list("--only"))
        let since = try since(options)
        if format == .live {
            if let obstacle = TerminalAbilities.obstacle {
                throw CommandFailure(.usage, "--format live can't run: \(obstacle); use --format text or json")
            }
            guard only == nil, since == nil else {
                throw CommandFailure(.usage, "--only and --since need --format text or json")
            }
        }
        let socket = try options.value("--socket") ?? StandServer.standardSocket
        let last = try lastEvent(options, output)
        if format == .live { return try LiveWatch(socket: socket, lastEvent: last).run(output) }
        return try EventPrinter(socket: socket, after: since ?? last, only: only, isJSON: format == .json).run(output)
    }

    private enum WatchFormat: String, CaseIterable {
        case text
        case json
        case live
    }

    /// The number of the stand's last event.
    private static func lastEvent(_ options: Options, _ output: Output) throws(CommandFailure) -> UInt64 {
        let status = try StandSession(options, output, format: .text).request(.get, "status")
        guard let last = status.json?["sequence"]?.whole else {
            throw CommandFailure(.unavailable, "the server at this socket is not a stand")
        }
        return UInt64(clamping: last)
    }

    private static func since(_ options: Options) throws(CommandFailure) -> UInt64? {
        try options.whole("--since", 0...Int.max).map { UInt64($0) }
    }

    /// The names of the selected events; nil selects all.
    private static func selection(_ list: [String]?) throws(CommandFailure) -> Set<String>? {
        guard let list else { return nil }
        var names: Set<String> = []
        for name in list {
            guard let events = LedgerEvent.events(named: name) else {
                let known = LedgerEvent.groups.map(\.key) + LedgerEvent.names
                throw CommandFailure(
                    .usage, "--only: unknown event \"\(name)\"\(hint(name, among: known)) (see juicestand watch --help)"
                )
            }
            names.formUnion(events)
        }
        return names
    }
}

/// Follows a stand and prints one line for each event.
private struct EventPrinter {
    let socket: String
    /// The first printed event comes after this number.
    let after: UInt64
    let only: Set<String>?
    let isJSON: Bool

    func run(_ output: Output) throws(CommandFailure) -> ExitStatus {
        let stop = StopSignal()
        let sink = FileLineSink(descriptor: 1, name: "standard output")
        let watch = SignalWatch(SignalWatch.ending, on: .global()) { _ in
            stop.stop()
            // Ends a write to a reader that does not read.
            sink.end()
        }
        defer { withExtendedLifetime(watch) {} }
        var follower = StandFollower(path: socket, after: after, output: 1, stop: stop)
        defer { follower.close() }
        while let news = follower.next() {
            switch news {
            case .event(let line, _): if let text = text(line, follower.clock) { sink.write(text + "\n") }
            case .gap(let after, let first):
                let missing = after + 2 == first ? "event \(after + 1)" : "events \(after + 1) to \(first - 1)"
                output.warn("the stand no longer has \(missing); continuing with event \(first)")
            case .otherStand(let after, let first):
                output.warn(
                    "a different stand answers; the previous one was at event \(after); continuing with event \(first)")
            case .away(let reason): output.warn("\(socket): lost the connection to the stand: \(reason); reconnecting")
            case .back: output.warn("reconnected; continuing after event \(follower.place)")
            }
            guard let failure = sink.failure else { continue }
            // A closed pipe or a stop request ends the watch.
            if follower.isOver { break }
            throw CommandFailure(.inputOutput, failure)
        }
        return .done
    }

    /// The line to print; nil if the event is not selected.
    private func text(_ line: ArraySlice<UInt8>, _ clock: StandClock) -> String? {
        if let only {
            guard let event = LedgerLine.head(line)?.event, only.contains(event) else { return nil }
        }
        return isJSON ? String(decoding: line, as: UTF8.self) : LedgerEvent(line)?.logLine(clock)
    }
}

/// Shows the live display until the user quits or the stand closes.
private struct LiveWatch {
    /// The number of earlier events that the display starts with.
    private static let history: UInt64 = 300

    let socket: String
    /// The number of the stand's last event.
    let lastEvent: UInt64

    func run(_ output: Output) throws(CommandFailure) -> ExitStatus {
        let isOver = DispatchSemaphore(value: 0)
        let sink = FileLineSink(descriptor: 1, name: "standard output") { _ in isOver.signal() }
        let stand = RemoteStand(path: socket, after: lastEvent - min(lastEvent, Self.history))
        let live = LiveTerminal(stand, to: sink) { isOver.signal() }
        let signals = SignalWatch.ending + [SignalWatch.reopening] + live.signals
        let watch = SignalWatch(signals, on: .global()) { signal in
            // Signals for a stand must not end the display and leave the terminal in raw mode.
            if signal == SignalWatch.reopening || live.hear(signal) { return }
            sink.end()
            isOver.signal()
        }
        defer { withExtendedLifetime(watch) {} }
        live.begin()
        isOver.wait()
        live.end()
        if stand.hasClosed { output.print(LiveTerminal.words(.standHasClosed) + "\n") }
        return .done
    }
}
