import Terms
import TextFormats

/// The log of a live display, no faster than a person can read.
///
/// A single line is shown at once. If too many arrive, some of each second are shown, and a note counts the lines left
/// out. A log that was scrolled back has all lines, and shows the same ones until it is at its end again.
struct LiveLog: Sendable {
    /// Lines that are kept for a later filter.
    private static let mostKept = 1000
    /// Lines shown in a second of wall time while more keep coming.
    private static let pace = 8
    /// Seconds of lines that may be shown at once.
    private static let burst = 1.0

    private var shown = ScrolledLines(most: mostKept)
    /// The text that lines must contain, ignoring case; empty shows all.
    private(set) var filter = ""
    private var kept: [LogLine] = []
    private var waiting: [LogLine] = []
    /// Lines that were left out.
    private var skipped = 0
    /// Lines that may be shown at this moment.
    private var allowance = Double(pace) * burst
    private var shownAt: Double?

    /// A log of these lines.
    init(showing lines: [LogLine] = [], filter: String = "") {
        kept = lines
        self.filter(by: filter)
    }

    /// Whether lines are waiting to be shown.
    var isWaiting: Bool { back == 0 && (!waiting.isEmpty || skipped > 0) }

    /// Whether no line contains the text of the filter.
    var hasNoMatch: Bool { !filter.isEmpty && shown.lines.isEmpty && waiting.isEmpty }

    /// How many lines are below the rows shown.
    var back: Int { shown.back }

    mutating func add(_ line: LogLine) {
        kept.append(line)
        if kept.count > 2 * Self.mostKept { kept.removeFirst(kept.count - Self.mostKept) }
        guard matches(line) else { return }
        guard back == 0 else { return shown.append([line]) }
        waiting.append(line)
        if waiting.count > 2 * Self.mostKept { drop(waiting.count - Self.mostKept) }
    }

    /// Counts skipped lines.
    mutating func skip(_ count: Int) { skipped = Figures.sum([skipped, count]) }

    /// Shows the lines that there is time to read.
    ///
    /// - Parameter now: Seconds of a monotonic clock.
    mutating func advance(at now: Double, _ words: Words) {
        let passed = shownAt.map { max(0, now - $0) } ?? 0
        shownAt = now
        allowance = min(allowance + passed * Double(Self.pace), Double(Self.pace) * Self.burst)
        guard isWaiting, allowance >= 1 else { return }
        let room = Int(allowance)
        if shown.lines.isEmpty {
            // The first lines of a log are shown at once, because nobody follows them yet.
            drop(max(0, waiting.count - Self.mostKept))
        } else if skipped > 0 || waiting.count > room {
            // A block now and then is easier to read than one line that keeps changing.
            guard room >= Self.pace else { return }
            drop(max(0, waiting.count - (Self.pace - 1)))
            let time = waiting.first?.time ?? kept.last?.time ?? 0
            shown.append([LogLine(time: time, text: words.counted(skipped, .linesMore), style: .dim)])
            skipped = 0
        }
        allowance -= Double(min(room, waiting.count + 1))
        shown.append(waiting)
        waiting = []
    }

    private mutating func drop(_ count: Int) {
        waiting.removeFirst(count)
        skip(count)
    }

    /// The lines shown in the given number of rows.
    func window(_ rows: Int) -> ArraySlice<LogLine> { shown.window(rows) }

    /// Goes back by some lines, or forward if `count` is negative.
    mutating func scroll(by count: Int, rows: Int) {
        if back == 0, count > 0 { showAll() }
        shown.scroll(by: count, rows: rows)
    }

    /// Shows only lines that contain `text`: the kept ones and later ones.
    mutating func filter(by text: String) {
        filter = text
        shown = ScrolledLines(most: Self.mostKept)
        showAll()
    }

    /// Shows the lines that were left out, too.
    private mutating func showAll() {
        waiting = []
        skipped = 0
        shown.replace(with: kept.filter(matches))
    }

    private func matches(_ line: LogLine) -> Bool {
        filter.isEmpty || line.text.lowercased().contains(filter.lowercased())
    }
}
