import HTTPServer
import JuiceStand
import StandClient
import TerminalView
import Terms
import TextFormats

/// A command's requests to a running stand: sends them and prints the answers.
struct StandSession {
    private let client: StandClient
    /// The socket of the stand, or its address.
    let target: StandTarget
    private let format: Format
    private let output: Output
    /// The language in which the command speaks of ordering and stock.
    private let words: Words
    /// The idempotency key: a change whose answer was lost can be sent again without being made twice.
    private let key: String

    /// Options of the commands that read.
    static let readOptions: [any CommandOption] = [ServiceOptions.socket, Format.option]
    /// Options of the commands that change the stand.
    static let changeOptions = [idempotencyKey] + readOptions
    private static let idempotencyKey = Option(
        "--key", "KEY",
        .reading("must be printable ASCII without spaces") { key in
            key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? key : nil
        }, without: "a new key",
        "idempotency key: the stand makes a change with the same key only once")

    /// - Parameters:
    ///   - format: Overrides `--format`.
    ///   - target: Overrides `--socket`.
    ///   - words: The phrases of the user's language, if the command speaks of ordering and stock.
    ///   - timeout: Seconds until a request without an answer fails.
    init(
        _ options: Options, _ output: Output, format: Format? = nil, target: StandTarget? = nil, timeout: Int = 30,
        words: Words = .english
    ) throws(CommandFailure) {
        let socket = options[ServiceOptions.socket] ?? StandSocket.standardPath
        self.target = target ?? .socket(path: socket)
        client = StandClient(self.target, timeout: timeout)
        self.format = format ?? options[Format.option]
        self.output = output
        self.words = words
        key = options[Self.idempotencyKey] ?? Self.newKey()
    }

    /// A key of 128 random bits.
    private static func newKey() -> String {
        var generator = SystemRandomNumberGenerator()
        return [generator.next() as UInt64, generator.next()].map { String($0, radix: 16) }.joined(separator: "-")
    }

    /// Sends a request and returns the answer, also an error answer.
    ///
    /// - Parameters:
    ///   - fields: Further header fields of a request that changes the stand.
    ///   - isChange: Whether it may change the stand; nil judges by the method.
    /// - Throws: exit status 69 if no stand listens on the socket, 74 if the stand does not answer.
    func request(
        _ method: HTTPMethod, _ path: String, _ content: JSONValue? = nil,
        fields: [(name: String, value: String)] = [], isChange: Bool? = nil
    ) throws(CommandFailure) -> StandClient.Answer {
        let isChange = isChange ?? !method.isSafe
        let fields = isChange ? [(name: "Idempotency-Key", value: key)] + fields : []
        do {
            return try client.send(method, "/api/v1/" + path, fields: fields, content: content)
        } catch {
            switch error {
            case .unreachable(let path, let reason):
                guard reason == StandClient.noListener else {
                    throw CommandFailure(.unavailable, "cannot reach the stand at \(path): \(reason)")
                }
                let other = path == StandSocket.standardPath ? StandRegistry.entries.first : nil
                let advice =
                    other.map { "another one is: add --socket \($0.socket)" } ?? "start one with juicestand run"
                throw CommandFailure(.unavailable, "no stand is running at \(path); \(advice)")
            case .unanswered(let path, let reason):
                let advice =
                    isChange
                    ? "; the change may have been made: repeat the command with --key \(key) to make it at most once"
                    : ""
                throw CommandFailure(.inputOutput, "\(reason) (\(path))\(advice)")
            }
        }
    }

    /// The document at `path`; nil if the stand does not give it, as when it is closing.
    func get<Content: Document>(_ path: String, _ type: Content.Type) throws(CommandFailure) -> Content? {
        try request(.get, path).document(type)
    }

    /// Prints a successful answer: its JSON, or the lines that `text` makes of it.
    ///
    /// - Throws: the problem that the stand reported.
    func print<Content: Document>(
        _ answer: StandClient.Answer, _ text: (Content) -> [String]
    ) throws(CommandFailure) -> ExitStatus {
        guard let content = answer.document(Content.self), let json = answer.json else { throw failure(answer) }
        print(json, text(content))
        return .done
    }

    /// The names of fruits and juices in the user's language by the stand's own; empty in English.
    func names() throws(CommandFailure) -> [String: String] {
        guard words.isKorean else { return [:] }
        var names: [String: String] = [:]
        for shelf in try get("stock", StockDocument.self)?.shelves ?? [] {
            names[shelf.fruit] = words.name(shelf.fruit, shelf.names)
        }
        for entry in try get("menu", MenuDocument.self)?.juices ?? [] {
            names[entry.juice] = words.name(entry.juice, entry.names)
        }
        return names
    }

    /// Prints `json` or `lines`, depending on the format.
    func print(_ json: JSONValue, _ lines: [String]) {
        switch format {
        case .json: output.print(json.compact() + "\n")
        case .text: output.print(lines.map { $0.visible + "\n" }.joined())
        }
    }

    /// The problem that the stand reported, in the user's language unless the command line is wrong.
    func failure(_ answer: StandClient.Answer) -> CommandFailure {
        var failure = Self.failure(answer)
        let problem = answer.refusal.with(\.detail, "")
        guard words.isKorean, [409, 412, 500, 503].contains(answer.status), !problem.kind.isEmpty else {
            return failure
        }
        let names = (try? names()) ?? [:]
        let sentence = words.problem(problem) { names[$0] ?? words.name($0) }
        failure.problems = [TextProblem(source: "", message: sentence)]
        return failure
    }

    /// The problem that the stand reported, in English.
    static func failure(_ answer: StandClient.Answer) -> CommandFailure {
        let refusal = answer.refusal
        let problems = refusal.problems ?? []
        let isUnusable = refusal.type == ProblemType.unusableSetting.uri
        let status: ExitStatus =
            switch answer.status {
            case _ where isUnusable: .badConfiguration
            case 422: problems.isEmpty ? .usage : .badConfiguration
            case 400, 415: .usage
            case 409, 412: .failed
            case 503: .inputOutput
            default: .unavailable
            }
        let texts = problems.isEmpty ? [refusal.detail] : problems
        return CommandFailure(status, messages: texts)
    }
}
