import Dispatch
import JuiceStand
import Platform
import StandClient
import StandService
import TerminalView
import TextFormats

/// `juicestand watch`: follows a running stand.
enum WatchCommand {
    private static let stands = Option(
        "--stands", "FILE", .text, "follows the stands of a list for Prometheus (file_sd), and reads it again")
    private static let all = Option("--all", "follows all running stands of this user")
    private static let listen = Option("--listen", "ADDRESS:PORT", .text, "serves a page with all stands")
    private static let format = Option(
        "--format", "text|json|live", .choice(WatchFormat.self), without: "live on a terminal, else text",
        "output format")
    private static let only = Option("--only", "NAME,…", .events, "prints only these events (text and json)")
    private static let since = Option(
        "--since", "SEQ", .whole(0...Int.max),
        "starts after this event number; 0 prints all (text and json; several stands: only 0; default: the next "
            + "event)")

    static let command = Command("watch", [ServiceOptions.socket, stands, all, listen, format, only, since, InstantOption.at], run: run)

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try ThreadReserve.check()
        let targets = try targets(options)
        if options.has(InstantOption.at) { return try look(back: targets, options, output) }
        if let listen = options[listen] { return try serve(targets, at: listen, options, output) }
        let format = options[format] ?? (TerminalAbilities.obstacle == nil ? .live : .text)
        let only = options[only]
        let since = options[since].map { UInt64($0) }
        if format == .live {
            if let obstacle = TerminalAbilities.obstacle {
                throw CommandFailure(.usage, "--format live can't run: \(obstacle); use --format text or json")
            }
            guard only == nil, since == nil else {
                throw CommandFailure(.usage, "--only and --since need --format text or json")
            }
        }
        guard let target = targets.single else {
            guard since ?? 0 == 0 else {
                throw CommandFailure(
                    .usage, "--since takes only 0 with several stands: each counts its own events")
            }
            let many = try many(targets)
            if format == .live { return try LiveWatch.run(many) }
            return try EventPrinter(after: since, only: only, isJSON: format == .json)
                .run(many, hasNames: true, output)
        }
        let last = try present(target, options, output).sequence
        if format == .live { return try LiveWatch.run(target, last: last, output) }
        return try EventPrinter(after: since ?? last, only: only, isJSON: format == .json)
            .run(StandTargets([target]), hasNames: false, output)
    }

    /// Prints the display as it was at an instant that has passed.
    private static func look(
        back targets: Targets, _ options: Options, _ output: Output
    ) throws(CommandFailure) -> ExitStatus {
        for option: any CommandOption in [listen, format, only, since] where options.has(option) {
            throw CommandFailure(.usage, "--at prints the display once, and takes no \(option.name)")
        }
        guard let target = targets.single else {
            throw CommandFailure(.usage, "--at shows one stand, and takes no second TARGET, --stands or --all")
        }
        let present = try present(target, options, output)
        let session = try StandSession(options, output, format: .text, target: target, words: .user)
        let answer = try session.request(.get, "status" + InstantOption.query(options))
        guard let instant = answer.document(StatusDocument.self) else { throw session.failure(answer) }
        let stock = try session.request(.get, "stock").document(StockDocument.self) ?? StockDocument()
        let menu = try session.request(.get, "menu").document(MenuDocument.self) ?? MenuDocument()
        let rows = LiveTerminal.rows(showing: instant, present: present, stock: stock, menu: menu)
        output.print(rows.map { $0.reversed().drop { $0 == " " }.reversed() + "\n" }.joined())
        return .done
    }

    /// Serves the page of all stands until a signal ends it.
    private static func serve(
        _ targets: Targets, at text: String, _ options: Options, _ output: Output
    ) throws(CommandFailure) -> ExitStatus {
        for option: any CommandOption in [format, only, since] where options.has(option) {
            throw CommandFailure(.usage, "--listen serves a page, and takes no \(option.name)")
        }
        let address = try ServiceOptions.address(text, orElse: "")
        let isOver = DispatchSemaphore(value: 0)
        let watch = SignalWatch(SignalWatch.ending, on: .global()) { _ in isOver.signal() }
        defer { withExtendedLifetime(watch) {} }
        let many = try many(targets)
        let server: ChainServer
        do { server = try ChainServer(many, at: address) } catch { throw CommandFailure(.cannotCreate, error) }
        output.print("page http://\(server.address)/\n")
        output.stopWaiting()
        isOver.wait()
        server.stop()
        return .done
    }

    private static func many(_ targets: Targets) throws(CommandFailure) -> StandTargets {
        let many: StandTargets
        do { many = try targets.all() } catch { throw CommandFailure(error) }
        guard !targets.named.isEmpty || targets.file != nil || !many.targets.isEmpty else {
            throw CommandFailure(.unavailable, "no stand is running; start one with juicestand run")
        }
        return many
    }

    /// What the command line names.
    private struct Targets {
        var named: [StandTarget]
        var file: String?
        var takesAll: Bool

        /// nil if it may be several.
        var single: StandTarget? { named.count == 1 && file == nil && !takesAll ? named[0] : nil }

        func all() throws(StandTargets.Problem) -> StandTargets {
            try StandTargets(named: named, file: file, takesAll: takesAll)
        }
    }

    private static func targets(_ options: Options) throws(CommandFailure) -> Targets {
        let socket = options[ServiceOptions.socket]
        var named: [StandTarget] = []
        for text in options.operands + (socket.map { [$0] } ?? []) {
            guard let target = StandTarget(text) else {
                throw CommandFailure(
                    .usage, "TARGET must be the path of a socket or http://HOST:PORT, found \"\(text)\"")
            }
            if !named.contains(target) { named.append(target) }
        }
        let (file, takesAll) = (options[stands], options[all])
        if named.isEmpty, file == nil, !takesAll { named = [.socket(path: StandSocket.standardPath)] }
        return Targets(named: named, file: file, takesAll: takesAll)
    }

    private enum WatchFormat: String, CaseIterable {
        case text
        case json
        case live
    }

    /// The status of a stand now.
    private static func present(
        _ target: StandTarget, _ options: Options, _ output: Output
    ) throws(CommandFailure) -> StatusDocument {
        let status = try StandSession(options, output, format: .text, target: target).request(.get, "status")
        if status.json?["stands"]?.whole != nil {
            throw CommandFailure(.unavailable, "\(target) watches many stands; name those, or open its page")
        }
        guard status.json?["sequence"]?.count != nil, let document = status.document(StatusDocument.self) else {
            throw CommandFailure(.unavailable, "the server at \(target) is not a stand")
        }
        return document
    }
}

