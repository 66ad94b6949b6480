/// What a probe saw happen, for a drawing: arrows between the poster, the wiring and its observers.
package struct CallTrace: Equatable, Sendable {
    package struct Arrow: Equatable, Sendable {
        /// The probe's own thread is 1. Others are numbered as they appear.
        package var thread: Int
        /// Lanes: 0 is the poster, 1 the wiring, then come the observers.
        package var from: Int
        package var to: Int
        /// Empty for the end of a call.
        package var label: String
    }

    /// The first and the last ones.
    package var arrows: [Arrow] = []
    /// Arrows that were left out, after ``begun`` of them.
    package var left = 0
    package var observers = 0

    /// How many arrows from the beginning are kept, and as many from the end.
    package static let begun = 8

    /// The names of the lanes.
    package var lanes: [String] { ["poster", "wiring"] + (0..<observers).map { "observer \($0 + 1)" } }

    /// Says what was left out; nil if nothing was.
    package var gap: String? { left > 0 ? "… \(left) more …" : nil }

    package init() {}

    /// One line of text, without a tab.
    var line: String { arrows.reduce("\(left),\(observers)") { "\($0),\($1.thread),\($1.from),\($1.to),\($1.label)" } }

    init?(_ line: String) {
        let words = line.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = words.map { Int($0) ?? 0 }
        guard words.count % 4 == 2 else { return nil }
        (left, observers) = (numbers[0], numbers[1])
        for place in stride(from: 2, to: words.count, by: 4) {
            arrows.append(
                Arrow(
                    thread: numbers[place], from: numbers[place + 1], to: numbers[place + 2],
                    label: String(words[place + 3])))
        }
    }

    /// A drawing of at most 80 columns, if there are at most three observers.
    package var text: [String] {
        let columns = lanes.indices.map { 10 + 16 * $0 }
        var header = "thread"
        for (column, name) in zip(columns, lanes) {
            header += String(repeating: " ", count: column - name.count / 2 - header.count) + name
        }
        var lines = arrows.map { arrow in
            var line = Array(repeating: Character(" "), count: columns[columns.count - 1] + 1)
            for column in columns { line[column] = "│" }
            let ends = [columns[arrow.from], columns[arrow.to]].sorted()
            for place in ends[0] + 1..<ends[1] { line[place] = arrow.label.isEmpty ? "╌" : "─" }
            if !arrow.label.isEmpty {
                line.replaceSubrange(ends[0] + 3..<ends[0] + 5 + arrow.label.count, with: " \(arrow.label) ")
            }
            line[arrow.from < arrow.to ? ends[1] - 1 : ends[0] + 1] = arrow.from < arrow.to ? ">" : "<"
            line.replaceSubrange(0..<6, with: Array("     \(arrow.thread)".suffix(6)))
            return String(line)
        }
        if let gap { lines.insert("       \(gap)", at: Self.begun) }
        return [header] + lines
    }
}
