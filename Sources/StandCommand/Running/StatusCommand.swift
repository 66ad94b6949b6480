import JuiceStand
import Platform
import StandClient
import TerminalView
import Terms
import TextFormats

/// `juicestand status`: the state of a running stand, its socket and its page.
enum StatusCommand {
    static let command = Command("status", [InstantOption.at] + StandSession.readOptions, run: run)

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        let running = options.has(ServiceOptions.socket) || options.has(InstantOption.at) ? [] : StandRegistry.entries
        if running.count > 1 { return try list(running, options[Format.option], output) }
        let session = try StandSession(options, output, words: .user)
        let answer = try session.request(.get, "status" + InstantOption.query(options))
        guard let status = answer.document(StatusDocument.self), case .object(let members)? = answer.json else {
            throw session.failure(answer)
        }
        let json = JSONValue.object(members + [.init(key: "socket", value: .string("\(session.target)"))])
        let now = options.has(InstantOption.at) ? try session.get("status", StatusDocument.self) : status
        let clock = (now ?? StatusDocument()).clock
        session.print(json, lines(status, clock, "\(session.target)", try session.names()))
        return .done
    }

    /// Prints the stands that run: name, phase, time and socket.
    private static func list(
        _ running: [StandRegistry.Entry], _ format: Format, _ output: Output
    ) throws(CommandFailure) -> ExitStatus {
        let targets = StandTargets(running.map { .socket(path: $0.socket) })
        var follower = StandsFollower(targets, .status(every: 60_000), stop: StopSignal())
        defer { follower.close() }
        var found: [StandTarget: StatusDocument?] = [:]
        // The timeout in nanoseconds; shorter for many stands, of which the last one holds up all the others.
        let timeout: UInt64 = running.count > 100 ? 700_000_000 : 2_000_000_000
        let begun = monotonicNanoseconds()
        while found.count < running.count, monotonicNanoseconds() - begun < timeout,
            follower.advance(
                within: 100,
                { stand, news in
                    switch news {
                    case .status(let status): found[stand.target] = status
                    case .away: found[stand.target] = .some(nil)
                    default: break
                    }
                })
        {}
        let stands = running.map { ($0, found[.socket(path: $0.socket)] ?? nil) }
        switch format {
        case .json:
            let list = stands.map { entry, status -> JSONValue in
                [
                    "stand": .string(entry.stand), "phase": .orNull(status?.phase),
                    "time": .orNull(status?.time), "speed": .orNull(status?.speed),
                    "socket": .string(entry.socket), "url": .orNull(entry.url),
                ]
            }
            output.print(JSONValue.object([.init(key: "stands", value: .array(list))]).compact() + "\n")
        case .text:
            let rows = stands.map { entry, status in
                [
                    entry.stand, status.map { phase($0.phase) } ?? Words.user(.statusSilent),
                    status?.clock.present ?? "", entry.socket,
                ].map(\.visible)
            }
            output.print(Words.user(.statusMany, "\(running.count)") + "\n")
            output.print(Columns.table(rows, texts: 4))
        }
        return .done
    }

    /// - Parameter names: Names of fruits in the user's language.
    private static func lines(
        _ status: StatusDocument, _ clock: StandClock, _ socket: String, _ names: [String: String]
    ) -> [String] {
        let words = Words.user
        let reasons = LossReason.allCases.map { "\(words($0)) \(Columns.grouped(status.lost[$0.name] ?? 0))" }
        let busy = status.busyMakers
        let atWork =
            status.makers.map { words(.statusMakers, Columns.grouped($0), Columns.grouped(busy)) }
            ?? words.counted(busy, .statusBusy)
        let behind = status.isBehind ? words(.statusBehind, words.longSpan(status.behind?.seconds ?? 0)) : ""
        return [
            words(
                .statusHead, status.stand, phase(status.phase), clock.text(seconds: status.time),
                Columns.readable(status.speed ?? 1), behind, Columns.readable(status.rate)),
            words(
                .statusOrders, Columns.grouped(status.orders), Columns.grouped(status.served),
                Columns.grouped(status.present), Columns.grouped(status.lostInAll), reasons.joined(separator: ", ")),
            words(
                .statusQueue, Columns.grouped(status.queue), atWork, Columns.grouped(status.lowStockAlerts),
                Columns.grouped(Int(clamping: status.sequence))),
            words(.statusSocket, socket),
        ] + (status.url.map { [words(.statusPage, $0)] } ?? []) + forecast(status, clock, names)
            + (status.causes ?? []).map { words(.notReadyBecause, words.detail($0, or: .notSaving)) }
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
    private static func forecast(
        _ status: StatusDocument, _ clock: StandClock, _ names: [String: String]
    ) -> [String] {
        guard let forecast = status.forecast else { return [] }
        let words = Words.user
        func time(_ seconds: Double?) -> String { clock.text(seconds: seconds ?? 0) }
        let parts = forecast.fruits.members.filter { $0.value.probability >= 0.5 }.map { fruit in
            let at = fruit.value
            return words(.statusShort, names[fruit.name] ?? fruit.name, time(at.p50), time(at.p05), time(at.p95))
        }
        return [
            words(
                .statusForecast, time(forecast.horizon), words.longSpan(max(0, status.time - forecast.at)),
                parts.isEmpty ? words(.statusLasts) : parts.joined(separator: ", "))
        ]
    }
}
