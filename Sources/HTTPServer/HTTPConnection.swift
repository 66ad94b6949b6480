import Platform

/// What all connections of a server share; of its thread alone.
final class HTTPContext {
    let handler: HTTPHandler
    let options: HTTPServerOptions
    let counters: HTTPCounters
    let inbox: HTTPInbox
    var date = HTTPDate()
    /// Nanoseconds, as of the last time the thread woke.
    var now = monotonicNanoseconds()
    /// Where bytes arrive before they find their connection.
    var arrivals = [UInt8](repeating: 0, count: 65_536)
    var isStopping = false

    init(_ handler: @escaping HTTPHandler, _ options: HTTPServerOptions, _ counters: HTTPCounters, _ inbox: HTTPInbox) {
        self.handler = handler
        self.options = options
        self.counters = counters
        self.inbox = inbox
    }

    /// Writes the head of an answer.
    ///
    /// - Parameters:
    ///   - length: Bytes of content; nil where it is chunked, or ends with the connection.
    ///   - connection: What becomes of the connection, where that must be said.
    func appendHead(
        _ response: HTTPResponse, to output: inout HTTPOutput, length: Int?, isChunked: Bool = false,
        connection: String? = "close"
    ) {
        output.appendHead(
            response, options.commonFields, length: length, date: date.now(), isChunked: isChunked,
            connection: connection)
    }
}

/// One connection: requests in, answers out in the same order, and never more kept than is allowed.
///
/// Of the server's thread alone. Its methods never wait; after each, ``interest`` says what to watch for, and ``deadline`` until
/// when the peer has time.
final class HTTPConnection {
    private enum Phase {
        /// Reading requests and answering them.
        case receiving
        /// A handler will answer later.
        case awaitingReply
        case streaming(any HTTPBody)
        /// Sending the last answer.
        case closing
        /// Everything is sent; what the peer still sends is thrown away, since closing on it would reset the connection
        /// and could take the answer with it.
        case lingering
        case closed
    }

    let id: UInt64
    let socket: Socket
    private let transport: HTTPTransport
    private let context: HTTPContext
    private var parser: HTTPRequestParser
    private var phase = Phase.receiving
    private var output = HTTPOutput()
    /// Of the request being answered.
    private var current = (isHead: false, minorVersion: 1, keepsConnection: true)
    private var peerIsDone = false
    /// Whether a stream has more at hand, and has had its turn.
    private var hasMore = false
    /// Counts requests and times that everything was sent: a client that gets somewhere gets new time.
    private var progress = 1
    private var wait: (kind: Wait, progress: Int) = (.head, 0)

    /// Nanoseconds of the monotonic clock.
    private(set) var deadline: UInt64

    init(_ socket: Socket, _ transport: HTTPTransport, id: UInt64, _ context: HTTPContext) {
        self.socket = socket
        self.transport = transport
        self.id = id
        self.context = context
        parser = HTTPRequestParser(limits: context.options.limits)
        deadline = context.now + context.options.headTime.nanoseconds
    }

    var isClosed: Bool { if case .closed = phase { true } else { false } }
    var isStreaming: Bool { if case .streaming = phase { true } else { false } }

    /// What to watch the socket for.
    var interest: Readiness {
        var interest: Readiness = output.isEmpty && !hasMore ? [] : .writing
        switch phase {
        case .receiving where output.isEmpty && !peerIsDone: interest.insert(.reading)
        case .streaming, .lingering: interest.insert(.reading)
        default: break
        }
        return interest
    }
}

// MARK: - Events

extension HTTPConnection {
    /// The socket is ready.
    func handle(_ readiness: Readiness) {
        if readiness.contains(.broken) && interest.isEmpty { return end() }
        if !readiness.isDisjoint(with: [.writing, .broken]) { send() }
        if !readiness.isDisjoint(with: [.reading, .broken]) && interest.contains(.reading) { receive() }
        goOn()
    }

    /// The response that was to come later.
    func reply(_ response: HTTPResponse) {
        guard case .awaitingReply = phase else { return }
        phase = .receiving
        respond(response)
        goOn()
    }

    /// There may be something new for a stream.
    func pump() {
        if isStreaming && output.isEmpty { goOn() }
    }

    /// Answers what has been asked, and closes.
    func stop() {
        switch phase {
        case .receiving where parser.isBetweenRequests && output.isEmpty: end()
        // It ends once everything has been said.
        case .streaming: pump()
        default: break
        }
    }

    /// The time until ``deadline`` is over.
    func expire() {
        switch wait.kind {
        case .stream:
            guard case .streaming(let body) = phase else { return }
            output.appendChunk(isFramed: current.minorVersion == 1) { $0 += body.heartbeat }
            progress += 1
        case .head, .content:
            context.counters.timeouts.increment()
            // A connection that never said anything is not owed an answer.
            if parser.isBetweenRequests { return end() }
            refuse(HTTPRefusal(.requestTimeout, "the request did not come whole in time"))
        case .sending:
            if isStreaming { context.counters.slowReaders.increment() } else { context.counters.timeouts.increment() }
            return end()
        case .idle, .lingering: return end()
        case .reply: return
        }
        goOn()
    }

