import Platform

/// One connection: reads requests, sends the responses in the same order, and buffers no more than the limits allow.
///
/// Confined to the server's thread. Its methods never block. After each call, the caller watches the socket for
/// ``interest``, and calls ``expire()`` at ``deadline``.
final class HTTPConnection {
    private enum Phase {
        /// Reading requests and answering them.
        case receiving
        /// A handler will answer later.
        case awaitingReply
        case streaming(any HTTPBody)
        /// Sending the last response.
        case closing
        /// Everything is sent. Further bytes of the peer are discarded: closing at once would reset the connection and
        /// could lose the response.
        case lingering
        case closed
    }

    let id: UInt64
    let socket: Socket
    private let transport: HTTPTransport
    /// The client's network; see ``NetworkAddress/network``. nil on a Unix socket.
    let network: UInt64?
    private let context: HTTPContext
    private var parser: HTTPRequestParser
    private var phase = Phase.receiving
    private var output = HTTPOutput()
    /// Properties of the request being answered.
    private var current = (isHead: false, minorVersion: 1, keepsConnection: true)
    /// Answers the request whose content is being read.
    private var admitted: (@Sendable (HTTPRequest) -> HTTPAnswer)?
    private var peerIsDone = false
    /// The reply that a handler deferred, if it wants to know that the client is gone.
    private weak var watched: HTTPReply?
    /// Whether further bytes came before the deferred reply. The end of the connection is then noticed only after these
    /// bytes have been parsed.
    private var hasEarly = false
    /// Whether a stream has more content available and has had its turn.
    private var hasMore = false
    /// Counts requests and completed sends. Progress renews the deadline.
    private var progress = 1
    private var wait: (kind: Wait, progress: Int) = (.head, 0)

    /// The end of the current timeout, in nanoseconds of the monotonic clock.
    private(set) var deadline: UInt64

    init(_ socket: Socket, _ transport: HTTPTransport, from network: UInt64?, id: UInt64, _ context: HTTPContext) {
        self.socket = socket
        self.transport = transport
        self.network = network
        self.id = id
        self.context = context
        parser = HTTPRequestParser(limits: context.options.limits)
        deadline = context.now + context.options.headTime.nanoseconds
    }

    var isClosed: Bool { if case .closed = phase { true } else { false } }
    var isStreaming: Bool { if case .streaming = phase { true } else { false } }

    /// The operations to watch the socket for.
    var interest: Readiness {
        var interest: Readiness = output.isEmpty && !hasMore ? [] : .writing
        switch phase {
        case .receiving where output.isEmpty && !peerIsDone: interest.insert(.reading)
        case .awaitingReply where watched != nil && !peerIsDone && !hasEarly: interest.insert(.reading)
        case .streaming, .lingering: interest.insert(.reading)
        default: break
        }
        return interest
    }
}

// MARK: - Events

extension HTTPConnection {
    /// Sends and receives as far as the socket is ready.
    func handle(_ readiness: Readiness) {
        if readiness.contains(.broken) && interest.isEmpty { return end() }
        if !readiness.isDisjoint(with: [.writing, .broken]) { send() }
        if !readiness.isDisjoint(with: [.reading, .broken]) && interest.contains(.reading) { receive() }
        goOn()
    }

    /// Sends the response that a handler deferred.
    func reply(_ response: HTTPResponse) {
        guard case .awaitingReply = phase else { return }
        phase = .receiving
        watched = nil
        hasEarly = false
        respond(response)
        goOn()
    }

    /// Sends new content of a stream, if there is any.
    func pump() {
        if isStreaming && output.isEmpty { goOn() }
    }

    /// Finishes the responses under way, and closes.
    func stop() {
        switch phase {
        case .receiving where parser.isBetweenRequests && output.isEmpty: end()
        // A stream ends once it has sent everything.
        case .streaming: pump()
        default: break
        }
    }

