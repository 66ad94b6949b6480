import JuiceStand
import TextFormats

/// The log of a live display, no faster than a person can read.
///
/// A single line is shown at once. If too many arrive, some of each second are shown, and a note counts the lines left
/// out.
struct LiveLog: Sendable {
    /// One line: its stand time, text and style.
    struct Entry: Equatable, Sendable {
        var time: Double
        var text: String
        var style: TextStyle
    }

    /// Lines that are kept for a later filter.
    private static let mostKept = 1000
    /// Lines shown in a second of wall time while more keep coming.
    private static let pace = 8
    /// Seconds of lines that may be shown at once.
    private static let burst = 1.0

    /// The lines shown, the newest last.
    private(set) var shown: [Entry] = []
    /// How many of them are below the screen, because it was scrolled back.
    private(set) var back = 0
    /// The text that lines must contain, ignoring case; empty shows all.
    private(set) var filter = ""
    private var kept: [Entry] = []
    private var waiting: [Entry] = []
    /// Lines that were left out.
    private var skipped = 0
    /// Lines that may be shown at this moment.
    private var allowance = Double(pace) * burst
    private var shownAt: Double?

    init() {}

    /// A log of these lines.
    init(showing lines: [Entry]) {
        shown = lines
    }

    /// Whether lines are waiting to be shown.
    var isWaiting: Bool { !waiting.isEmpty || skipped > 0 }

    mutating func add(_ entry: Entry) {
        kept.append(entry)
        if kept.count > 2 * Self.mostKept { kept.removeFirst(kept.count - Self.mostKept) }
        guard matches(entry) else { return }
        waiting.append(entry)
        if waiting.count > 2 * Self.mostKept { drop(waiting.count - Self.mostKept) }
    }

    /// Counts skipped lines.
    mutating func skip(_ count: Int) { skipped += count }

    /// Shows the lines that there is time to read.
    ///
    /// - Parameter now: Seconds of a monotonic clock.
    mutating func advance(at now: Double) {
        let passed = shownAt.map { max(0, now - $0) } ?? 0
        shownAt = now
        allowance = min(allowance + passed * Double(Self.pace), Double(Self.pace) * Self.burst)
        guard isWaiting, allowance >= 1 else { return }
        let room = Int(allowance)
        if shown.isEmpty {
            // Earlier lines are shown at once: nobody follows them.
            drop(max(0, waiting.count - Self.mostKept))
        } else if skipped > 0 || waiting.count > room {
            // A block now and then is easier to read than one line that keeps changing.
            guard room >= Self.pace else { return }
            drop(max(0, waiting.count - (Self.pace - 1)))
            let time = waiting.first?.time ?? kept.last?.time ?? 0
            if back > 0 { back += 1 }
            shown.append(Entry(time: time, text: "\(Columns.counted(skipped, "line")) more", style: .dim))
            skipped = 0
        }
        allowance -= Double(min(room, waiting.count + 1))
        shown += waiting
        // What is read stays where it is.
        if back > 0 { scroll(by: waiting.count) }
        waiting = []
        if shown.count > 2 * Self.mostKept { shown.removeFirst(shown.count - Self.mostKept) }
    }

    private mutating func drop(_ count: Int) {
        waiting.removeFirst(count)
        skipped += count
    }

    /// The lines on a screen of so many rows.
    func window(_ rows: Int) -> ArraySlice<Entry> { shown.dropLast(back).suffix(rows) }

    /// Goes back by some lines, or forward if `lines` is negative.
    mutating func scroll(by lines: Int) { scroll(to: back + lines) }

    /// Goes to where so many lines are below the screen; 0 follows new lines.
    mutating func scroll(to lines: Int) { back = max(0, min(lines, shown.count - 1)) }

    /// Shows only lines that contain `text`: the kept ones and later ones.
    mutating func filter(by text: String) {
        filter = text
        (waiting, skipped) = ([], 0)
        shown = kept.suffix(Self.mostKept).filter(matches)
        back = 0
    }

    private func matches(_ entry: Entry) -> Bool {
        filter.isEmpty || entry.text.lowercased().contains(filter.lowercased())
    }
}
