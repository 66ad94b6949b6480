import Dispatch
import HTTPServer
import JuiceStand
import Platform

/// Answers requests for metrics, at any request rate.
///
/// A copy of the stand's histograms takes time on its queue. So requests that arrive while one copy is formatted share
/// the next copy, which is never older than the request.
final class MetricsCollector: Sendable {
    private struct Asking {
        var waiting: [HTTPReply] = []
        /// Whether a copy is under way or was just made.
        var isBusy = false
    }

    /// The shortest interval between two copies.
    private static let pause = DispatchTimeInterval.milliseconds(50)

    private let control: StandControl
    private let text: @Sendable (Measured) -> String
    private let writing = DispatchQueue(label: "metrics", qos: .utility)
    private let asking = Guarded(Asking())

    /// - Parameter text: Formats a copy. Called on a queue of the collector.
    init(_ control: StandControl, text: @escaping @Sendable (Measured) -> String) {
        self.control = control
        self.text = text
    }

    /// Replies with metrics that are not older than the call.
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
            // On the stand's queue: the copy is current.
            let waiting = asking.exchange(\.waiting, for: [])
            // Formatting takes too long for the stand's queue.
            writing.async { self.answer(waiting, measured) }
        }
        control.inspect({ [control] in Measured(control.observers, $0, time: $1, $2) }, then: take)
    }

    private func answer(_ waiting: [HTTPReply], _ measured: Measured?) {
        let response =
            measured.map { HTTPResponse(type: MetricsText.mediaType, content: Array(text($0).utf8)) }
            ?? .problem(ProblemType.closed, "the stand has closed")
        for reply in waiting { reply.send(response) }
        writing.asyncAfter(deadline: .now() + Self.pause) { [self] in
            let isWanted = asking.withLock { asking in
                asking.isBusy = !asking.waiting.isEmpty
                return asking.isBusy
            }
            if isWanted { measure() }
        }
    }
}

/// A consistent copy of what observers and engine know, taken between two events.
struct Measured: Sendable {
    let status: StandStatus
    let records: EngineFigures.Records
    let lateness: Histogram

    init(_ observers: StandObservers, _ stand: Stand, time: SimulationTime, _ lateness: LiveDriver.Lateness) {
        status = StandStatus(observers, EngineFigures(stand), time: time, speed: 1)
        records = EngineFigures.Records(stand)
        self.lateness = lateness.spans
    }
}
