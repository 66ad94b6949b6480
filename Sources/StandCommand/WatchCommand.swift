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
        On a terminal it shows levels, orders, alerts and the log, redrawn in place, with keys (? names them); elsewhere
        every event is a line, written at once: as text, or as the ledger has it (json). It goes on by itself when the
        stand was started again, with the events of meanwhile if the stand keeps them in a ledger. It ends when the
        stand has closed, on Ctrl-C, or when nobody reads any more, always with exit status 0.
        --only takes names of events and of groups of them:
        """
        + LedgerEvent.groups.map { "\n  \(Columns.left($0, 9))\($1.joined(separator: ", "))" }.joined()
    static let options = [
        ServiceOptions.socket,
        Option("--format", "text|json|live", "how the stand is shown (default: live on a terminal, else text)"),
        Option("--only", "NAME,…", "these events alone (text and json)"),
        Option("--since", "SEQ", "begins after that event's number, 0 is all (text and json; default: the next event)"),
    ]
    static let examples = [
        Example("juicestand watch", "look at the stand; q ends the look and not the stand"),
        Example("juicestand watch --format text --only alerts,restock", "what runs low, and what is done about it"),
        Example("juicestand watch --format json --since 0 > copy.jsonl", "a copy of the ledger, from its first line"),
    ]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try options.refuseOperands()
        let shape: Shape = try options.choice("--format", default: LiveTerminal.isMeantToRedraw ? .live : .text)
        let only = try selection(try options.value("--only"))
        let since = try since(options)
        if shape == .live {
            guard LiveTerminal.canRedraw else {
                throw CommandFailure(
                    .usage, "--format live needs a terminal and NO_COLOR unset; use --format text or json")
            }
            guard only == nil, since == nil else {
                throw CommandFailure(.usage, "--only and --since need --format text or json")
            }
        }
        let socket = try options.value("--socket") ?? StandServer.standardSocket
        let present = try present(options, output)
        if shape == .live { return try LiveWatch(socket: socket, present: present).run(output) }
        return try Following(socket: socket, after: since ?? present, only: only, isJSON: shape == .json).run(output)
    }

    private enum Shape: String, CaseIterable {
        case text
        case json
        case live
    }

    /// The number of the last event.
    private static func present(_ options: Options, _ output: Output) throws(CommandFailure) -> UInt64 {
        let status = try StandConversation(options, output, format: .text).ask(.get, "status")
        guard let present = status.json?["sequence"]?.whole else {
            throw CommandFailure(.unavailable, "what answers there is no stand")
        }
        return UInt64(clamping: present)
    }

    private static func since(_ options: Options) throws(CommandFailure) -> UInt64? {
        try options.whole("--since", 0...Int.max).map { UInt64($0) }
    }

    /// The names of the events that are wanted; nil where all are.
    private static func selection(_ list: String?) throws(CommandFailure) -> Set<String>? {
        guard let list else { return nil }
        var names: Set<String> = []
        for name in list.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            guard let events = LedgerEvent.events(named: name) else {
                let known = LedgerEvent.groups.map(\.key) + LedgerEvent.names
                let hint =
                    nearest(name, among: known).map { "; did you mean \($0)?" } ?? "; see juicestand watch --help"
                throw CommandFailure(.usage, "--only: \"\(name)\" is no event and no group of events\(hint)")
            }
            names.formUnion(events)
        }
        return names
    }
}

/// Writes the events of a stand, a line each.
private struct Following {
    let socket: String
    /// The number of the event before the first that is wanted.
    let after: UInt64
    let only: Set<String>?
    let isJSON: Bool

    func run(_ output: Output) throws(CommandFailure) -> ExitStatus {
        let stop = StopSignal()
        let sink = FileLineSink(descriptor: 1, name: "standard output")
        let watch = SignalWatch(SignalWatch.ending, on: .global()) { _ in
            stop.stop()
            // Whoever does not read is not waited for.
            sink.end()
        }
        defer { withExtendedLifetime(watch) {} }
        var follower = StandFollower(path: socket, after: after, output: 1, stop: stop)
        defer { follower.close() }
        while let news = follower.next() {
            switch news {
            case .event(let line, _):
                if let text = text(line) { sink.write(text + "\n") }
            case .gap(let after, let first):
                let missing = after + 2 == first ? "event \(after + 1)" : "the events \(after + 1) to \(first - 1)"
                output.warn("the stand has not kept \(missing); going on with \(first)")
            case .otherStand(let after, let first):
                output.warn(
                    "another stand answers than the one that had come to event \(after); going on with its event \(first)"
                )
            case .away(let reason): output.warn("\(socket): the stand is away: \(reason); waiting for it")
            case .back: output.warn("the stand is back; going on after event \(follower.place)")
            }
            guard let failure = sink.failure else { continue }
            // Who reads no more wants no more, and who was asked to end does.
            if follower.isOver { break }
            throw CommandFailure(.inputOutput, "\(failure.path): \(failure.reason)")
        }
        return .done
    }

    /// nil where the event is not wanted.
    private func text(_ line: ArraySlice<UInt8>) -> String? {
        if let only {
            guard let name = LedgerEvent.name(of: line), only.contains(String(name)) else { return nil }
        }
        return isJSON ? String(decoding: line, as: UTF8.self) : LedgerEvent(line)?.logLine
    }
}

/// Shows a stand on the terminal until the user has seen enough, or the stand has closed.
private struct LiveWatch {
    /// Events of before that the display begins with.
    private static let past: UInt64 = 300

    let socket: String
    /// The number of the last event.
    let present: UInt64

    func run(_ output: Output) throws(CommandFailure) -> ExitStatus {
        let isOver = DispatchSemaphore(value: 0)
        let sink = FileLineSink(descriptor: 1, name: "standard output") { _ in isOver.signal() }
        let stand = RemoteStand(path: socket, after: present - min(present, Self.past))
        let live = LiveTerminal(stand, to: sink) { isOver.signal() }
        let signals = SignalWatch.ending + SignalWatch.asking + live.signals
        let watch = SignalWatch(signals, on: .global()) { signal in
            // What was meant for the stand must not leave the terminal as it is.
            if SignalWatch.asking.contains(signal) || live.hear(signal) { return }
            sink.end()
            isOver.signal()
        }
        defer { withExtendedLifetime(watch) {} }
        live.begin()
        isOver.wait()
        live.end()
        if stand.hasClosed { output.print("The stand has closed.\n") }
        return .done
    }
}
