import JuiceStand
import Platform
import StandState
import TextFormats

/// Follows the events of a stand, across restarts: every event once, in order.
///
/// ``next()`` blocks, so call it on a thread of its own.
package struct StandFollower {
    /// What happens next.
    package enum News: Equatable, Sendable {
        /// A line of the ledger, without its line feed.
        case event(line: ArraySlice<UInt8>, sequence: UInt64)
        /// The events between these numbers are lost; `first` comes next.
        case gap(after: UInt64, first: UInt64)
        /// Another stand answers than the one followed up to event `after`; `first` comes next.
        case otherStand(after: UInt64, first: UInt64)
        /// The stand no longer answers; ``next()`` waits for it.
        case away(reason: String)
        /// The stand answers again.
        case back
    }

    /// Milliseconds between two attempts to reconnect.
    private static let retryTime: Int32 = 250
    /// Milliseconds without even a heartbeat after which a stand counts as gone.
    private static let silence: Int32 = 60_000

    private let path: String
    private let stop: StopSignal
    private let output: Int32?
    private var stream: EventStream?
    private var waiting: [EventStream.Item] = []
    private var isAway = false
    private var hasEnded = false
    /// Identifies the stand: its opening date and seed.
    private var identity: [JSONValue]?
    /// The stand's clock when it was last reached.
    package private(set) var clock = StandClock(status: nil)
    /// The number of the last event returned.
    package private(set) var place: UInt64

    /// - Parameters:
    ///   - path: The stand's socket.
    ///   - place: Follows the events after that number.
    ///   - output: Following ends when the reader of this descriptor goes away.
    ///   - stop: Ends following.
    package init(path: String, after place: UInt64, output: Int32? = nil, stop: StopSignal) {
        self.path = path
        self.place = place
        self.output = output
        self.stop = stop
    }

    /// Waits for the next news; nil once the stand has closed, following was stopped, or the reader is gone.
    package mutating func next() -> News? {
        while true {
            if let item = waiting.popLast() {
                if let news = news(item) { return news }
                continue
            }
            if hasEnded { return nil }
            if let news = stream == nil ? connect() : listen() { return news }
            // Retries after a moment.
            if isOver || (stream == nil && wait(for: nil, Self.retryTime) == .stopped) { return nil }
        }
    }

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
            // Never twice, whatever the stand sends.
            guard sequence > place else { return nil }
            place = sequence
            if LedgerLine.head(line)?.event == "closed" {
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
                return lose("the status has no opening date and seed")
            }
            let found = [opens, seed]
            let (known, after) = (identity ?? found, place)
            identity = found
            clock = StandClock(status: status)
            if known != found { place = 0 }
            stream = try EventStream(path: path, after: place)
            return known == found ? nil : .otherStand(after: after, first: 1)
        } catch {
            return lose(error.reason)
        }
    }

    /// Receives what the stand sends next.
    private mutating func listen() -> News? {
        guard let descriptor = stream?.socket.descriptor else { return nil }
        switch wait(for: descriptor, Self.silence) {
        case .stopped: return nil
        case .nothing: return lose("the stand has sent nothing for \(Self.silence / 1000) s")
        case .ready:
            guard let items = stream?.receive() else { return lose("the stand closed the connection") }
            waiting = items.reversed()
            return nil
        }
    }

    /// - Returns: The news, unless the stand was gone already.
    private mutating func lose(_ reason: String) -> News? {
        close()
        defer { isAway = true }
        return isAway ? nil : .away(reason: reason)
    }

    /// Whether following was stopped or the reader is gone.
    package var isOver: Bool { wait(for: nil, 0) == .stopped }

    private enum Waited {
        case ready
        case nothing
        case stopped
    }

    private func wait(for descriptor: Int32?, _ milliseconds: Int32) -> Waited {
        var requests = [
            pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
            // No events requested: a reader that goes away is always reported.
            pollfd(fd: output ?? -1, events: 0, revents: 0),
            pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        let ready = unsafe poll(&requests, nfds_t(requests.count), milliseconds)
        if requests[0].revents != 0 || requests[1].revents != 0 { return .stopped }
        return ready == 0 ? .nothing : .ready
    }
}

extension StandClient.Failure {
    /// What went wrong, without the path of the socket.
    package var reason: String {
        switch self {
        case .unreachable(_, let reason), .unanswered(_, let reason): reason
        }
    }
}

/// Ends a wait for good, from any thread.
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
