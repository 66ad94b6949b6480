import JuiceStand

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Asks a running stand over its Unix socket; waits for each answer.
package struct StandClient {
    /// What a stand answers.
    package struct Answer: Sendable {
        package var status: Int
        /// As it came.
        package var text: String
        /// The same, read; nil where it is not JSON.
        package var json: JSONValue?

        package var isSuccess: Bool { (200..<300).contains(status) }
    }

    /// No stand answers there.
    package struct Unreachable: Error, Equatable {
        package let path: String
        package let reason: String
    }

    private let path: String
    /// How long an answer may take, in seconds.
    private static let patience = 30

    package init(path: String) {
        self.path = path
    }

    /// Sends a request and waits for its answer.
    ///
    /// - Throws: ``Unreachable`` where nobody listens, or the answer does not come whole.
    package func send(
        _ method: HTTPMethod, _ target: String, fields: [(name: String, value: String)] = [], content: JSONValue? = nil
    ) throws(Unreachable) -> Answer {
        let socket = try connect()
        defer { socket.close() }
        var text = "\(method.rawValue) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        let body = content.map { Array($0.compact().utf8) } ?? []
        if content != nil { text += "Content-Type: application/json\r\n" }
        if !method.isSafe { text += "Content-Length: \(body.count)\r\n" }
        var left = (Array((text + "\r\n").utf8) + body)[...]
        while !left.isEmpty {
            guard case .bytes(let count) = socket.send(left) else { throw unreachable("the stand has hung up") }
            left.removeFirst(count)
        }
        return try read(from: socket)
    }

    /// - Parameter patience: Seconds that a reading may take.
    func connect(patience: Int = patience) throws(Unreachable) -> Socket {
        guard var address = SocketFile.address(path) else { throw unreachable("the path is too long for a socket") }
        let descriptor = socket(AF_UNIX, streamSocket, 0)
        guard descriptor >= 0 else { throw unreachable(reasonOfLastError()) }
        var patience = timeval(tv_sec: patience, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        guard unsafe withSystemForm(&address, { unsafe systemConnect(descriptor, $0, $1) }) == 0 else {
            let reason = reasonOfLastError()
            close(descriptor)
            throw unreachable(reason)
        }
        return Socket(descriptor: descriptor)
    }

    /// Reads until the stand closes, which it was asked to do behind its answer.
    private func read(from socket: Socket) throws(Unreachable) -> Answer {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        reading: while true {
            switch socket.receive(into: &buffer) {
            case .bytes(let count): bytes += buffer[..<count]
            case .ended: break reading
            case .wouldWait: throw unreachable("the stand has not answered for \(Self.patience) s")
            }
        }
        guard let end = Self.endOfHead(bytes) else { throw unreachable("the stand hung up before it answered") }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let content = bytes[(end + 4)...]
        let length = lines.dropFirst().lazy.map { $0.split(separator: ": ", maxSplits: 1) }
            .first { $0.first == "content-length" }.flatMap { Int($0[1]) }
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }),
            length == nil || length == content.count
        else { throw unreachable("what answers there is no stand, or it hung up too early") }
        let (root, problems) = JSON5Parser.parse(content, source: "answer")
        return Answer(
            status: status, text: String(decoding: content, as: UTF8.self),
            json: problems.isEmpty ? root.flatMap { JSONValue($0) } : nil)
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        bytes.indices.dropLast(3).first { bytes[$0..<($0 + 4)].elementsEqual("\r\n\r\n".utf8) }
    }

    func unreachable(_ reason: String) -> Unreachable { Unreachable(path: path, reason: reason) }
}

private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    unsafe connect(descriptor, address, length)
}

// MARK: - Looking into answers

extension JSONValue {
    package var text: String? { if case .string(let text) = self { text } else { nil } }

    package var whole: Int? { if case .integer(let number) = self { Int(number) } else { nil } }

    package var seconds: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    package var isTrue: Bool { self == .bool(true) }

    package var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

    package var members: [Member] { if case .object(let members) = self { members } else { [] } }
}
