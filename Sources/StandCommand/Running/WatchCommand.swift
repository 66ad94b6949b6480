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

    static let command = Command(
        "watch", [ServiceOptions.socket, stands, all, listen, format, only, since, InstantOption.at], run: run)

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try ThreadReserve.check()
        let named = try namedTargets(options)
        if options.has(InstantOption.at) { return try look(back: named, options, output) }
        if let listen = options[listen] { return try serve(named, at: listen, options, output) }
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
        guard isSingle(named, options) else {
            guard since ?? 0 == 0 else {
                throw CommandFailure(.usage, "--since takes only 0 with several stands: each counts its own events")
            }
            let many = try targets(named, options)
            guard format == .live else {
                return try EventPrinter(after: since, only: only, isJSON: format == .json)
                    .run(many, hasNames: true, output)
            }
            showLive { LiveTerminal(StandsSource(many), to: $0, whenQuit: $1) }
            return .done
        }
        let last = try present(named[0], options, output).sequence
        guard format == .live else {
            return try EventPrinter(after: since ?? last, only: only, isJSON: format == .json)
                .run(StandTargets(named), hasNames: false, output)
        }
        let stand = RemoteStand(named[0], after: last - min(last, RemoteStand.history))
        showLive { LiveTerminal(stand, to: $0, whenQuit: $1) }
        if stand.hasClosed { output.print("The stand has closed.\n") }
        return .done
    }

    /// Whether the command line names one stand and no list.
    private static func isSingle(_ named: [StandTarget], _ options: Options) -> Bool {
        named.count == 1 && options[stands] == nil && !options[all]
    }

    /// Prints the display as it was at an instant that has passed.
    private static func look(
        back named: [StandTarget], _ options: Options, _ output: Output
    ) throws(CommandFailure) -> ExitStatus {
        for option: any CommandOption in [listen, format, only, since] where options.has(option) {
            throw CommandFailure(.usage, "--at prints the display once, and takes no \(option.name)")
        }
        guard isSingle(named, options) else {
            throw CommandFailure(.usage, "--at shows one stand, and takes no second TARGET, --stands or --all")
        }
        let present = try present(named[0], options, output)
        let session = try StandSession(options, output, format: .text, target: named[0], words: .user)
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
        _ named: [StandTarget], at text: String, _ options: Options, _ output: Output
    ) throws(CommandFailure) -> ExitStatus {
        for option: any CommandOption in [format, only, since] where options.has(option) {
            throw CommandFailure(.usage, "--listen serves a page, and takes no \(option.name)")
        }
        let address = try ServiceOptions.address(text, orElse: "")
        let isOver = DispatchSemaphore(value: 0)
        let handler = SignalHandler(SignalHandler.ending, on: .global()) { _ in isOver.signal() }
        defer { withExtendedLifetime(handler) {} }
        let many = try targets(named, options)
        let server: StandsServer
        do { server = try StandsServer(many, at: address) } catch { throw CommandFailure(.cannotCreate, error) }
        output.print("page http://\(server.address)/\n")
        output.stopWaiting()
        isOver.wait()
        server.stop()
        return .done
    }

    /// The stands that the command line names, and those of `--stands` and `--all`.
    private static func targets(
        _ named: [StandTarget], _ options: Options
    ) throws(CommandFailure) -> StandTargets {
        let file = options[stands]
        let targets: StandTargets
        do { targets = try StandTargets(named: named, file: file, takesAll: options[all]) } catch {
            throw CommandFailure(error)
        }
        guard !named.isEmpty || file != nil || !targets.targets.isEmpty else {
            throw CommandFailure(.unavailable, "no stand is running; start one with juicestand run")
        }
        return targets
    }

    /// The stands that the command line names, each once; the standard one if it names none.
    private static func namedTargets(_ options: Options) throws(CommandFailure) -> [StandTarget] {
        var named: [StandTarget] = []
        for text in options.operands + [options[ServiceOptions.socket]].compactMap({ $0 }) {
            guard let target = StandTarget(text) else {
                throw CommandFailure(
                    .usage, "TARGET must be the path of a socket or http://HOST:PORT, found \"\(text)\"")
            }
            if !named.contains(target) { named.append(target) }
        }
        let namesNone = named.isEmpty && options[stands] == nil && !options[all]
        return namesNone ? [.socket(path: StandSocket.standardPath)] : named
    }

    private enum WatchFormat: String, CaseIterable {
        case text
        case json
        case live
    }

    /// Shows a live display until the user quits or the stand closes.
    private static func showLive(
        _ make: (FileLineSink, @escaping @Sendable () -> Void) -> LiveTerminal
    ) {
        let isOver = DispatchSemaphore(value: 0)
        let sink = FileLineSink(descriptor: 1, name: "standard output") { _ in isOver.signal() }
        let live = make(sink) { isOver.signal() }
        let signals = SignalHandler.ending + [SignalHandler.reopening] + live.signals
        let handler = SignalHandler(signals, on: .global()) { signal in
            // Signals for a stand must not end the display and leave the terminal in raw mode.
            if signal == SignalHandler.reopening || live.hear(signal) { return }
            sink.end()
            isOver.signal()
        }
        defer { withExtendedLifetime(handler) {} }
        live.begin()
        isOver.wait()
        live.end()
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