    /// Gives the socket up. Whoever owns the connection closes it.
    func end() {
        if case .streaming(let body) = phase { body.ended() }
        phase = .closed
        hasMore = false
        output = HTTPOutput()
    }
}

// MARK: - In

extension HTTPConnection {
    private func receive() {
        switch socket.receive(into: &context.arrivals) {
        case .bytes(let count):
            // Nothing that comes behind a stream's request, or behind the last one, is answered.
            if case .receiving = phase { parser.append(context.arrivals[..<count]) }
        case .wouldWait: break
        case .ended:
            peerIsDone = true
            switch phase {
            case .streaming, .lingering: end()
            default: break
            }
        }
    }

    /// Answers what has come, sends what it can, and sets the time for what is next.
    private func goOn() {
        var hasFed = false
        while true {
            if case .receiving = phase, output.isEmpty { answerRequests() }
            // Once in a turn: a listener with much to catch up with must not keep the others waiting.
            if case .streaming(let body) = phase, output.isEmpty, !hasFed {
                hasFed = true
                feed(body)
            }
            if output.isEmpty { break }
            send()
            // What could not be sent goes first when there is room.
            if !output.isEmpty || isClosed { break }
            progress += 1
        }
        if output.isEmpty {
            switch phase {
            case .closing:
                socket.finishSending()
                phase = .lingering
                if peerIsDone { end() }
            case .receiving where peerIsDone: end()
            case .receiving where context.isStopping && parser.isBetweenRequests: end()
            default: break
            }
        }
        setDeadline()
    }

    private func answerRequests() {
        do throws(HTTPRefusal) {
            while case .receiving = phase, output.count < context.options.mostUnsent, let event = try parser.next() {
                switch event {
                case .awaitsContinue: output.append("HTTP/1.1 100 Continue\r\n\r\n")
                case .request(let request): answer(request)
                }
            }
        } catch {
            refuse(error)
        }
    }

    private func answer(_ request: HTTPRequest) {
        context.counters.requests.increment()
        progress += 1
        current = (request.method == .head, request.minorVersion, request.keepsConnection)
        switch context.handler(request, transport) {
        case .now(let response): respond(response)
        case .later(let ask):
            phase = .awaitingReply
            ask(HTTPReply { [inbox = context.inbox, id] in inbox.post(.reply(connection: id, $0)) })
        case .stream(let head, let body):
            context.appendHead(head, to: &output, length: nil, isChunked: current.minorVersion == 1)
            if current.isHead {
                body.ended()
                phase = .closing
            } else {
                socket.keepUnsent(Int32(context.options.mostUnsentOfStream))
                phase = .streaming(body)
                body.begin { [inbox = context.inbox, id] in inbox.post(.feed(connection: id)) }
            }
        }
    }

    private func refuse(_ refusal: HTTPRefusal) {
        context.counters.refusals.increment()
        current = (false, 1, false)
        respond(HTTPResponse(refusal))
    }
}

// MARK: - Out

extension HTTPConnection {
    private func respond(_ response: HTTPResponse) {
        let closes = !current.keepsConnection || context.isStopping
        context.appendHead(
            response, to: &output, length: response.content.count,
            connection: closes ? "close" : current.minorVersion == 0 ? "keep-alive" : nil)
        if !current.isHead && response.status != .noContent { output.append(response.content) }
        if closes { phase = .closing }
    }

    private func feed(_ body: any HTTPBody) {
        var state = HTTPBodyState.open
        output.appendChunk(isFramed: current.minorVersion == 1) { bytes in
            state = body.read(into: &bytes, atMost: context.options.mostUnsentOfStream)
        }
        hasMore = state == .hasMore
        switch state {
        case .hasMore: break
        case .open: if context.isStopping { finishStream(body) }
        case .complete: finishStream(body)
        case .fellBehind:
            context.counters.slowReaders.increment()
            end()
        }
    }

    private func finishStream(_ body: any HTTPBody) {
        if current.minorVersion == 1 { output.append("0\r\n\r\n") }
        body.ended()
        phase = .closing
    }

    private func send() {
        if !output.send(over: socket) { end() }
    }
}

// MARK: - Time

extension HTTPConnection {
    /// What is being waited for.
    private enum Wait {
        case idle
        case head
        case content
        case reply
        case sending
        case stream
        case lingering
    }

    private func setDeadline() {
        let options = context.options
        let next: (kind: Wait, time: Duration)
        switch phase {
        case _ where !output.isEmpty: next = (.sending, options.sendTime)
        case .receiving where parser.isInContent: next = (.content, options.contentTime)
        // A new connection has not long to say its first word.
        case .receiving where parser.isBetweenRequests && progress > 1: next = (.idle, options.idleTime)
        case .receiving: next = (.head, options.headTime)
        case .streaming: next = (.stream, options.heartbeatTime)
        case .awaitingReply: next = (.reply, .seconds(Int64(Int32.max)))
        case .closing, .lingering, .closed: next = (.lingering, .seconds(1))
        }
        guard wait != (next.kind, progress) else { return }
        wait = (next.kind, progress)
        deadline = context.now + next.time.nanoseconds
    }
}
