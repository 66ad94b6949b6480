import HTTPServer
import JuiceStand
import Platform
import TextFormats

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
        fileprivate init(status: Int, content: [UInt8], least: Int) {
            (self.status, self.content) = (status, content)
            do throws(TextProblem) {
                json = try JSONValue(figuresIn: content, least: least)
                problem = nil
            } catch {
                json = nil
                problem = "not a juice stand: in its answer, \(error.message)"
            }
        }

        package var isSuccess: Bool { (200..<300).contains(status) }
    }

    /// Why there is no answer.
    package enum Failure: Error, Equatable {
        /// No stand listens; nothing was sent.
        case unreachable(path: String, reason: String)
        /// The stand did not answer. It may have made the change or not.
        case unanswered(path: String, reason: String)
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
    ) throws(Failure) -> Answer {
        var text = "\(method.rawValue) \(target) HTTP/1.1\r\nHost: \(self.target.host)\r\nConnection: close\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        let body = content.map { Array($0.compact().utf8) } ?? []
        if content != nil { text += "Content-Type: application/json\r\n" }
        if !method.isSafe { text += "Content-Length: \(body.count)\r\n" }
        let request = Array((text + "\r\n").utf8) + body
        if let answer = try exchange(request, least) { return answer }
        do throws(Failure) {
            if let answer = try exchange(request, least) { return answer }
        } catch {
            // A moment ago the stand was there.
            guard case .unreachable(_, let reason) = error else { throw error }
            throw .unanswered(
                path: path, reason: "the stand closed the connection before it answered, and is gone: \(reason)")
        }
        throw .unanswered(path: path, reason: "the stand closed the connection twice before it answered")
    }

    /// - Returns: nil if the connection broke.
    private func exchange(_ request: [UInt8], _ least: Int) throws(Failure) -> Answer? {
        let socket = try connect()
        defer { socket.close() }
        var left = request[...]
        while !left.isEmpty {
            switch socket.send(left) {
            case .bytes(let count): left.removeFirst(count)
            case .wouldWait: throw tookTooLong
            // A stand that closes early may have sent an answer, such as 503.
            case .ended: left = []
            }
        }
        return try read(from: socket, least)
    }

    func connect() throws(Failure) -> Socket {
        try target.connect(to: target.addresses.first) { socket in
            var timeout = timeval(tv_sec: timeout, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            unsafe setsockopt(socket.descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
            unsafe setsockopt(socket.descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
        }
    }

    /// Reads until the stand closes the connection: at most ``AnswerReader/mostOfDocument`` bytes, for at most
    /// `timeout` seconds.
    ///
    /// - Returns: nil if it closes before the answer is complete.
    private func read(from socket: Socket, _ least: Int) throws(Failure) -> Answer? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let most = AnswerReader.mostOfDocument
        let end = monotonicNanoseconds() + UInt64(timeout) * 1_000_000_000
        reading: while true {
            switch socket.receive(into: &buffer) {
            case .bytes(let count):
                bytes += buffer[..<count]
                guard bytes.count <= most else {
                    throw target.unreachable("not a juice stand: its answer is longer than \(most >> 20) MB")
                }
                guard monotonicNanoseconds() < end else { throw tookTooLong }
            case .ended: break reading
            case .wouldWait: throw tookTooLong
            }
        }
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let content = bytes[end.upperBound...]
        guard let head = AnswerHead(bytes[..<end.lowerBound]) else {
            throw target.unreachable("not a juice stand: no HTTP answer")
        }
        guard head.length == nil || head.length == content.count else { return nil }
        return Answer(status: head.status, content: Array(content), least: least)
    }

    private var tookTooLong: Failure { .unanswered(path: path, reason: "the stand did not answer within \(timeout) s") }
}

extension StandClient.Failure {
    /// What went wrong, without the path of the socket.
    package var reason: String {
        switch self {
        case .unreachable(_, let reason), .unanswered(_, let reason): reason
        }
    }
}
