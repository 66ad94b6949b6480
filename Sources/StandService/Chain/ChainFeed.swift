import Dispatch
import HTTPServer
import JuiceStand
import Platform
import TextFormats

/// The events of many stands as one stream of Server-Sent Events.
///
/// Each listener follows the stands by itself, from where it was. So a slow one slows its own connections to the
/// stands, and no other listener. A message has all lines that arrived together, one in each field `data`; its id is how
/// far every stand has come with them.
final class ChainFeed: Sendable {
    private let targets: StandTargets
    private let listeners = Guarded(0)

    /// Listeners at once: each has its own connections to all stands, and a thread.
    static let mostListeners = 16

    init(_ targets: StandTargets) { self.targets = targets }

    var route: Route {
        Route(
            .get, "/api/v1/events",
            .init(
                name: "events", summary: "Events of all stands as they happen, from now on or after an id",
                answer: .text("text/event-stream"), problems: [.badRequest, .serviceUnavailable],
                parameters: [.lastEventID, .afterEvent])
        ) { [self] request, _ in
            let text = request.fields["last-event-id"] ?? request.queryItem("after")
            let place = text.map { ChainPlace($0) }
            if case .some(.none) = place {
                return .now(.problem(.badRequest, "Last-Event-ID and after must be an id of this stream, or 0"))
            }
            let isFree = listeners.withLock { count in
                guard count < Self.mostListeners else { return false }
                count += 1
                return true
            }
            guard isFree else {
                return .now(.problem(.serviceUnavailable, "\(Self.mostListeners) others follow these stands already"))
            }
            let listener = Listener(targets, after: place ?? nil) { [self] in listeners.withLock { $0 -= 1 } }
            return .stream(HTTPResponse(type: "text/event-stream"), listener)
        }
    }

    private final class Listener: HTTPBody {
        private struct State {
            /// What is sent next. Milliseconds until a browser reconnects come first.
            var bytes = Array("retry: 1000\n\n".utf8)
            /// Whether all stands have closed.
            var isComplete = false
            /// Whether the thread that follows the stands waits for room.
            var isWaiting = false
            /// Whether the connection has closed.
            var hasEnded = false
        }

        private let targets: StandTargets
        private let after: ChainPlace?
        private let whenEnded: @Sendable () -> Void
        private let state = Guarded(State())
        private let stop = StopSignal()
        /// Signalled when there is room again.
        private let room = DispatchSemaphore(value: 0)
        /// A comment in the format of Server-Sent Events.
        let heartbeat = Array(": heartbeat\n\n".utf8)

        /// Bytes at which a message ends, and at which the stands have to wait.
        private static let (mostOfMessage, mostUnsent) = (16 << 10, 64 << 10)

        init(_ targets: StandTargets, after place: ChainPlace?, _ whenEnded: @escaping @Sendable () -> Void) {
            (self.targets, after, self.whenEnded) = (targets, place, whenEnded)
        }

        func begin(wake: @escaping @Sendable () -> Void) {
            // A queue of its own, because it waits for the stands and for room. It ends with the connection.
            DispatchQueue(label: "listener").async { [self] in follow(wake) }
        }

        private func follow(_ wake: @escaping @Sendable () -> Void) {
            let stands = after
            var follower = StandsFollower(targets, .events { stands?[$0] }, stop: stop)
            var message = Message(isFromStart: stands?.isFromStart == true)
            while follower.advance({ stand, news in
                message.take(news, of: stand)
                if message.count >= Self.mostOfMessage { send(message.take(), wake) }
            }) {
                for stand in follower.stands { message.place.note(stand) }
                if message.hasNews { send(message.take(), wake) }
                // The page and the commands say what is wrong with the list.
                _ = try? follower.refresh()
            }
            follower.close()
            send(message.take() + Array("event: end\ndata: {}\n\n".utf8), wake)
            state.withLock { $0.isComplete = true }
            wake()
        }

        /// Waits until there is room.
        private func send(_ bytes: [UInt8], _ wake: @Sendable () -> Void) {
            let mustWait = state.withLock { state in
                state.bytes += bytes
                state.isWaiting = state.bytes.count > Self.mostUnsent && !state.hasEnded
                return state.isWaiting
            }
            wake()
            if mustWait { room.wait() }
        }

        func read(into bytes: inout [UInt8], atMost count: Int) -> HTTPBodyState {
            state.withLock { state in
                bytes += state.bytes.prefix(count)
                state.bytes.removeFirst(min(count, state.bytes.count))
                if state.bytes.count <= Self.mostUnsent { goOn(&state) }
                return !state.bytes.isEmpty ? .hasMore : state.isComplete ? .complete : .open
            }
        }

        func ended() {
            state.withLock { state in
                state.hasEnded = true
                goOn(&state)
            }
            stop.stop()
            whenEnded()
        }

        private func goOn(_ state: inout State) {
            if state.isWaiting { room.signal() }
            state.isWaiting = false
        }
    }
}

/// What is sent next of a stream.
private struct Message {
    /// Server-Sent Events that come before the lines.
    private var clocks: [UInt8] = []
    private var lines: [UInt8] = []
    /// What the lines of a stand begin with.
    private var marks: [String: [UInt8]] = [:]
    var place: ChainPlace.Writer

    init(isFromStart: Bool) { place = .init(isFromStart: isFromStart) }

    var count: Int { lines.count }
    /// Whether there is anything to send.
    var hasNews: Bool { !lines.isEmpty || place.hasNews }

    mutating func take(_ news: StandsFollower.News, of stand: FollowedStand) {
        switch news {
        case .event(let line, _): add(line, of: stand)
        case .gap(let after, let first):
            add(Array(ChainLine.missed(after + 1...first - 1).compact().utf8)[...], of: stand)
        // The other stand may have another opening.
        case .otherStand: marks[stand.nameOrTarget] = nil
        default: break
        }
    }

    private mutating func add(_ line: ArraySlice<UInt8>, of stand: FollowedStand) {
        let mark = mark(of: stand)
        lines += "data: ".utf8
        ChainLine.add(line, to: &lines, mark: mark)
        lines.append(UInt8(ascii: "\n"))
        place.note(stand)
    }

    private mutating func mark(of stand: FollowedStand) -> [UInt8] {
        let name = stand.nameOrTarget
        if let known = marks[name] { return known }
        let clock: JSONValue = ["stand": .string(name), "opens": stand.status?["opens"]]
        clocks += "event: stand\ndata: \(clock.compact())\n\n".utf8
        let mark = ChainLine.mark(name)
        marks[name] = mark
        return mark
    }

    /// Returns the message and begins the next one.
    mutating func take() -> [UInt8] {
        defer { (clocks, lines) = ([], []) }
        return clocks + Array("id: \(place.id())\n".utf8) + lines + [UInt8(ascii: "\n")]
    }
}
