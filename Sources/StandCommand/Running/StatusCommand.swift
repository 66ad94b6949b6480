import JuiceStand
import Platform
import StandService
import TerminalView
import Terms
import TextFormats

/// `juicestand status`: the state of a running stand, its socket and its page.
enum StatusCommand: Command {
    static let name = "status"
    static let summary = "prints the state of a running stand, its socket and its page"
    static let discussion = "Without --socket it lists the stands of this user, if more than one is running."
    static let options = [InstantOption.at] + StandSession.readOptions
    static let examples = [
        Example("juicestand status", "orders, losses, queue and makers"),
        Example("juicestand status --at 12:30", "the same as it was at 12:30"),
        Example("juicestand status --format json | jq .served", "one figure for a script"),
        Example("juicestand status --format json | jq -r .socket", "the socket, for curl --unix-socket"),
        Example("juicestand status --format json | jq -r .url", "the address of the page"),
    ]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try options.refuseOperands()
        let running = options.has(ServiceOptions.socket) || options.has(InstantOption.at) ? [] : StandRegistry.entries
        if running.count > 1 { return try list(running, options[Format.option], output) }
        let session = try StandSession(options, output, words: .user)
        let answer = try session.request(.get, "status" + InstantOption.query(options))
        guard answer.isSuccess, case .object(let members)? = answer.json else {
            throw session.failure(answer)
        }
        let status = JSONValue.object(members + [.init(key: "socket", value: .string("\(session.target)"))])
        let clock = options.has(InstantOption.at) ? try session.clock() : StandClock(status: status)
        session.print(status, lines(status, clock, try session.names()))
        return .done
    }

    /// Nanoseconds that all stands have together to answer for the list. Nobody waits long for the last of many.
    private static func patience(_ count: Int) -> UInt64 { count > 100 ? 700_000_000 : 2_000_000_000 }

    /// Prints the stands that run: name, phase, time and socket.
    private static func list(
        _ running: [StandRegistry.Entry], _ format: Format, _ output: Output
    ) throws(CommandFailure) -> ExitStatus {
        let targets = StandTargets(running.map { .socket(path: $0.socket) })
        var follower = StandsFollower(targets, .status(every: 60_000), stop: StopSignal())
        defer { follower.close() }
        var found: [StandTarget: JSONValue] = [:]
        let begun = monotonicNanoseconds()
        while found.count < running.count, monotonicNanoseconds() - begun < patience(running.count),
            follower.advance(
                within: 100,
                { stand, news in
                    switch news {
                    case .status(let status): found[stand.target] = status
                    case .away: found[stand.target] = .null
                    default: break
                    }
                })
        {}
        let stands = running.map { ($0, found[.socket(path: $0.socket)]) }
        switch format {
        case .json:
            let list = stands.map { entry, status -> JSONValue in
                [
                    "stand": .string(entry.stand), "phase": .orNull(status?["phase"]?.text),
                    "time": .orNull(status?["time"]?.seconds), "speed": .orNull(status?["speed"]?.seconds),
                    "socket": .string(entry.socket), "url": .orNull(entry.url),
                ]
            }
            output.print(JSONValue.object([.init(key: "stands", value: .array(list))]).compact() + "\n")
        case .text:
            let rows = stands.map { entry, status in
                let phase = status?["phase"]?.text
                return [
                    entry.stand, phase.map { self.phase($0) } ?? Words.user(.statusSilent),
                    phase == nil ? "" : StandClock(status: status).present,
                    entry.socket,
                ].map(\.visible)
            }
            output.print(Words.user(.statusMany, "\(running.count)") + "\n")
            output.print(Columns.table(rows, texts: 4))
        }
        return .done
    }

    /// - Parameter names: Names of fruits in the user's language.
    private static func lines(_ status: JSONValue, _ clock: StandClock, _ names: [String: String]) -> [String] {
        func count(_ key: String) -> String { Columns.grouped(status[key]?.count ?? 0) }
        func lost(_ key: String) -> Int { status["lost"]?[key]?.count ?? 0 }
        func factor(_ key: String) -> String { Columns.readable(status[key]?.seconds ?? 1) }
        let words = Words.user
        let reasons = LossReason.allCases.map { (words($0), lost($0.name)) }
        let lostInAll = Columns.grouped(Figures.sum(reasons.map(\.1)))
        let busy = status["busyMakers"]?.count ?? 0
        let atWork =
            status["busyMakers"] == nil
            ? words.counted(status["making"]?.elements.count ?? 0, .statusMaking)
            : status["makers"]?.count.map { words(.statusMakers, Columns.grouped($0), Columns.grouped(busy)) }
                ?? words.counted(busy, .statusBusy)
        let behind = status["behind"]?["seconds"]?.seconds ?? 0
        let isBehind = behind > (status["speed"]?.seconds ?? 1) / 2
        let causes = status["causes"]?.elements.compactMap(\.text) ?? []
        return [
            words(
                .statusHead, status["stand"]?.text ?? "", phase(status["phase"]?.text ?? ""),
                clock.text(seconds: status["time"]?.seconds ?? 0), factor("speed"),
                isBehind ? words(.statusBehind, words.longSpan(behind)) : "", factor("rate")),
            words(
                .statusOrders, count("orders"), count("served"), count("present"), lostInAll,
                reasons.map { "\($0) \(Columns.grouped($1))" }.joined(separator: ", ")),
            words(.statusQueue, count("queue"), atWork, count("lowStockAlerts"), count("sequence")),
            words(.statusSocket, status["socket"]?.text ?? ""),
        ] + (status["url"]?.text.map { [words(.statusPage, $0)] } ?? []) + forecast(status, clock, names)
            + causes.map { words(.notReadyBecause, words.detail($0, or: .notSaving)) }
    }

    /// The phase in the user's language; one that this program does not know stays as it is.
    private static func phase(_ name: String) -> String {
        switch name {
        case "open": Words.user(.open)
        case "paused": Words.user(.paused)
        case "closed": Words.user(.closed)
        default: name
        }
    }

    /// A line on what becomes short, if the stand keeps forecasting.
    private static func forecast(_ status: JSONValue, _ clock: StandClock, _ names: [String: String]) -> [String] {
        guard let forecast = status["forecast"], let horizon = forecast["horizon"]?.seconds else { return [] }
        let age = (status["time"]?.seconds ?? 0) - (forecast["at"]?.seconds ?? 0)
        func time(_ key: String, _ fruit: JSONValue) -> String { clock.text(seconds: fruit[key]?.seconds ?? 0) }
        let short = (forecast["fruits"]?.members ?? []).filter { ($0.value["probability"]?.seconds ?? 0) >= 0.5 }
        let words = Words.user
        let parts = short.map { fruit in
            words(
                .statusShort, names[fruit.key] ?? fruit.key, time("p50", fruit.value), time("p05", fruit.value),
                time("p95", fruit.value))
        }
        return [
            words(
                .statusForecast, clock.text(seconds: horizon), words.longSpan(max(0, age)),
                parts.isEmpty ? words(.statusLasts) : parts.joined(separator: ", "))
        ]
    }
}
