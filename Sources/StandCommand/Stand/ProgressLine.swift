import Dispatch
import JuiceStand
import Platform
import StandExperiments
import Synchronization
import TerminalView
import TextFormats

/// A progress line on standard error, replaced in place. Shown only on a terminal, and only after two seconds.
final class ProgressLine: Sendable {
    private let name: String
    private let start = ContinuousClock().now
    private let sink = FileLineSink(descriptor: 2, name: "standard error")
    private let isDrawn = Mutex(false)

    init(_ name: String) {
        self.name = name
    }

    /// Replaces the line by `text`.
    func show(_ message: String) {
        guard isTerminal(2), ContinuousClock().now - start > .seconds(2) else { return }
        let width = max(20, TerminalScreen.size(2).columns - 1)
        sink.write("\r\u{1B}[K" + "\(name): \(message)".clipped(to: width))
        isDrawn.withLock { $0 = true }
    }

    /// Erases the line.
    func end() {
        if isDrawn.withLock({ $0 }) { sink.write("\r\u{1B}[K") }
    }

    /// Shows the progress of an experiment four times a second while `body` runs it.
    static func show<Result>(_ name: String, _ progress: ExperimentProgress, while body: () -> Result) -> Result {
        guard isTerminal(2) else { return body() }
        let line = ProgressLine(name)
        let queue = DispatchQueue(label: "progress")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { @Sendable in
            line.show(progress.reading.text(after: (ContinuousClock().now - line.start) / .seconds(1)))
        }
        timer.schedule(deadline: .now(), repeating: .milliseconds(250))
        timer.resume()
        let result = body()
        timer.cancel()
        queue.sync {}
        line.end()
        return result
    }
}

extension ExperimentProgress.Reading {
    /// `42%, 17 of 40 replications, 3,100,000 orders/s, 12 s left`, or
    /// `3 of 81 settings in the race, 1,400 replications, 3,100,000 orders/s`.
    fileprivate func text(after seconds: Double) -> String {
        let rate = "\(Columns.grouped(Int(Double(orders) / seconds))) orders/s"
        if let race {
            return "\(Columns.grouped(race.left)) of \(Columns.grouped(race.all)) settings in the race, "
                + "\(Columns.counted(replicationsDone, "replication")), \(rate)"
        }
        var text = rate
        if replicationsExpected > 1 {
            let done = Columns.grouped(replicationsDone)
            text = "\(done) of \(Columns.grouped(replicationsExpected)) replications, \(text)"
        }
        let share = secondsExpected > 0 ? min(1, secondsDone / secondsExpected) : 0
        if secondsExpected > 0 { text = "\(Int(share * 100))%, \(text)" }
        guard share > 0.001 else { return text }
        let left = Columns.grouped(Int((seconds / share * (1 - share)).rounded(.up)))
        return "\(text), \(left) s left"
    }
}
