import Platform

/// The server's thread: waits for sockets and drives the connections.
struct HTTPEventLoop: ~Copyable {
    private let context: HTTPContext
    private var listeners: [ListeningSocket]
    private var poller: Poller
    private var connections: [UInt64: HTTPConnection] = [:]
    /// The number of connections by the network of the client, over TCP.
    private var crowds: [UInt64: Int] = [:]
    /// The connections that stream.
    private var streams: Set<UInt64> = []
    private var lastID: UInt64 = 1 << 32
    private var reserve = ReserveDescriptor()
    private var listenersAreWatched = true
    private var nextPump: UInt64 = 0
    private var nextSweep: UInt64 = 0
    private var stopAt: UInt64?

    /// Poll id of the inbox. Listeners have the ids from 1.
    private static let inboxID: UInt64 = 0
    /// Nanoseconds between two checks of the deadlines.
    private static let sweepInterval: UInt64 = 250_000_000
    /// Microseconds to yield to the stand after a round.
    private static let yieldTime: UInt32 = 50
    /// Connections accepted in one round.
    private static let mostAccepted = 64
    /// The most connections refused in a row. Meanwhile others close and make room.
    private static let mostTurnedAway = 8

    /// - Throws: ``FileError`` if the system has no descriptors left.
    init(_ listeners: [ListeningSocket], _ context: HTTPContext) throws(FileError) {
        let poller = try Poller()
        var isWatching = poller.add(context.inbox.readEnd, id: Self.inboxID, for: .reading)
        for (index, listener) in listeners.enumerated() {
            isWatching = poller.add(listener.socket.descriptor, id: UInt64(index) + 1, for: .reading) && isWatching
        }
        guard isWatching else { throw FileError(lastErrorAt: "epoll") }
        self.listeners = listeners
        self.context = context
        self.poller = poller
    }

    /// Serves until a stop message has come and all connections are closed.
    consuming func run() {
        while !isDone {
            let count = poller.wait(milliseconds: timeToWait)
            context.now = monotonicNanoseconds()
            for index in 0..<count {
                let (id, readiness) = poller[index]
                switch id {
                case Self.inboxID: takeMessages()
                // A stop message in this round has closed the listeners.
                case 1...UInt64(UInt32.max): if Int(id) <= listeners.count { accept(listeners[Int(id) - 1]) }
                default: use(id) { $0.handle(readiness) }
                }
            }
            if context.inbox.wantsPump && context.now >= nextPump { pump() }
            if context.now >= nextSweep { sweep() }
            if context.options.givesWay() { usleep(Self.yieldTime) }
        }
        for connection in connections.values {
            connection.end()
            connection.socket.close()
        }
    }

    /// Nanoseconds between two feeds of few streams.
    private static let leastInterval: UInt64 = 20_000_000
    /// Nanoseconds that each stream adds.
    private static let intervalOfStream: UInt64 = 100_000

    private var isDone: Bool { stopAt.map { connections.isEmpty || context.now >= $0 } ?? false }

    /// Milliseconds until the next deadline; -1 for none.
    private var timeToWait: Int32 {
        var next: UInt64?
        if !connections.isEmpty || !listenersAreWatched { next = nextSweep }
        if context.inbox.wantsPump { next = min(next ?? nextPump, nextPump) }
        if let stopAt { next = min(next ?? stopAt, stopAt) }
        guard let next else { return -1 }
        let now = monotonicNanoseconds()
        return next <= now ? 0 : Int32((next - now + 999_999) / 1_000_000)
    }
}

// MARK: - Connections

extension HTTPEventLoop {
    /// Calls `body` with a connection, then updates what is watched.
    private mutating func use(_ id: UInt64, _ body: (HTTPConnection) -> Void) {
        guard let connection = connections[id] else { return }
        let interest = connection.interest
        let wasStreaming = connection.isStreaming
        body(connection)
        if connection.isStreaming != wasStreaming {
            if wasStreaming { streams.remove(id) } else { streams.insert(id) }
            context.counters.streams.store(streams.count, ordering: .relaxed)
        }
        if connection.isClosed {
            poller.remove(connection.socket.descriptor)
            connection.socket.close()
            connections[id] = nil
            if let network = connection.network {
                crowds[network]! -= 1
                if crowds[network] == 0 { crowds[network] = nil }
            }
            context.counters.connections.store(connections.count, ordering: .relaxed)
            if !listenersAreWatched { watchListeners(true) }
        } else if connection.interest != interest {
            poller.change(connection.socket.descriptor, id: id, for: connection.interest)
        }
    }

