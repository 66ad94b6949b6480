import Dispatch
import JuiceStand
import Platform
import StandExperiments
import StandService
import Synchronization
import TerminalView
import TextFormats

/// A progress line on standard error, redrawn in place. Shown only on a terminal, and only after two seconds.
final class ProgressLine {
    private static let delay = DispatchTimeInterval.seconds(2)
    private static let period = DispatchTimeInterval.milliseconds(250)

    private let timer: any DispatchSourceTimer
    private let queue = DispatchQueue(label: "progress")
    private let drawing: Drawing

    /// The state that the timer's handler and ``end()`` share.
    private final class Drawing: Sendable {
        private let name: String
        private let progress: ExperimentProgress
        private let start = ContinuousClock().now
        private let sink = FileLineSink(descriptor: 2, name: "standard error")
        private let isDrawn = Mutex(false)

        init(_ name: String, _ progress: ExperimentProgress) {
            self.name = name
            self.progress = progress
        }

        func draw() {
            let elapsed = ContinuousClock().now - start
            let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
            let width = max(20, TerminalScreen.size(2).columns - 1)
            sink.write("\r\u{1B}[K" + String(progress.reading.text(name, after: seconds).prefix(width)))
            isDrawn.withLock { $0 = true }
        }

        func clear() {
            if isDrawn.withLock({ $0 }) { sink.write("\r\u{1B}[K") }
        }
    }

    init(_ name: String, _ progress: ExperimentProgress) {
        drawing = Drawing(name, progress)
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { @Sendable [drawing] in drawing.draw() }
        timer.schedule(deadline: .now() + Self.delay, repeating: Self.period)
        if isTerminal(2) { timer.resume() }
    }

    /// Stops the timer and erases the line.
    func end() {
        timer.cancel()
        // A suspended source must be resumed before it is released.
        if !isTerminal(2) { timer.resume() }
        queue.sync {}
        drawing.clear()
    }
}

extension ExperimentProgress.Reading {
    /// `simulate: 42%, 17 of 40 replications, 3,100,000 orders/s, 12 s left`, or
    /// `plan: 3 of 81 settings in the race, 1,400 replications, 3,100,000 orders/s`.
    func text(_ name: String, after seconds: Double) -> String {
        var parts: [String] = []
        if let race {
            parts.append("\(Columns.grouped(race.left)) of \(Columns.grouped(race.all)) settings in the race")
            parts.append(Columns.counted(replicationsDone, "replication"))
            parts.append("\(Columns.grouped(Int(Double(orders) / seconds))) orders/s")
            return "\(name): " + parts.joined(separator: ", ")
        }
        let share = secondsExpected > 0 ? min(1, secondsDone / secondsExpected) : 0
        if secondsExpected > 0 { parts.append("\(Int(share * 100))%") }
        if replicationsExpected > 1 {
            parts.append(
                "\(Columns.grouped(replicationsDone)) of \(Columns.grouped(replicationsExpected)) replications")
        }
        parts.append("\(Columns.grouped(Int(Double(orders) / seconds))) orders/s")
        if share > 0.001 {
            parts.append("\(Columns.grouped(Int((seconds / share * (1 - share)).rounded(.up)))) s left")
        }
        return "\(name): " + parts.joined(separator: ", ")
    }
}
