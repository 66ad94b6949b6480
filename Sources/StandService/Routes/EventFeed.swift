import HTTPServer
import JuiceStand
import Platform
import StandState
import Synchronization
import TextFormats

/// The ledger as Server-Sent Events for any number of listeners. The id of an event is its sequence number.
///
/// Each listener has its own position in the latest lines. What follows a position is formatted once and shared by all
/// listeners there.
final class EventFeed: Sendable {
    private struct Written {
        var after: UInt64
        var last: UInt64
        var bytes: [UInt8]
    }

    private let control: StandControl
    private let pump: @Sendable () -> Void
    private let written = Guarded<Written?>(nil)
    private let delivery = Guarded(Histogram())
    private let listeners = Atomic(0)
    /// Monotonic nanoseconds since when new lines wait for listeners; 0 if none do.
    private let waitingSince = Atomic<UInt64>(0)

    init(_ control: StandControl, pump: @escaping @Sendable () -> Void) {
        self.control = control
        self.pump = pump
        // The tail holds this closure and this feed holds the stand: avoid a cycle.
        control.tail.whenWritten { [weak self] in
            guard let self, listeners.load(ordering: .relaxed) > 0 else { return }
            _ = waitingSince.compareExchange(expected: 0, desired: monotonicNanoseconds(), ordering: .relaxed)
            pump()
        }
    }

    /// Wall time from the announcement of events until they were handed to the connections.
    var deliveries: Histogram { delivery.withLock { $0 } }

    var route: Route {
        Route(
            .get, "/api/v1/events",
            .init(
                name: "events",
                summary:
                    "Events as they happen, from now on or after a sequence number. An event `gap` reports events "
                    + "that are no longer kept",
                answer: .text("text/event-stream"), problems: [.badRequest],
                parameters: [.lastEventID, .afterEvent])
        ) { [self] request, _ throws(RouteRefusal) in
            let texts = [request.fields["last-event-id"], request.queryItem("after")]
            let numbers = texts.compactMap { $0.map(HTTPGrammar.count) }
            guard !numbers.contains(nil) else {
                throw RouteRefusal(.badRequest, "Last-Event-ID and after must be sequence numbers")
            }
            // A browser that reconnects sends its last id along with the old query.
            return .stream(HTTPResponse(type: "text/event-stream"), listener(after: numbers.first ?? nil))
        }
    }

    /// - Parameter sequence: The sequence number of the last event that the listener has; nil for new events only.
    func listener(after sequence: UInt64?) -> any HTTPBody {
        listeners.add(1, ordering: .relaxed)
        let listener = Listener(self, after: sequence)
        // Only the stand's queue knows the last event: the published status may be older.
        control.follow { [pump] last in
            listener.begin(present: last)
            pump()
        }
        return listener
    }

    /// The events after a position, as they are sent.
    private func read(after sequence: UInt64, limit: Int) -> EventReading {
        let known = written.withLock { $0 }
        if let known, known.after == sequence { return .lines(known.bytes, last: known.last) }
        let reading = control.events(after: sequence, limit: limit)
        guard case .lines(let lines, let last) = reading else { return reading }
        let bytes = Self.written(lines, after: sequence)
        written.withLock { $0 = Written(after: sequence, last: last, bytes: bytes) }
        let since = waitingSince.exchange(0, ordering: .relaxed)
        if since > 0 {
            let time = SimulationTime(nanoseconds: Int64(monotonicNanoseconds() - since))
            delivery.withLock { $0.record(time) }
        }
        return .lines(bytes, last: last)
    }

    private static func written(_ lines: [UInt8], after sequence: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines.count + lines.count / 4)
        var number = sequence
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            number += 1
            bytes += "id: \(number)\ndata: ".utf8
            bytes += line
            bytes += "\n\n".utf8
        }
        return bytes
    }

    private final class Listener: HTTPBody {
        private struct State {
            /// The number of the last event sent; nil until the stand has reported its last event.
            var sequence: UInt64?
            /// Sent before anything else.
            var pending: [UInt8]
            /// Whether any event was sent.
            var hasRead = false
            /// Whether older events are being read from the ledger's files.
            var isRecalling = false
            /// Whether the files do not have the next event.
            var isGone = false
            /// Where the next events are in the ledger's files.
            var end: LedgerHistory.Place?
            /// Requests another read.
            var wake: @Sendable () -> Void = {}
        }

        private let feed: EventFeed
        private let wish: UInt64?
        // Milliseconds until a browser reconnects.
        private let state = Guarded(State(pending: Array("retry: 1000\n\n".utf8)))
        /// A comment in the format of Server-Sent Events.
        let heartbeat = Array(": heartbeat\n\n".utf8)

        init(_ feed: EventFeed, after sequence: UInt64?) {
            self.feed = feed
            wish = sequence
        }

        /// Starts at the requested event, or now. A number that the stand has not reached comes from another stand.
        func begin(present: UInt64) {
            state.withLock { state in
                state.sequence = min(wish ?? present, present)
                if let wish, wish > present { state.pending += Self.gap(after: wish, first: present + 1) }
            }
        }

        func read(into bytes: inout [UInt8], atMost count: Int) -> HTTPBodyState {
            state.withLock { state in
                bytes += state.pending
                state.pending = []
                guard let sequence = state.sequence, !state.isRecalling else { return .open }
                switch feed.read(after: sequence, limit: count) {
                case .upToDate: return .open
                case .lines(let lines, let last):
                    bytes += lines
                    state.sequence = last
                    state.hasRead = true
                    state.isGone = false
                case .gone(let first) where state.isGone:
                    guard !state.hasRead else { return .fellBehind }
                    bytes += Self.gap(after: sequence, first: first)
                    state.sequence = first - 1
                    state.isGone = false
                case .gone:
                    state.isRecalling = true
                    recall(after: sequence, limit: count, from: state.end)
                    return .open
                }
                return .hasMore
            }
        }

        /// Reads older events from the ledger's files, one piece at a time.
        private func recall(after sequence: UInt64, limit: Int, from end: LedgerHistory.Place?) {
            feed.control.recall(after: sequence, limit: limit, from: end) { [self] lines in
                let written = lines.map { EventFeed.written($0.bytes, after: sequence) } ?? []
                let wake = state.withLock { state in
                    state.isRecalling = false
                    state.isGone = lines == nil
                    state.end = lines?.end
                    state.pending += written
                    if let lines {
                        state.sequence = lines.last
                        state.hasRead = true
                    }
                    return state.wake
                }
                wake()
            }
        }

        func begin(wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

        func ended() { feed.listeners.subtract(1, ordering: .relaxed) }

        /// Reports a gap up to the event before `first`. A listener that reconnects resumes there.
        private static func gap(after sequence: UInt64, first: UInt64) -> [UInt8] {
            Array("id: \(first - 1)\nevent: gap\ndata: {\"after\":\(sequence),\"first\":\(first)}\n\n".utf8)
        }
    }
}
