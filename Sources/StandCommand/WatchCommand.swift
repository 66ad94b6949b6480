import Dispatch
import JuiceStand
import StandService

/// `juicestand watch`: follows a running stand.
enum WatchCommand: Command {
    static let name = "watch"
    static let summary = "follows a running stand: live display, text or JSON Lines"
    static let discussion = """
        Every event is a line, written at once: as text, or as the ledger has it (json). It goes on by itself when the
        stand was started again, with the events of meanwhile if the stand keeps them in a ledger. It ends when the
        stand has closed, on Ctrl-C, or when nobody reads any more, always with exit status 0.
        --only takes names of events and of groups of them:
        """
        + LedgerEvent.groups.map { "\n  \(Columns.left($0, 9))\($1.joined(separator: ", "))" }.joined()
    static let options = [
        ServiceOptions.socket,
        Option("--format", "text|json", "how events are shown (default: text)"),
        Option("--only", "NAME,…", "these events alone"),
        Option("--since", "SEQ", "begins after the event of that number, 0 is all (default: with the next one)"),
    ]
    static let examples = [
        Example("juicestand watch --format text --only alerts,restock", "what runs low, and what is done about it"),
        Example("juicestand watch --format json --since 0 > copy.jsonl", "a copy of the ledger, from its first line"),
    ]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try options.refuseOperands()
        let format: Format = try options.choice("--format", default: .text)
        let only = try selection(try options.value("--only"))
        let since = try since(options)
        let conversation = try StandConversation(options, output)
        let status = try conversation.ask(.get, "status")
        guard status.isSuccess, let present = status.json?["sequence"]?.whole else {
            throw CommandFailure(.unavailable, "what answers there is no stand")
        }
        let follower = Following(
            socket: try options.value("--socket") ?? StandServer.standardSocket,
            after: since ?? UInt64(clamping: present), only: only, format: format)
        return try follower.run(output)
    }

    private static func since(_ options: Options) throws(CommandFailure) -> UInt64? {
        guard let text = try options.value("--since") else { return nil }
        guard let number = UInt64(text) else {
            throw CommandFailure(.usage, "--since must be the number of an event, or 0, found \"\(text)\"")
        }
        return number
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
    let format: Format

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
                output.warn("the stand has not kept the events \(after + 1) to \(first - 1); going on with \(first)")
            case .otherStand(let after, let first):
                output.warn(
                    "the stand has not come to event \(after): it is another one; going on with its event \(first)")
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
        switch format {
        case .json: return String(decoding: line, as: UTF8.self)
        case .text: return LedgerEvent(line)?.logLine
        }
    }
}
