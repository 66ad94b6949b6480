import Dispatch
import HTTPServer
import JuiceStand
import Platform

/// Answers those who ask for the stand's figures, however often they do.
///
/// Every copy of what a stand records in costs its queue the time to make another one: who asks while a copy is being
/// written out shares the next, which is then never older than the question.
final class MetricsDesk: Sendable {
    private struct Asking {
        var waiting: [HTTPReply] = []
        /// Whether a copy has just been made, or is about to be.
        var isBusy = false
    }

    /// Between two copies.
    private static let pause = DispatchTimeInterval.milliseconds(50)

    private let control: StandControl
    private let text: @Sendable (Measured) -> String
    private let writing = DispatchQueue(label: "metrics", qos: .utility)
    private let asking = Guarded(Asking())

    /// - Parameter text: Writes a copy out; called on a queue of the desk's own.
    init(_ control: StandControl, text: @escaping @Sendable (Measured) -> String) {
        self.control = control
        self.text = text
    }

    /// Answers with how things are after the call.
    func ask(_ reply: HTTPReply) {
        let isFirst = asking.withLock { asking in
            asking.waiting.append(reply)
            defer { asking.isBusy = true }
            return !asking.isBusy
        }
        if isFirst { measure() }
    }

    private func measure() {
        let take: @Sendable (Measured?) -> Void = { [self] measured in
            // Nothing has happened since the copy was made.
            let replies = asking.withLock { asking in
                defer { asking.waiting = [] }
                return asking.waiting
            }
            // Writing takes long, and the stand's queue has customers.
            writing.async { self.answer(replies, measured) }
        }
        control.inspect({ stand, _, lateness in Measured(stand, lateness) }, then: take)
    }

    private func answer(_ replies: [HTTPReply], _ measured: Measured?) {
        let response =
            measured.map { HTTPResponse(type: MetricsText.mediaType, content: Array(text($0).utf8)) }
            ?? .problem(.serviceUnavailable, "the stand has closed")
        for reply in replies { reply.send(response) }
        writing.asyncAfter(deadline: .now() + Self.pause) { [self] in
            let isWanted = asking.withLock { asking in
                asking.isBusy = !asking.waiting.isEmpty
                return asking.isBusy
            }
            if isWanted { measure() }
        }
    }
}

/// What only the stand itself can say: copied between two events, so that all of it fits together.
struct Measured: Sendable {
    let status: StandStatus
    let waits: Histogram
    let stays: Histogram
    let lateness: Histogram
    let supply: [(orders: Int, delivered: Int, spoiled: Int)]
    let revenue: Double

    init(_ stand: Stand, _ lateness: LiveDriver.Lateness) {
        status = StandStatus(stand, time: stand.now, speed: 1)
        waits = stand.tally.waits
        stays = stand.tally.stays
        self.lateness = lateness.spans
        supply = stand.supply
        revenue = stand.tally.revenue
    }
}
