/// Bytes on their way to a peer, and how messages are written into them.
struct HTTPOutput {
    private var bytes: [UInt8] = []
    private var sent = 0

    /// Memory that a connection with nothing to send may keep.
    private static let kept = 1024

    var isEmpty: Bool { sent == bytes.count }
    var count: Int { bytes.count - sent }

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func append(_ content: [UInt8]) { bytes.append(contentsOf: content) }

    /// Appends the digits of a number that is not negative.
    private mutating func append(_ number: Int) {
        if number >= 10 { append(number / 10) }
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    /// Sends what the system takes.
    ///
    /// - Returns: False when the connection is gone.
    mutating func send(over socket: Socket) -> Bool {
        while sent < bytes.count {
            switch socket.send(bytes[sent...]) {
            case .bytes(let count): sent += count
            case .wouldWait: return true
            case .ended: return false
            }
        }
        sent = 0
        if bytes.capacity > Self.kept { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
        return true
    }
}

// MARK: - Messages

extension HTTPOutput {
    /// Writes status line and fields: see ``HTTPContext``.
    mutating func appendHead(
        _ response: HTTPResponse, _ common: HTTPFields, length: Int?, date: String, isChunked: Bool,
        connection: String?
    ) {
        append("HTTP/1.1 ")
        append(response.status.rawValue)
        append(" ")
        append(response.status.phrase)
        append("date", date)
        // RFC 9110, 8.6: no length with 204.
        if let length, response.status != .noContent {
            append("\r\ncontent-length: ")
            append(length)
        }
        if isChunked { append("transfer-encoding", "chunked") }
        for field in response.fields.all { append(field.name, field.value) }
        for field in common.all where response.fields.count(of: field.name) == 0 { append(field.name, field.value) }
        if let connection { append("connection", connection) }
        append("\r\n\r\n")
    }

    private mutating func append(_ name: String, _ value: String) {
        append("\r\n")
        append(name)
        append(": ")
        append(value)
    }

    /// Writes what `write` appends as one chunk, if it appends something.
    ///
    /// - Parameter isFramed: False for HTTP/1.0, which ends such content with the connection.
    mutating func appendChunk(isFramed: Bool, _ write: (inout [UInt8]) -> Void) {
        guard isFramed else { return write(&bytes) }
        // The size stands before the chunk and is known after it: eight digits leave room for any.
        let start = bytes.count
        append("00000000\r\n")
        let begin = bytes.count
        write(&bytes)
        guard bytes.count > begin else {
            bytes.removeLast(begin - start)
            return
        }
        let digits = String(bytes.count - begin, radix: 16)
        bytes.replaceSubrange((start + 8 - digits.utf8.count)..<(start + 8), with: digits.utf8)
        append("\r\n")
    }
}
