import JuiceStand
import Platform

/// A line on standard error about a job that counts its work. Shown only on a terminal, and only after two seconds.
struct CountLine {
    private static let delay = Duration.seconds(2)
    private static let period = Duration.milliseconds(250)

    private let name: String
    private let sink = FileLineSink(descriptor: 2, name: "standard error")
    private let start = ContinuousClock().now
    private var last: ContinuousClock.Instant?

    init(_ name: String) {
        self.name = name
    }

    /// Replaces the line by `text`, unless it was replaced a moment ago.
    mutating func show(_ text: String) {
        let now = ContinuousClock().now
        guard isTerminal(2), now - start > Self.delay, last.map({ now - $0 > Self.period }) ?? true else { return }
        sink.write("\r\u{1B}[K\(name): \(text)")
        last = now
    }

    /// Erases the line.
    func end() {
        if last != nil { sink.write("\r\u{1B}[K") }
    }
}
