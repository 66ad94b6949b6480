/// Parses a stream of bytes into requests, strictly by RFC 9110 and RFC 9112.
///
/// If the documents allow either repair or refusal, the parser refuses: a message that two programs read differently is
/// how requests are smuggled. The result depends on the bytes alone and not on how they were split. It has no socket,
/// so that tests and fuzzers can drive it.
package struct HTTPRequestParser: Sendable {
    /// A result of parsing.
    package enum Event: Equatable, Sendable {
        /// A request whose content follows and is not in it yet. ``allowContent(atMost:)`` can limit it now.
        case head(HTTPRequest)
        /// The client waits for `100 Continue` before it sends the content.
        case awaitsContinue
        case request(HTTPRequest)
    }

    enum Phase: Equatable {
        case requestLine
        case fields
        case content(left: Int)
        case chunkSize
        case chunk(left: Int)
        case chunkEnd
        case trailers
        case complete
        case refused(HTTPRefusal)
    }

    let limits: HTTPLimits
    /// Bytes received. Those before `position` have been parsed.
    var buffer: [UInt8] = []
    var position = 0
    /// No line ends before this position.
    private var scanned = 0

    var phase = Phase.requestLine
    /// The request being read.
    var request = HTTPRequest()
    var skippedEmptyLine = false
    /// Bytes left for the head or the trailers.
    var headLeft: Int
    var fieldsLeft: Int
    var extensionsLeft: Int
    /// Bytes that the content of this request may have.
    private(set) var contentLimit: Int
    private var owesHead = false
    private var owesContinue = false

    package init(limits: HTTPLimits = HTTPLimits()) {
        self.limits = limits
        headLeft = limits.head
        fieldsLeft = limits.fields
        extensionsLeft = limits.chunkExtensions
        contentLimit = limits.content
    }

    /// Whether nothing of the next request has arrived, except perhaps an empty line.
    package var isBetweenRequests: Bool { phase == .requestLine && position == buffer.count }
    /// Whether the head of a request is complete and its content is not.
    package var isInContent: Bool {
        switch phase {
        case .requestLine, .fields, .refused: false
        default: true
        }
    }

    /// Takes received bytes. ``next()`` parses them.
    package mutating func append(_ bytes: some Collection<UInt8>) { buffer.append(contentsOf: bytes) }

    /// The next event; nil if that takes more bytes.
    ///
    /// - Throws: The refusal of a request that is malformed, too large or not supported. Every later call throws it
    ///   again, since the start of the next request is unknown.
    /// - Complexity: Linear in the bytes parsed, over all calls.
    package mutating func next() throws(HTTPRefusal) -> Event? {
        if case .refused(let refusal) = phase { throw refusal }
        do throws(HTTPRefusal) {
            repeat {
                if owesHead {
                    owesHead = false
                    return .head(request)
                }
                if owesContinue {
                    owesContinue = false
                    return .awaitsContinue
                }
                if phase == .complete { return .request(finish()) }
            } while try advance()
        } catch {
            refuse(error)
            throw error
        }
        forgetUsed()
        return nil
    }

    /// Limits the content of the request whose head ``next()`` has just returned.
    ///
    /// - Throws: The refusal of a request that has announced more.
    package mutating func allowContent(atMost limit: Int) throws(HTTPRefusal) {
        contentLimit = min(limit, limits.content)
        if case .content(let left) = phase, left > contentLimit {
            refuse(contentTooLarge)
            throw contentTooLarge
        }
    }

    private mutating func refuse(_ refusal: HTTPRefusal) {
        phase = .refused(refusal)
        buffer = []
        position = 0
    }

    /// Parses one element of the grammar.
    ///
    /// - Returns: False if that takes more bytes.
    private mutating func advance() throws(HTTPRefusal) -> Bool {
        switch phase {
        case .requestLine:
            guard let line = try line(atMost: limits.requestLine, else: Self.lineTooLong) else { return false }
            try readRequestLine(line)
        case .fields:
            guard let line = try fieldLine() else { return false }
            if line.isEmpty {
                phase = try framing()
                owesHead = phase != .complete
                owesContinue = try expectsContinue() && owesHead
            } else {
                let field = try field(line)
                request.fields.append(field.name, field.value)
            }
        case .content(let left):
            let rest = takeContent(left)
            phase = rest == 0 ? .complete : .content(left: rest)
            return rest == 0
        case .chunk(let left):
            let rest = takeContent(left)
            phase = rest == 0 ? .chunkEnd : .chunk(left: rest)
            return rest == 0
        case .chunkSize:
            let most = Self.sizeDigits + extensionsLeft
            guard let line = try line(atMost: most, else: Self.sizeTooLong) else { return false }
            try readChunkSize(line)
        case .chunkEnd:
            guard try line(atMost: 0, else: Self.chunkTooLong) != nil else { return false }
            phase = .chunkSize
        case .trailers:
            guard let line = try fieldLine() else { return false }
            // Checked like fields and dropped: no handler uses trailers.
            guard !line.isEmpty else {
                phase = .complete
                return true
            }
            let name = try field(line).name
            guard !Self.forbiddenTrailers.contains(name) else {
                throw HTTPRefusal(.badRequest, "\(name) must not stand in the trailers")
            }
        case .complete, .refused: return false
        }
        return true
    }

    private mutating func finish() -> HTTPRequest {
        let finished = request
        request = HTTPRequest()
        phase = .requestLine
        skippedEmptyLine = false
        contentLimit = limits.content
        renewBudget()
        if position == buffer.count { forgetUsed() }
        return finished
    }

    /// Fields that decide framing and routing. A proxy might act on them (RFC 9110, 6.5.1).
    private static let forbiddenTrailers: Set = ["content-length", "transfer-encoding", "host"]

    /// Restores the limits for a head or trailers.
    mutating func renewBudget() {
        headLeft = limits.head
        fieldsLeft = limits.fields
        extensionsLeft = limits.chunkExtensions
    }

    /// Bytes of buffer that an idle connection keeps.
    private static let kept = 512

    /// Drops parsed bytes, and the buffer of an idle connection.
    private mutating func forgetUsed() {
        guard position > 0 else { return }
        if position == buffer.count {
            if buffer.capacity > Self.kept { buffer = [] } else { buffer.removeAll(keepingCapacity: true) }
        } else {
            buffer.removeFirst(position)
        }
        scanned -= position
        position = 0
    }
}

