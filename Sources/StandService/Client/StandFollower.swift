import JuiceStand
import Platform
import StandState
import TextFormats

/// Follows a stand through its events, also past its restarts: every event once, in order.
///
/// A thread of its own asks for ``next()``, which waits.
package struct StandFollower {
    /// What there is to know next.
    package enum News: Equatable, Sendable {
        /// A line of the ledger, without its line feed.
        case event(line: ArraySlice<UInt8>, sequence: UInt64)
        /// The stand can't give the events between these numbers; it goes on with `first`.
        case gap(after: UInt64, first: UInt64)
        /// Another stand answers than the one that had come to the event `after`; it goes on with `first`.
        case otherStand(after: UInt64, first: UInt64)
        /// Nobody answers any more; ``next()`` waits for the stand.
        case away(reason: String)
        /// The stand answers again.
        case back
    }

    /// Milliseconds between two attempts to reach a stand that is away.
    private static let retryTime: Int32 = 250
    /// Milliseconds after which a stand that says nothing at all, not even that it is there, is taken to be away.
    private static let silence: Int32 = 60_000

    private let path: String
    private let stop: StopSignal
    private let output: Int32?
    private var stream: EventStream?
    private var waiting: [EventStream.Item] = []
    private var isAway = false
    private var hasEnded = false
    /// Which stand it is: what is fixed when a stand opens.
    private var identity: [JSONValue]?
    /// The number of the last event that was told.
    package private(set) var place: UInt64

    /// - Parameters:
    ///   - path: The stand's socket.
    ///   - place: Events after that number are wanted.
    ///   - output: A descriptor whose reader may go away; following then ends.
    ///   - stop: Ends following.
    package init(path: String, after place: UInt64, output: Int32? = nil, stop: StopSignal) {
        self.path = path
        self.place = place
        self.output = output
        self.stop = stop
    }

    /// Waits for what is next; nil when the stand has closed, or following was stopped, or its reader is gone.
    package mutating func next() -> News? {
        while true {
            if let item = waiting.popLast() {
                if let news = news(item) { return news }
                continue
            }
            if hasEnded { return nil }
            if let news = stream == nil ? connect() : listen() { return news }
            // What does not answer is asked again in a moment.
            if isOver || (stream == nil && wait(for: nil, Self.retryTime) == .stopped) { return nil }
        }
    }

    /// Lets go of the connection.
    package mutating func close() {
        stream?.socket.close()
        stream = nil
    }

    private mutating func news(_ item: EventStream.Item) -> News? {
        switch item {
        case .sign:
            defer { isAway = false }
            return isAway ? .back : nil
        case .line(let line, let sequence):
            // Never twice, whatever the stand says.
            guard sequence > place else { return nil }
            place = sequence
            if LedgerEvent.name(of: line) == "closed" {
                hasEnded = true
                waiting = []
            }
            return .event(line: line, sequence: sequence)
        case .gap(let after, let first):
            place = first - 1
            return first > after ? .gap(after: after, first: first) : .otherStand(after: after, first: first)
        }
    }

    private mutating func connect() -> News? {
        do throws(StandClient.Failure) {
            let status = try StandClient(path: path).send(.get, "/api/v1/status").json
            guard let opens = status?["opens"], let seed = status?["seed"] else {
                return lose("the stand does not say which it is")
            }
            let found = [opens, seed]
            let (known, after) = (identity ?? found, place)
            identity = found
            if known != found { place = 0 }
            stream = try EventStream(path: path, after: place)
            return known == found ? nil : .otherStand(after: after, first: 1)
        } catch {
            return lose(error.reason)
        }
    }

    /// Takes what the stand says next.
    private mutating func listen() -> News? {
        guard let descriptor = stream?.socket.descriptor else { return nil }
        switch wait(for: descriptor, Self.silence) {
        case .stopped: return nil
        case .nothing: return lose("the stand has been silent for \(Self.silence / 1000) s")
        case .ready:
            guard let items = stream?.receive() else { return lose("the stand has hung up") }
            waiting = items.reversed()
            return nil
        }
    }

    /// - Returns: the news, where it is news.
    private mutating func lose(_ reason: String) -> News? {
        close()
        defer { isAway = true }
        return isAway ? nil : .away(reason: reason)
    }

    /// Whether it was stopped, or its reader is gone.
    package var isOver: Bool { wait(for: nil, 0) == .stopped }

    private enum Waited {
        case ready
        case nothing
        case stopped
    }

    private func wait(for descriptor: Int32?, _ milliseconds: Int32) -> Waited {
        var requests = [
            pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
            // Asks for nothing: that the reader has gone is always told.
            pollfd(fd: output ?? -1, events: 0, revents: 0),
            pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        let ready = unsafe poll(&requests, nfds_t(requests.count), milliseconds)
        if requests[0].revents != 0 || requests[1].revents != 0 { return .stopped }
        return ready > 0 || ready < 0 ? .ready : .nothing
    }
}

extension StandClient.Failure {
    /// What went wrong, without the socket's path.
    package var reason: String {
        switch self {
        case .unreachable(_, let reason), .unanswered(_, let reason): reason
        }
    }
}

/// Ends a wait from any thread, once and for all.
package final class StopSignal: Sendable {
    let descriptor: Int32
    private let writeEnd: Int32

    package init() {
        var ends: [Int32] = [-1, -1]
        let status = unsafe pipe(&ends)
        precondition(status == 0, "no pipe to stop with: error \(errno)")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (descriptor, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writeEnd)
    }

    package func stop() {
        var byte: UInt8 = 0
        _ = unsafe write(writeEnd, &byte, 1)
    }
}
