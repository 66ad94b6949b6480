/// Bytes on their way to a peer, and the encoding of responses.
struct HTTPOutput {
    private var bytes: [UInt8] = []
    private var sent = 0

    /// Bytes of buffer that a connection with nothing to send keeps.
    private static let kept = 1024

    var isEmpty: Bool { sent == bytes.count }
    var count: Int { bytes.count - sent }

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func append(_ content: [UInt8]) { bytes.append(contentsOf: content) }

    /// Sends what the socket takes.
    ///
    /// - Returns: False if the connection is closed.
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
    /// Writes the status line and fields of a response.
    ///
    /// - Parameters:
    ///   - length: Bytes of content; nil if the content is chunked or ends with the connection.
    ///   - connection: The value of `Connection`; nil to leave the field out.
    mutating func appendHead(
        _ response: HTTPResponse, _ context: HTTPContext, length: Int?, isChunked: Bool = false,
        connection: String? = "close"
    ) {
        append("HTTP/1.1 ")
        append(response.status.rawValue)
        append("date", context.date.now())
        // RFC 9110, 8.6: no length without content.
        if let length, response.status.hasContent { append("content-length", String(length)) }
        if isChunked { append("transfer-encoding", "chunked") }
        for field in response.fields.all { append(field.name, field.value) }
        for field in context.options.commonFields.all where response.fields.count(of: field.name) == 0 {
            append(field.name, field.value)
        }
        if let connection { append("connection", connection) }
        append("\r\n\r\n")
    }

    private mutating func append(_ name: String, _ value: String) {
        append("\r\n")
        append(name)
        append(": ")
        append(value)
    }

    /// Writes what `write` appends as one chunk; nothing if it appends nothing.
    ///
    /// - Parameter isFramed: False for HTTP/1.0, where the content ends with the connection.
    mutating func appendChunk(isFramed: Bool, _ write: (inout [UInt8]) -> Void) {
        guard isFramed else { return write(&bytes) }
        // The size precedes the chunk and is known only afterwards: reserve eight digits.
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
