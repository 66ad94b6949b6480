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
    // Names in dates and times: the beginnings of months, with a line for each, and the morning before the afternoon.
    case month, half, weekday, weekdayPart
    // Names of columns, or parts of them: of times when an order is new, when it is no longer new, and of times of day.
    case placed, later, clock
    case order, number, item, noItem, quantity, noQuantity, money
    // Columns that say what became of an order, columns that may say it, and words of orders that do not count.
    case status, type, void, noVoid, notVoid, notVoidPart
    // Texts: rows of totals, the ends of districts' names, answers, and items that are none.
    case total, district, yes, no, none

    private static let lines = Dictionary(
        grouping: EmbeddedFile("words.tsv").text.split(separator: "\n").map { line in
            let parts = line.split(separator: "\t")
            return (list: parts[0], words: parts.count > 2 ? parts[1...] : parts[1].split(separator: " ")[...])
        }, by: \.list)

    private static let lists = lines.mapValues { $0.flatMap { $0.words.map(String.init) } }
    /// The words of each list, with the lines that have them.
    private static let tables = lines.mapValues { lines in
        Dictionary(
            lines.enumerated().flatMap { index, line in line.words.map { (String($0), index) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The words in the order of the file: more telling ones first.
    package var list: [String] { Self.lists[rawValue[...]] ?? [] }

    /// The line of the list that has a word, from 0.
    func line(of word: String) -> Int? { Self.tables[rawValue[...]]?[word] }

    package func contains(_ word: String) -> Bool { line(of: word) != nil }

    /// The month, from 1, of a name such as `october`, `okt` or `août`.
    static func month(_ name: String) -> Int? {
        (2...5).reversed().lazy.compactMap { month.line(of: String(name.prefix($0))) }.first.map { $0 + 1 }
    }

    package static func isWeekday(_ word: String) -> Bool {
        weekday.contains(word) || word.count > 2 && weekday.contains(String(word.prefix(3)))
            || word.count < 5 && weekdayPart.list.contains(where: word.contains)
    }
}
