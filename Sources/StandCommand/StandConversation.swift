import HTTPServer
import JuiceStand
import StandService
import TerminalView
import TextFormats

/// How a command talks to a running stand, and what it makes of the answer.
struct StandConversation {
    private let client: StandClient
    private let socket: String
    private let format: Format
    private let output: Output
    /// By which the stand knows a change again, so that one whose answer was lost can be asked for again.
    private let key: String
    /// Further fields of every request that changes something.
    private var fields: [(name: String, value: String)] = []

    /// The options of every command that asks.
    static let asking = [ServiceOptions.socket, Format.option]
    /// The options of every command that changes.
    static let changing =
        [
            Option(
                "--key", "KEY",
                "an idempotency key: the same command with it again changes nothing (default: a new one)")
        ] + asking

    /// - Parameter format: nil is what the options say.
    init(_ options: Options, _ output: Output, format: Format? = nil) throws(CommandFailure) {
        socket = try options.value("--socket") ?? StandServer.standardSocket
        client = StandClient(path: socket)
        if let format { self.format = format } else { self.format = try options.choice("--format", default: .text) }
        self.output = output
        key = try options.value("--key") ?? Self.newKey()
        guard key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !key.isEmpty else {
            throw CommandFailure(.usage, "--key must be of letters, digits and signs of ASCII, found \"\(key)\"")
        }
    }

    /// 128 random bits.
    private static func newKey() -> String {
        var generator = SystemRandomNumberGenerator()
        return [generator.next() as UInt64, generator.next()].map { String($0, radix: 16) }.joined(separator: "-")
    }

    /// With one more field.
    func with(_ name: String, _ value: String) -> StandConversation {
        var conversation = self
        conversation.fields.append((name, value))
        return conversation
    }

    /// The stand's answer, whatever it is.
    ///
    /// - Throws: exit status 69 where no stand is there, 74 where one does not answer.
    func ask(
        _ method: HTTPMethod, _ path: String, _ content: JSONValue? = nil
    ) throws(CommandFailure) -> StandClient.Answer {
        let fields = method.isSafe ? [] : [(name: "Idempotency-Key", value: key)] + self.fields
        do {
            return try client.send(method, "/api/v1/" + path, fields: fields, content: content)
        } catch {
            switch error {
            case .unreachable(let path, let reason):
                throw CommandFailure(.unavailable, "\(path): no stand can be reached there: \(reason)")
            case .unanswered(let path, let reason):
                let advice =
                    method.isSafe
                    ? "" : "; it may have done as it was asked: the same command with --key \(key) does it once at most"
                throw CommandFailure(.inputOutput, "\(path): \(reason)\(advice)")
            }
        }
    }

    /// Prints the answer: as it came, or what `text` makes of it.
    ///
    /// - Throws: what the stand had against it, with an exit status that says whose turn it is.
    func show(
        _ answer: StandClient.Answer, _ text: (JSONValue) -> [String]
    ) throws(CommandFailure) -> ExitStatus {
        guard answer.isSuccess, let json = answer.json else { throw Self.failure(answer) }
        show(json, text(json))
        return .done
    }

    /// Prints a document, or lines for people.
    func show(_ json: JSONValue, _ lines: [String]) {
        switch format {
        case .json: output.print(json.compact() + "\n")
        case .text: output.print(lines.map { $0 + "\n" }.joined())
        }
    }

    private static func failure(_ answer: StandClient.Answer) -> CommandFailure {
        let problems = answer.json?["problems"]?.elements.compactMap(\.text) ?? []
        let detail = answer.json?["detail"]?.text ?? "the stand answered with status \(answer.status)"
        let status: ExitStatus =
            switch answer.status {
            case 422: problems.isEmpty ? .usage : .badConfiguration
            case 400, 415: .usage
            case 409, 412: .failed
            case 503: .inputOutput
            default: .unavailable
            }
        return CommandFailure(status, messages: problems.isEmpty ? [detail] : problems)
    }
}
