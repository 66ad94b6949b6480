import JuiceStand
import Platform
import TextFormats

/// `juicestand wiring`: the posters and the observers of each fact.
enum WiringCommand {
    private static let socket = Option(
        "--socket", "PATH", .text, "measures the running stand at this Unix socket; status prints its path")
    private static let length = Option(
        "--for", "D", .duration, "stand time to simulate (default: 1h); with --socket, wall time (default: 1s)")
    private static let format = Option(
        "--format", "text|mermaid|json", .choice(Format.self), default: "text", "output format; mermaid is a graph")

    static let command = Command(
        "wiring", StandOptions.configuration + [StandOptions.seed, StandOptions.wiringName, socket, length, format],
        run: run)

    private enum Format: String, CaseIterable {
        case text
        case mermaid
        case json
    }

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        let json = options.has(socket) ? try measured(options, output) : try simulated(options, output)
        let drawing = WiringDrawing(json)
        switch options[format] {
        case .text: output.print(drawing.text())
        case .mermaid: output.print(drawing.mermaid)
        case .json: output.print(json.pretty() + "\n")
        }
        return .done
    }

    private static func measured(_ options: Options, _ output: Output) throws(CommandFailure) -> JSONValue {
        for option in StandOptions.configuration + [StandOptions.seed, StandOptions.wiringName]
        where options.has(option) {
            throw CommandFailure(
                .usage, "--socket measures a stand that is running; it cannot be used with \(option.name)")
        }
        let span = options[length] ?? SimulationTime(seconds: 1)
        let session = try StandSession(options, output, format: .json, timeout: 90)
        let answer = try session.request(.get, "wiring?for=\(span.seconds)")
        guard answer.isSuccess, let json = answer.json else { throw StandSession.failure(answer) }
        return json
    }

    private static func simulated(_ options: Options, _ output: Output) throws(CommandFailure) -> JSONValue {
        let options = try StandOptions(options, output)
        let settings = options.settings
        let wiring = options.wiring.makeWiring()
        let sink = Nowhere()
        let observers = StandObservers(
            loggers: [.text(settings.clock(at: .zero)), .ledger].map {
                StandLogger($0, menu: settings.menu, sink: sink)
            })
        observers.connect(to: wiring)
        var stand = Stand(settings)
        let times = DeliveryTimes(wiring)
        times.begin(wiring, announced: 0)
        VirtualDriver(horizon: options.horizon ?? SimulationTime(seconds: 3600)).run(&stand, wiring)
        let map = times.end(wiring, observers.all, announced: stand.factsAnnounced)
        return map.json(
            of: settings.stand, options.wiring, over: stand.now.seconds, of: .stand, price: DeliveryTimes.price())
    }

    /// Takes lines and keeps none.
    private final class Nowhere: LineSink {
        func write(_ lines: RawSpan) {}
    }
}
