import JuiceStand
import TextFormats

/// The log of a live display: what happens, as fast as one can read.
///
/// A line that comes alone is shown at once. Where more come than a person follows, some of each second are shown, and how many
/// were not.
struct LiveLog: Sendable {
    /// One line: when in stand time, what, and how it looks.
    struct Entry: Equatable, Sendable {
        var time: Double
        var text: String
        var style: TextStyle
    }

    /// Lines that are remembered, for a filter that comes later.
    private static let mostKept = 1000
    /// Lines shown in a second of wall time where they never end.
    private static let pace = 8
    /// Seconds of lines that may come at once.
    private static let patience = 1.0

    /// What is shown, the newest last.
    private(set) var shown: [Entry] = []
    /// Lines must have this in them, case aside; empty is all.
    private(set) var filter = ""
    private var kept: [Entry] = []
    private var waiting: [Entry] = []
    /// Lines that came and were not kept.
    private var skipped = 0
    /// Lines that may be shown now.
    private var allowance = Double(pace) * patience
    private var shownAt: Double?

    /// Whether there are lines to be shown when there is time.
    var isWaiting: Bool { !waiting.isEmpty || skipped > 0 }

    mutating func add(_ entry: Entry) {
        kept.append(entry)
        if kept.count > 2 * Self.mostKept { kept.removeFirst(kept.count - Self.mostKept) }
        guard matches(entry) else { return }
        waiting.append(entry)
        if waiting.count > 2 * Self.mostKept { drop(waiting.count - Self.mostKept) }
    }

    /// Counts lines that came and were not looked at.
    mutating func skip(_ count: Int) { skipped += count }

    /// Shows what there is time to read.
    ///
    /// - Parameter now: Seconds of a clock on the wall.
    mutating func advance(at now: Double) {
        let passed = shownAt.map { max(0, now - $0) } ?? 0
        shownAt = now
        allowance = min(allowance + passed * Double(Self.pace), Double(Self.pace) * Self.patience)
        guard isWaiting, allowance >= 1 else { return }
        let room = Int(allowance)
        if shown.isEmpty {
            // What was before is there to be looked at, and not to be followed.
            drop(max(0, waiting.count - Self.mostKept))
        } else if skipped > 0 || waiting.count > room {
            // A block once in a while reads better than a line that is another every time.
            guard room >= Self.pace else { return }
            drop(max(0, waiting.count - (Self.pace - 1)))
            let time = waiting.first?.time ?? kept.last?.time ?? 0
            shown.append(Entry(time: time, text: "\(Columns.counted(skipped, "line")) more", style: .dim))
            skipped = 0
        }
        allowance -= Double(min(room, waiting.count + 1))
        shown += waiting
        waiting = []
        if shown.count > 2 * Self.mostKept { shown.removeFirst(shown.count - Self.mostKept) }
    }

    private mutating func drop(_ count: Int) {
        waiting.removeFirst(count)
        skipped += count
    }

    /// Shows the lines of the past that have `text` in them, and those that come.
    mutating func filter(by text: String) {
        filter = text
        (waiting, skipped) = ([], 0)
        shown = kept.suffix(Self.mostKept).filter(matches)
    }

    private func matches(_ entry: Entry) -> Bool {
        filter.isEmpty || entry.text.lowercased().contains(filter.lowercased())
    }
}