// MARK: - Lines

extension HTTPRequestParser {
    private static let lineTooLong = HTTPRefusal(.targetTooLong, "the request line is too long")
    private static let sizeTooLong = HTTPRefusal(.badRequest, "the size line of a chunk is too long")
    private static let chunkTooLong = HTTPRefusal(.badRequest, "the chunk is longer than its size")

    /// The next line without its CRLF; nil if it is not complete yet.
    ///
    /// An invalid byte is refused as soon as it arrives, so that a client that speaks another protocol hears of it at
    /// once.
    mutating func line(atMost limit: Int, else tooLong: HTTPRefusal) throws(HTTPRefusal) -> Range<Int>? {
        while scanned < buffer.count {
            let byte = buffer[scanned]
            if byte == 0x0D {
                guard scanned + 1 < buffer.count else { return nil }
                guard buffer[scanned + 1] == 0x0A else {
                    throw HTTPRefusal(.badRequest, "carriage return without a line feed")
                }
                let line = position..<scanned
                scanned += 2
                position = scanned
                return line
            }
            guard byte >= 0x20 && byte != 0x7F || byte == 0x09 else {
                throw HTTPRefusal(
                    .badRequest, byte == 0x0A ? "line feed without a carriage return" : "control character in the head")
            }
            guard scanned - position < limit else { throw tooLong }
            scanned += 1
        }
        return nil
    }

    /// The next line of fields or trailers; empty at the end.
    private mutating func fieldLine() throws(HTTPRefusal) -> Range<Int>? {
        let tooLong = HTTPRefusal(.fieldsTooLarge, "the fields are too long")
        guard let line = try line(atMost: min(limits.field, headLeft), else: tooLong) else { return nil }
        headLeft -= line.count
        return line
    }

    /// Marks bytes as parsed; the next line starts there.
    mutating func use(upTo place: Int) {
        position = place
        scanned = place
    }
}
