import JuiceStand
import Platform
import TextFormats

/// The log of the program itself, on standard error: one line per event, as opposed to what happens at the stand.
///
/// Lines are `key=value` or JSON and start with the time and a level. Under systemd each line starts with its priority
/// in angle brackets, which the journal reads and removes.
package final class ServiceLog: Sendable {
    /// Severities with their syslog numbers.
    package enum Level: Int, Sendable {
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
    }

    private let sink: any LineSink
    private let isJSON: Bool
    private let hasPriority: Bool
    private let clock: StandClock
    /// Lines held back while a display has the terminal; nil if lines are written at once.
    private let waiting = Guarded<[String]?>(nil)
    /// Lines beyond this many are dropped.
    private static let mostWaiting = 1000

    /// The log on standard error.
    convenience init(isJSON: Bool, _ clock: StandClock) {
        let direct = FileLineSink(descriptor: 2, name: "standard error")
        let sink: any LineSink = isRegularFile(2) ? direct : BackgroundSink(direct) { _ in }
        self.init(isJSON: isJSON, hasPriority: Self.isJournal(2), clock, to: sink)
    }

    init(isJSON: Bool, hasPriority: Bool, _ clock: StandClock, to sink: any LineSink) {
        self.isJSON = isJSON
        self.hasPriority = hasPriority
        self.clock = clock
        self.sink = sink
    }

    /// Whether a descriptor leads to the journal of systemd: `JOURNAL_STREAM` names its device and inode.
    package static func isJournal(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        return environmentVariable("JOURNAL_STREAM") == "\(status.st_dev):\(status.st_ino)"
    }

    /// - Parameters:
    ///   - time: Stand time; nil to leave it out.
    ///   - fields: An object.
    ///   - times: More stand times, which people read as times of day.
    package func write(
        _ level: Level, at time: SimulationTime? = nil, _ event: String, _ fields: JSONValue = [:],
        times: KeyValuePairs<String, Double?> = [:]
    ) {
        func shown(_ seconds: Double) -> JSONValue {
            isJSON ? .number(seconds) : .string(clock.text(seconds: seconds))
        }
        let head: JSONValue = [
            "time": .string(WallClock.now()), "level": .string("\(level)"), "at": time.map { shown($0.seconds) },
            "event": .string(event),
        ]
        let all =
            head.members + fields.members
            + times.compactMap { key, time in time.map { .init(key: key, value: shown($0)) } }
        let line =
            isJSON
            ? JSONValue.object(all).compact()
            : all.map { "\($0.key.word)=\($0.value.text?.word ?? $0.value.field)" }.joined(separator: " ")
        let whole = (hasPriority ? "<\(level.rawValue)>" : "") + line + "\n"
        let waits = waiting.withLock { lines in
            if let count = lines?.count, count < Self.mostWaiting { lines?.append(whole) }
            return lines != nil
        }
        if !waits { sink.write(whole) }
    }

    /// Holds lines back from now on, if they would be written across a display. Waits until earlier lines are written.
    func hold() {
        guard isTerminal(2) else { return }
        waiting.withLock { $0 = $0 ?? [] }
        finish()
    }

    /// Writes the held lines, and every later line at once. Waits for the reader, but not for a stalled one.
    func release() {
        let lines = waiting.withLock { lines in
            defer { lines = nil }
            return lines ?? []
        }
        for line in lines { sink.write(line) }
        finish()
    }

    /// Waits until lines that are written in the background are with the reader.
    private func finish() { (sink as? BackgroundSink)?.finish() }
}
