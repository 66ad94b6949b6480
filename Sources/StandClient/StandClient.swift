import HTTPServer
import Platform
import TextFormats

/// Why there is no answer.
package enum StandClientError: Error, Equatable {
    /// No stand listens; nothing was sent.
    case unreachable(path: String, reason: String)
    /// The stand did not answer. It may have made the change or not.
    case unanswered(path: String, reason: String)
}

/// Sends requests to a running stand and waits for the answers.
package struct StandClient {
    package struct Answer: Sendable {
        package var status: Int
        package var content: [UInt8]
        package var text: String { String(decoding: content, as: UTF8.self) }
        /// The content as JSON, whose figures are those of ``Figures``; nil if it is none.
        package let json: JSONValue?
        /// Why there is no ``json``; nil if there is.
        package let problem: String?

        /// - Parameter least: The least figure.
        init(_ status: Int, _ content: ArraySlice<UInt8>, least: Int) {
            self.status = status
            self.content = Array(content)
            do throws(TextProblem) {
                json = try JSONValue(figuresIn: content, least: least)
                problem = nil
            } catch {
                json = nil
                problem = "not a juice stand: in its answer, \(error.message)"
            }
        }

        package var isSuccess: Bool { (200..<300).contains(status) }

        /// The document of a successful answer; nil if it has none.
        package func document<Content: Document>(_ type: Content.Type) -> Content? {
            isSuccess ? json.flatMap { Content(json: $0) } : nil
        }

        /// What the stand says of a request that it refused.
        package var refusal: ProblemDocument {
            var refusal = json.flatMap { ProblemDocument(json: $0) } ?? ProblemDocument()
            if refusal.detail.isEmpty { refusal.detail = "the stand answered with status \(status)" }
            return refusal
        }
    }

    /// The reason if the system refuses the connection.
    package static let foreignSocket = "the socket belongs to another user"
    /// The reason if there is no socket, or one that a stand has left behind.
    package static let noListener = "no stand listens on its socket"

    private let target: StandTarget
    /// Seconds until a request without an answer fails.
    private let timeout: Int

    package init(_ target: StandTarget, timeout: Int = 30) {
        self.target = target
        self.timeout = timeout
    }

    package init(path: String, timeout: Int = 30) { self.init(.socket(path: path), timeout: timeout) }

    private var path: String { target.description }

    /// Sends a request and waits for its answer.
    ///
    /// If the connection breaks before the answer is complete, the request is sent once more. A change needs an
    /// idempotency key, or it may be made twice.
    ///
    /// - Parameter least: The least figure in the answer: 0 for a status.
    package func send(
        _ method: HTTPMethod, _ target: String, fields: [(name: String, value: String)] = [],
        content: JSONValue? = nil, least: Int = -Figures.most
    ) throws(StandClientError) -> Answer {
        var text = "\(method.rawValue) \(target) HTTP/1.1\r\nHost: \(self.target.host)\r\nConnection: close\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        let body = content.map { Array($0.compact().utf8) } ?? []
        if content != nil { text += "Content-Type: application/json\r\n" }
        if !method.isSafe { text += "Content-Length: \(body.count)\r\n" }
        let request = Array((text + "\r\n").utf8) + body
        if let answer = try exchange(request, least) { return answer }
        do throws(StandClientError) {
            if let answer = try exchange(request, least) { return answer }
        } catch {
            // The first attempt reached the stand, which may have made the change.
            guard case .unreachable(_, let reason) = error else { throw error }
            throw .unanswered(
                path: path, reason: "the stand closed the connection before it answered, and is gone: \(reason)")
        }
        throw .unanswered(path: path, reason: "the stand closed the connection twice before it answered")
    }

    /// - Returns: nil if the connection broke.
    private func exchange(_ request: [UInt8], _ least: Int) throws(StandClientError) -> Answer? {
        let exchange = try Exchange(request, to: target, at: target.addresses.first, connectingFor: timeout)
        defer { exchange.close() }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let end = monotonicNanoseconds() + UInt64(timeout) * 1_000_000_000
        while exchange.wait(until: end) {
            for item in exchange.advance(&buffer) {
                switch item {
                case .answer(let head, let content): return Answer(head.status, content, least: least)
                case .fault(let reason): throw target.unreachable(reason)
                case .broken: return nil
                // Only in a stream.
                case .line, .gap, .sign: break
                }
            }
        }
        throw .unanswered(path: path, reason: "the stand did not answer within \(timeout) s")
    }
}

extension StandClientError {
    /// What went wrong, without the path of the socket.
    package var reason: String {
        switch self {
        case .unreachable(_, let reason), .unanswered(_, let reason): reason
        }
    }
}
