import EmbeddedFiles

/// The formats of dates, and the words of dates and of tills in the languages of shops, in lower case and without
/// points.
///
/// Each line of `words.tsv` has the name of a list, a tab, and words of that list; or several formats between tabs.
package enum WordList: String, CaseIterable, Sendable {
    // Parts of formats, the usual ones and the longer ones first: whether the day or the month comes first is open in
    // dates before a year. A spreadsheet's date has midnight behind it, before the time of another column. Amounts look
    // like times that need a date before them.
    case date, dateBeforeYear, gap, time, timeBehindDate
    // Names in dates and times.
    case month, morning, afternoon, weekday, weekdayPart
    // Names of columns, or parts of them: of times when an order is new, when it is no longer new, and of times of day.
    case placed, later, clock
    case order, number, item, noItem, quantity, noQuantity, money
    // Columns that say what became of an order, columns that may say it, and words of orders that do not count.
    case status, type, void, noVoid, notVoid, notVoidPart
    // Texts: rows of totals, the ends of districts' names, answers, and items that are none.
    case total, district, yes, no, none

    private static let lines: [(name: Substring, words: [String])] = EmbeddedFile("words.tsv").text
        .split(separator: "\n").map { line in
            let parts = line.split(separator: "\t")
            let words = parts.count > 2 ? parts.dropFirst() : parts[1].split(separator: " ")[...]
            return (parts[0], words.map(String.init))
        }

    private static let lists = Dictionary(grouping: lines) { $0.name }.mapValues { $0.flatMap(\.words) }
    private static let sets = lists.mapValues { Set($0) }

    /// The words in the order of the file: more telling ones first.
    package var list: [String] { Self.lists[rawValue[...]] ?? [] }

    package func contains(_ word: String) -> Bool { Self.sets[rawValue[...]]?.contains(word) ?? false }
}

// MARK: - Dates

extension WordList {
    /// The beginnings of the names of months, each with its month from 1. The file has a line for each month.
    private static let months: [String: Int] = {
        var table: [String: Int] = [:]
        for (index, line) in lines.filter({ $0.name == month.rawValue[...] }).enumerated() {
            for word in line.words { table[word] = index + 1 }
        }
        return table
    }()

    private static let halves = Dictionary(
        uniqueKeysWithValues: morning.list.map { ($0, false) } + afternoon.list.map { ($0, true) })

    /// The month, from 1, of a name such as `october`, `okt` or `août`.
    static func month(_ word: String) -> Int? {
        (2...5).reversed().lazy.compactMap { months[String(word.prefix($0))] }.first
    }

    /// Whether a half of the day is the afternoon; nil for any other word.
    static func half(_ word: String) -> Bool? { halves[word] }

    package static func isWeekday(_ word: String) -> Bool {
        weekday.contains(word) || word.count > 2 && weekday.contains(String(word.prefix(3)))
            || word.count < 5 && weekdayPart.list.contains(where: word.contains)
    }
}
