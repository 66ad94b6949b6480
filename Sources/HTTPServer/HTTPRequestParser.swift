/// Cuts a stream of bytes into requests, by RFC 9110 and RFC 9112 read strictly.
///
/// Where the documents let a server choose between mending and refusing, this one refuses: what two programs could read in
/// two ways is how requests are smuggled. The result depends on the bytes alone and never on how they were split. A
/// value without a socket, so that tests and fuzzers can have it.
package struct HTTPRequestParser: Sendable {
    /// What the bytes so far amount to.
    package enum Event: Equatable, Sendable {
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
    /// What came and is not used up: everything before `position` is.
    var buffer: [UInt8] = []
    var position = 0
    /// No line ends before this place.
    private var scanned = 0

    var phase = Phase.requestLine
    /// The request that is being read.
    var request = HTTPRequest()
    var skippedEmptyLine = false
    /// Bytes that the head, or the trailers, may still take.
    var headLeft: Int
    var fieldsLeft: Int
    var extensionsLeft: Int
    private var owesContinue = false

    package init(limits: HTTPLimits = HTTPLimits()) {
        self.limits = limits
        headLeft = limits.head
        fieldsLeft = limits.fields
        extensionsLeft = limits.chunkExtensions
    }

    /// Whether nothing of a next request has come; an empty line before it counts as nothing.
    package var isBetweenRequests: Bool { phase == .requestLine && position == buffer.count }
    /// Whether the head of a request is there and its content is not.
    package var isInContent: Bool {
        switch phase {
        case .requestLine, .fields, .refused: false
        default: true
        }
    }

    /// Takes bytes as they come; ``next()`` says what they mean.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        buffer.append(contentsOf: bytes)
    }

    /// The next event; nil when that takes more bytes.
    ///
    /// - Throws: the refusal of a message that is wrong, too large, or beyond this server; and again each time after it,
    ///   for where the next message would begin is unknown.
    /// - Complexity: Linear in the bytes it uses up, over all calls.
    package mutating func next() throws(HTTPRefusal) -> Event? {
        if case .refused(let refusal) = phase { throw refusal }
        do throws(HTTPRefusal) {
            while try advance() {
                if owesContinue {
                    owesContinue = false
                    return .awaitsContinue
                }
                if phase == .complete { return .request(finish()) }
            }
        } catch {
            phase = .refused(error)
            buffer = []
            position = 0
            throw error
        }
        forgetUsed()
        return nil
    }

    /// One step through the grammar.
    ///
    /// - Returns: False when it takes more bytes.
    private mutating func advance() throws(HTTPRefusal) -> Bool {
        switch phase {
        case .requestLine:
            guard let line = try line(atMost: limits.requestLine, else: Self.lineTooLong) else { return false }
            try readRequestLine(line)
        case .fields:
            guard let line = try fieldLine() else { return false }
            if line.isEmpty {
                phase = try framing()
                owesContinue = try expectsContinue() && phase != .complete
            } else {
                let field = try field(line)
                request.fields.append(field.name, field.value)
            }
        case .content, .chunk:
            return takeContent()
        case .chunkSize:
            guard let line = try chunkSizeLine() else { return false }
            try readChunkSize(line)
        case .chunkEnd:
            guard try line(atMost: 0, else: Self.chunkTooLong) != nil else { return false }
            phase = .chunkSize
        case .trailers:
            guard let line = try fieldLine() else { return false }
            // Read as strictly as fields, and dropped: nothing here has a use for them.
            if line.isEmpty { phase = .complete } else { _ = try field(line) }
        case .complete, .refused: return false
        }
        return true
    }

    private mutating func finish() -> HTTPRequest {
        let finished = request
        request = HTTPRequest()
        phase = .requestLine
        skippedEmptyLine = false
        renewBudget()
        if position == buffer.count { forgetUsed() }
        return finished
    }

    /// Gives a head, or the trailers, all they may take.
    mutating func renewBudget() {
        headLeft = limits.head
        fieldsLeft = limits.fields
        extensionsLeft = limits.chunkExtensions
    }

    /// Bytes that may be kept for a connection that has nothing to say.
    private static let kept = 512

    /// Keeps little memory for a connection that has nothing to say.
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
    private static let chunkTooLong = HTTPRefusal(.badRequest, "a chunk is longer than its size says")

    /// The next line without its end, which is a carriage return and a line feed; nil while it has not come whole.
    ///
    /// What no line may hold is refused at the byte where it stands, so that a client that speaks something else hears of
    /// it at once.
    mutating func line(atMost limit: Int, else tooLong: HTTPRefusal) throws(HTTPRefusal) -> Range<Int>? {
        while scanned < buffer.count {
            let byte = buffer[scanned]
            if byte == 0x0D {
                guard scanned + 1 < buffer.count else { return nil }
                guard buffer[scanned + 1] == 0x0A else {
                    throw HTTPRefusal(.badRequest, "a carriage return without a line feed")
                }
                let line = position..<scanned
                scanned += 2
                position = scanned
                return line
            }
            guard byte >= 0x20 && byte != 0x7F || byte == 0x09 else {
                throw HTTPRefusal(
                    .badRequest, byte == 0x0A ? "a line feed without a carriage return" : "a control character")
            }
            guard scanned - position < limit else { throw tooLong }
            scanned += 1
        }
        return nil
    }

    /// The next line of fields or trailers; empty at their end.
    private mutating func fieldLine() throws(HTTPRefusal) -> Range<Int>? {
        let tooLong = HTTPRefusal(.fieldsTooLarge, "the fields, or one of them, are too long")
        guard let line = try line(atMost: min(limits.field, headLeft), else: tooLong) else { return nil }
        headLeft -= line.count
        return line
    }

    /// Puts the search for the end of a line back to where lines go on.
    mutating func use(upTo place: Int) {
        position = place
        scanned = place
    }
}