    private mutating func takeMessages() {
        for message in context.inbox.take() {
            switch message {
            case .reply(let id, let response): use(id) { $0.reply(response) }
            case .feed(let id): use(id) { $0.pump() }
            case .stop(let time):
                context.isStopping = true
                stopAt = context.now + time
                for listener in listeners {
                    poller.remove(listener.socket.descriptor)
                    listener.close()
                }
                listeners = []
                for id in connections.keys { use(id) { $0.stop() } }
            }
        }
    }

    private mutating func pump() {
        context.inbox.grantPump()
        let interval = max(Self.leastInterval, UInt64(streams.count) * Self.intervalOfStream)
        nextPump = context.now + min(interval, context.options.streamInterval.nanoseconds)
        for id in streams { use(id) { $0.pump() } }
    }

    private mutating func sweep() {
        nextSweep = context.now + Self.sweepInterval
        reserve.take()
        for (id, connection) in connections where connection.deadline <= context.now { use(id) { $0.expire() } }
        if !listenersAreWatched { watchListeners(true) }
    }
}

// MARK: - Accepting

extension HTTPEventLoop {
    private mutating func accept(_ listener: ListeningSocket) {
        for _ in 0..<Self.mostAccepted {
            switch listener.socket.accept() {
            case .connection(let socket, let peer): take(socket, from: peer?.network, listener)
            case .aborted: continue
            case .none: return
            case .exhausted:
                context.counters.exhausted.increment()
                turnAwayWithReserve(listener)
                // Trying again at once would spin. The next sweep or closed connection resumes.
                return watchListeners(false)
            }
        }
    }

    private mutating func take(_ socket: Socket, from network: UInt64?, _ listener: ListeningSocket) {
        context.counters.accepted.increment()
        lastID += 1
        let options = context.options
        let isLocal = listener.transport == .local
        let most = options.mostConnections - (isLocal ? 0 : options.keptForLocal)
        let crowd = network.flatMap { crowds[$0] } ?? 0
        guard connections.count < most, isLocal || crowd < max(1, Int(options.shareOfAddress * Double(most))),
            poller.add(socket.descriptor, id: lastID, for: .reading)
        else { return turnAway(socket) }
        if let network { crowds[network] = crowd + 1 }
        if !isLocal { socket.sendAtOnce() }
        socket.keepUnsent(Int32(options.sendBuffer))
        connections[lastID] = HTTPConnection(socket, listener.transport, from: network, id: lastID, context)
        context.counters.connections.store(connections.count, ordering: .relaxed)
    }

    /// Answers 503, as far as the socket takes the response without blocking, and closes.
    private mutating func turnAway(_ socket: Socket) {
        context.counters.turnedAway.increment()
        var output = HTTPOutput()
        let response = HTTPResponse.problem(.serviceUnavailable, "too many connections; try again later")
        output.appendHead(response.with("retry-after", "1"), context, length: response.content.count)
        output.append(response.content)
        _ = output.send(over: socket)
        socket.finishSending()
        socket.close()
    }

    /// Accepts and refuses connections, one after the other with the reserved descriptor.
    private mutating func turnAwayWithReserve(_ listener: ListeningSocket) {
        reserve.release()
        for _ in 0..<Self.mostTurnedAway {
            guard case .connection(let socket, _) = listener.socket.accept() else { break }
            context.counters.accepted.increment()
            turnAway(socket)
        }
        reserve.take()
    }

    private mutating func watchListeners(_ isWatched: Bool) {
        guard isWatched != listenersAreWatched else { return }
        listenersAreWatched = isWatched
        for (index, listener) in listeners.enumerated() {
            poller.change(listener.socket.descriptor, id: UInt64(index) + 1, for: isWatched ? .reading : [])
        }
    }
}

/// A descriptor held in reserve, so that a client can be refused when none is left.
private struct ReserveDescriptor: ~Copyable {
    private var descriptor: Int32 = -1

    init() { take() }

    deinit { if descriptor >= 0 { close(descriptor) } }

    mutating func take() {
        guard descriptor < 0 else { return }
        descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    }

    mutating func release() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }
}
