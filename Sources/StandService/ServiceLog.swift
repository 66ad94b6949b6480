import JuiceStand
import Platform
import TextFormats

/// The log of the program itself, on standard error: one line per event, as opposed to what happens at the stand.
///
/// Lines are `key=value` or JSON and start with the time and a level. Under systemd each line starts with its priority in
/// angle brackets, which the journal reads and removes.
package final class ServiceLog: Sendable {
    /// Severities with their syslog numbers.
    package enum Level: Int, Sendable {
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
    }

    private let sink: FileLineSink
    private let isJSON: Bool
    private let hasPriority: Bool
    /// Lines held back while a display has the terminal; nil if lines are written at once.
    private let waiting = Guarded<[String]?>(nil)
    /// Lines beyond this many are dropped.
    private static let mostWaiting = 1000

    package init(isJSON: Bool) {
        self.isJSON = isJSON
        sink = FileLineSink(descriptor: 2, name: "standard error")
        hasPriority = Self.isJournal(2)
    }

    /// Whether a descriptor leads to the journal of systemd: `JOURNAL_STREAM` names its device and inode.
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

    /// Holds lines back from now on, if they would be written across a display.
    func hold() {
        if isTerminal(2) { waiting.withLock { $0 = $0 ?? [] } }
    }

    /// Writes the held lines, and every later line at once.
    func release() {
        let lines = waiting.withLock { lines in
            defer { lines = nil }
            return lines ?? []
        }
        for line in lines { sink.write(line) }
    }

    /// Plain words stand bare, everything else is quoted as in JSON.
    private static func text(_ value: JSONValue) -> String {
        guard case .string(let text) = value, !text.isEmpty,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=") })
        else { return value.compact() }
        return text
    }
}