    /// Acts on a ``deadline`` that has passed: closes, refuses an incomplete request, or sends a heartbeat.
    func expire() {
        switch wait.kind {
        case .stream:
            guard case .streaming(let body) = phase else { return }
            output.appendChunk(isFramed: current.minorVersion == 1) { $0 += body.heartbeat }
            progress += 1
        case .head, .content:
            context.counters.timeouts.increment()
            // A connection that never sent anything gets no response.
            if parser.isBetweenRequests { return end() }
            refuse(HTTPRefusal(.requestTimeout, "the request was not complete in time"))
        case .sending:
            if isStreaming { context.counters.slowReaders.increment() } else { context.counters.timeouts.increment() }
            return end()
        case .idle, .lingering: return end()
        case .reply: return
        }
        goOn()
    }

    /// Ends the connection. Its owner closes the socket.
    func end() {
        if case .streaming(let body) = phase { body.ended() }
        watched?.abandon()
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
            // Requests after a stream's request, or after the last one, are ignored.
            switch phase {
            case .receiving: parser.append(context.arrivals[..<count])
            case .awaitingReply:
                parser.append(context.arrivals[..<count])
                hasEarly = true
            default: break
            }
        case .wouldWait: break
        case .ended:
            peerIsDone = true
            switch phase {
            case .streaming, .lingering: end()
            case .awaitingReply: watched?.abandon()
            default: break
            }
        }
    }

    /// Answers the requests received, sends what the socket takes, and sets the next deadline.
    private func goOn() {
        var hasFed = false
        while true {
            if case .receiving = phase, output.isEmpty { answerRequests() }
            // Once per turn: a listener that catches up must not delay the others.
            if case .streaming(let body) = phase, output.isEmpty, !hasFed {
                hasFed = true
                feed(body)
            }
            if output.isEmpty { break }
            send()
            // The rest is sent first, once the socket has room.
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
                case .head(let head): try checkHead(head)
                case .awaitsContinue: output.append("HTTP/1.1 100 Continue\r\n\r\n")
                case .request(let request): answer(request)
                }
            }
        } catch {
            refuse(error)
        }
    }

    /// Decides about a request whose content follows.
    private func checkHead(_ head: HTTPRequest) throws(HTTPRefusal) {
        switch context.handler(head, transport) {
        case .refused(let response):
            begin(head)
            current.keepsConnection = false
            respond(response)
            // The content that follows is not read.
            parser = HTTPRequestParser(limits: context.options.limits)
        case .admitted(let content, let answer):
            try parser.allowContent(atMost: content)
            admitted = answer
        }
    }

    private func begin(_ request: HTTPRequest) {
        context.counters.requests.increment()
        progress += 1
        current = (request.method == .head, request.minorVersion, request.keepsConnection)
    }

    private func answer(_ request: HTTPRequest) {
        begin(request)
        var request = request
        request.network = network
        if let admitted {
            self.admitted = nil
            return send(admitted(request))
        }
        switch context.handler(request, transport) {
        case .refused(let response): respond(response)
        case .admitted(_, let answer): send(answer(request))
        }
    }

    private func send(_ answer: HTTPAnswer) {
        switch answer {
        case .now(let response): respond(response)
        case .later(let ask):
            phase = .awaitingReply
            let reply = HTTPReply { [inbox = context.inbox, id] in inbox.post(.reply(connection: id, $0)) }
            ask(reply)
            watched = reply.isWatched ? reply : nil
        case .stream(let head, let body):
            output.appendHead(head, context, length: nil, isChunked: current.minorVersion == 1)
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
        respond(.problem(refusal.status, refusal.reason))
    }
}

// MARK: - Out

extension HTTPConnection {
    private func respond(_ response: HTTPResponse) {
        let closes = !current.keepsConnection || context.isStopping
        output.appendHead(
            response, context, length: response.content.count,
            connection: closes ? "close" : current.minorVersion == 0 ? "keep-alive" : nil)
        if !current.isHead && response.status.hasContent { output.append(response.content) }
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
    /// The timeout or interval that ends at the deadline.
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
        // A new connection has the timeout of a head, not the idle one.
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