extension OptionForm where Value == Set<String> {
    /// The names of the events that names and groups select.
    fileprivate static var events: OptionForm {
        OptionForm { option, text throws(CommandFailure) in
            var names: Set<String> = []
            for name in text.commaSeparated {
                guard let events = LedgerEvent.events(named: name) else {
                    let known = LedgerEvent.groups.map(\.key) + LedgerEvent.names
                    throw CommandFailure(
                        .usage,
                        "\(option): unknown event \"\(name)\"\(hint(name, among: known)) (see juicestand watch --help)")
                }
                names.formUnion(events)
            }
            return names
        }
    }
}

/// Shows a live display until the user quits or the stand closes.
private enum LiveWatch {
    /// Shows one stand.
    ///
    /// - Parameter last: The number of its last event.
    static func run(_ target: StandTarget, last: UInt64, _ output: Output) throws(CommandFailure) -> ExitStatus {
        let stand = RemoteStand(target, after: last - min(last, RemoteStand.history))
        try run { LiveTerminal(stand, to: $0, whenQuit: $1) }
        if stand.hasClosed { output.print("The stand has closed.\n") }
        return .done
    }

    /// Shows the table of many stands.
    static func run(_ targets: StandTargets) throws(CommandFailure) -> ExitStatus {
        try run { LiveTerminal(ChainSource(targets), to: $0, whenQuit: $1) }
        return .done
    }

    private static func run(
        _ make: (FileLineSink, @escaping @Sendable () -> Void) -> LiveTerminal
    ) throws(CommandFailure) {
        let isOver = DispatchSemaphore(value: 0)
        let sink = FileLineSink(descriptor: 1, name: "standard output") { _ in isOver.signal() }
        let live = make(sink) { isOver.signal() }
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
    }
}
