import HTTPServer
import JuiceStand
import Platform
import StandService
import TextFormats

/// The options about where a running stand is reached, and what `run` says of it.
enum ServiceOptions {
    static let listen = Option(
        "--listen", "ADDRESS:PORT|off",
        "where HTTP is served (default: \(NetworkAddress.standard), a free port where that is taken)")

    static let socket = Option("--socket", "PATH", "the stand's Unix socket (default: \(StandServer.standardSocket))")

    static let comparison = Option(
        "--comparison", "FILE", "what `juicestand compare --format json` printed, to be shown on the page")

    /// Opens the doors that the options describe.
    static func server(_ options: Options, state: String?) throws(CommandFailure) -> StandServer {
        var wanted = StandServer.Options(
            socket: try options.value("--socket"), stateFolder: state,
            comparison: try readComparison(options))
        switch try options.value("--listen") {
        case nil: break
        case "off": wanted.listen = .off
        case let text?:
            guard let address = NetworkAddress(text) else {
                throw CommandFailure(
                    .usage,
                    "--listen must be an ADDRESS:PORT such as 127.0.0.1:8787 or [::1]:0, or off, found \"\(text)\"")
            }
            wanted.listen = .address(address)
        }
        do { return try StandServer(wanted) } catch {
            throw CommandFailure(.cannotCreate, "\(error.path): \(error.reason)")
        }
    }

    private static func readComparison(_ options: Options) throws(CommandFailure) -> [UInt8]? {
        guard let path = try options.value("--comparison") else { return nil }
        let bytes: [UInt8]
        do { bytes = try readFile(path) } catch {
            throw CommandFailure(.noInput, "\(error.path): \(error.reason)")
        }
        guard case .object(let members) = JSON5Parser.parse(bytes, source: path).root?.value,
            case .string(schema) = members.first(where: { $0.key == "schema" })?.node.value
        else {
            throw CommandFailure(
                .badInput, "\(path): must be what juicestand compare --format json prints, of schema \(schema)")
        }
        return bytes
    }

    private static let schema = "juicestand.comparison/1"

    /// The link to the stand's page with its token, where standard output is a terminal: that shows it to its user
    /// alone, whereas all else is kept by somebody. nil where there is none.
    static func link(_ server: StandServer) -> String? {
        guard RunningStand.isOnTerminal, let address = server.address else { return nil }
        return "http://\(address)/#token=\(server.token.text)"
    }

    /// The line of the log that says where a stand is reached, and where its token is.
    static func logLine(_ server: StandServer, at time: SimulationTime, _ format: Format) -> String {
        var line: [JSONValue.Member] = [
            .init(key: "time", value: .string(WallClock.now())), .init(key: "level", value: "info"),
            .init(key: "at", value: .number(time.seconds)), .init(key: "event", value: "listening"),
            .init(key: "socket", value: .string(server.socket)),
        ]
        if let address = server.address { line.append(.init(key: "url", value: .string("http://\(address)/"))) }
        if let file = server.tokenFile { line.append(.init(key: "tokenFile", value: .string(file))) }
        switch format {
        case .json: return JSONValue.object(line).compact() + "\n"
        case .text:
            let words = ["time", "level", "event"]
            let fields = line.map { member in
                if case .string(let word) = member.value, words.contains(member.key) { return "\(member.key)=\(word)" }
                return "\(member.key)=\(member.value.compact())"
            }
            return fields.joined(separator: " ") + "\n"
        }
    }
}
