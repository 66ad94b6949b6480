import JuiceStand
import Platform
import TextFormats

/// What the program itself has to say while it runs, a line each on standard error: not what happens at the stand.
///
/// Lines are `key=value` or JSON, led by the time and a level. Under systemd each begins with its priority in angle
/// brackets, which the journal takes off and understands.
package final class ServiceLog: Sendable {
    /// How grave a line is, as syslog counts.
    package enum Level: Int, Sendable {
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
    }

    private let sink: FileLineSink
    private let isJSON: Bool
    private let hasPriority: Bool
    /// Lines that wait while a display has the terminal; nil where they are written at once.
    private let waiting = Guarded<[String]?>(nil)
    /// Of more lines the last are left out: they are news of minutes at most.
    private static let mostWaiting = 1000

    package init(isJSON: Bool) {
        self.isJSON = isJSON
        sink = FileLineSink(descriptor: 2, name: "standard error")
        hasPriority = Self.isJournal(2)
    }

    /// Whether what is written to a descriptor goes to the journal: `JOURNAL_STREAM` names its device and number.
    package static func isJournal(_ descriptor: Int32) -> Bool {
        guard let stream = unsafe getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        return unsafe String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    }

    package func write(_ level: Level, _ event: String, _ fields: KeyValuePairs<String, JSONValue> = [:]) {
        let all =
            [("time", JSONValue.string(WallClock.now())), ("level", .string("\(level)")), ("event", .string(event))]
            + fields.map { ($0.key, $0.value) }
        let line =
            isJSON
            ? JSONValue.object(all.map { .init(key: $0.0, value: $0.1) }).compact()
            : all.map { "\($0.0)=\(Self.text($0.1))" }.joined(separator: " ")
        let whole = (hasPriority ? "<\(level.rawValue)>" : "") + line + "\n"
        let waits = waiting.withLock { lines in
            if let count = lines?.count, count < Self.mostWaiting { lines?.append(whole) }
            return lines != nil
        }
        if !waits { sink.write(whole) }
    }

    /// Keeps lines from now on, where they would be written across a display.
    func hold() {
        if isTerminal(2) { waiting.withLock { $0 = $0 ?? [] } }
    }

    /// Writes what was kept, and every later line at once.
    func release() {
        let lines = waiting.withLock { lines in
            defer { lines = nil }
            return lines ?? []
        }
        for line in lines { sink.write(line) }
    }

    /// Words stand bare, everything else as in JSON.
    private static func text(_ value: JSONValue) -> String {
        guard case .string(let text) = value, !text.isEmpty,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=") })
        else { return value.compact() }
        return text
    }
}
