import Platform
import TextFormats

/// Finds the columns of a till by their names and by what is in them.
struct ColumnFinder {
    private let file: String
    private let names: [String]
    private let columns: [Content]
    /// The first records, with one text for each name.
    private let rows: [[String]]

    static let mostRows = 1000

    init(file: String, names: [String], rows: [[String]]) {
        self.file = file
        self.names = names
        self.rows = Array(rows.prefix(Self.mostRows))
        columns = names.enumerated().map { index, name in
            Content(
                rows.lazy.prefix(Self.mostRows).map { $0[index] }, isClock: ColumnNames.has(ColumnNames.clock, name))
        }
    }

    /// The texts of a column that are not blank.
    func texts(of column: String) -> [String] { names.firstIndex(of: column).map { columns[$0].texts } ?? [] }

    /// The times of the first records, with the texts of their columns joined.
    func times(_ columns: [String]) -> [String] {
        let indices = columns.compactMap { names.firstIndex(of: $0) }
        return rows.map { row in indices.map { row[$0] }.joined(separator: " ") }
    }

    /// Completes the columns that the user named.
    ///
    /// - Parameter places: The names of the options or keys that name columns, by role.
    func find(_ wanted: TillColumns) throws(TillError) -> TillColumns {
        var found = wanted
        if found.time.isEmpty { found.time = try timeColumns(except: Set(wanted.named.map(\.column))) }
        var taken = Set(found.time + found.named.map(\.column))
        func take(_ column: inout String?, _ candidate: () -> Int?) {
            guard column == nil, let index = candidate() else { return }
            column = names[index]
            taken.insert(names[index])
        }
        func isFree(_ index: Int) -> Bool {
            !taken.contains(names[index]) && (columns[index].kind == nil || columns[index].kind == .number)
        }
        found.void = names.filter { name in
            !taken.contains(name) && name != wanted.item && VoidLines.isColumn(name, texts(of: name))
        }
        take(&found.order) { order(isFree) }
        take(&found.quantity) { quantity(isFree) }
        take(&found.item) { item { isFree($0) && !found.void.contains(names[$0]) } }
        take(&found.order) { groups(found.time) { isFree($0) && !found.void.contains(names[$0]) } }
        return found
    }
}

// MARK: - What is in a column

extension ColumnFinder {
    enum Kind {
        case dateAndTime, date, timeOfDay
        /// Unix times or dates of a spreadsheet: what they are is never certain.
        case number
    }

    /// What is in the first rows of a column.
    struct Content {
        /// Without blank ones.
        let texts: [String]
        let different: Int
        /// What nearly all texts are; nil if they are neither dates nor times.
        let kind: Kind?
        let areNumbers: Bool
        let areWords: Bool

        /// So many texts decide whether a column has times; and so many without one, that it has none.
        private static let mostTimes = 500
        private static let fewest = 30

        /// - Parameter isClock: Whether the name of the column is that of a time of day.
        init(_ all: some Sequence<String>, isClock: Bool) {
            texts = all.filter { !$0.allSatisfy(\.isWhitespace) }
            different = Set(texts).count
            kind = Self.kind(of: texts, isClock)
            let quantities = QuantityReader(texts)
            let numbers = texts.count { quantities.read($0) != nil }
            areNumbers = numbers * 2 > texts.count
            areWords = !areNumbers && texts.count { $0.contains(where: \.isLetter) } * 2 > texts.count
        }

        private static func kind(of texts: [String], _ isClock: Bool) -> Kind? {
            var reader = TimeReader()
            var counts: [Kind: Int] = [:]
            var hasTimes = false
            for (index, text) in texts.prefix(mostTimes).enumerated() {
                if index == fewest, counts.isEmpty { break }
                if let reading = reader.read(text) {
                    let kind: Kind = !reading.hasDate ? .timeOfDay : reading.hasTime ? .dateAndTime : .date
                    counts[kind, default: 0] += 1
                    if reading.nanosecondsOfDay > 0 { hasTimes = true }
                } else if isClock, reader.read("2000-01-01 " + text) != nil {
                    // "9.58" may be an amount.
                    counts[.timeOfDay, default: 0] += 1
                }
            }
            guard let (kind, count) = counts.max(by: { $0.value < $1.value }), count * 2 > min(texts.count, mostTimes)
            else {
                return areTimes(texts) ? .number : nil
            }
            // Midnight on every line is how spreadsheets write a date.
            return kind == .dateAndTime && !hasTimes ? .date : kind
        }

        /// Whether most texts are Unix times of this century, or dates of a spreadsheet.
        private static func areTimes(_ texts: [String]) -> Bool {
            let bytes = texts.prefix(mostTimes).map { Array($0.utf8)[...] }
            let year2000 = 946_684_800 * DurationText.second
            let unixTimes = bytes.count { TillTimes.unixTime($0).map { $0 >= year2000 && $0 < 3 * year2000 } ?? false }
            if unixTimes * 2 > bytes.count { return true }
            let numbers = bytes.compactMap(TillTimes.number)
            return numbers.count * 2 > bytes.count && TillTimes.areSerials(numbers)
        }

        /// The share of texts of which something is true is more than a half.
        func mostly(_ isTrue: (String) -> Bool) -> Bool { texts.count(where: isTrue) * 2 > texts.count }

        var areOrderNumbers: Bool { mostly { $0.hasPrefix("#") && $0.dropFirst().contains(where: \.isNumber) } }
        var areWeekdays: Bool { mostly { TimeNames.isWeekday(TillLines.plain($0).filter { $0 != "." }) } }
        /// Whether texts come again, as items do and customers or order numbers do not.
        var repeats: Bool { different * 2 <= texts.count }
        /// Districts of one city end alike.
        var areDistricts: Bool {
            different > 1
                && ["구", "동", "군", "시", "읍", "면", "점", "区", "區", "店", "市"].contains { end in
                    mostly { $0.hasSuffix(end) }
                }
        }
    }
}

// MARK: - Time

extension ColumnFinder {
    private func timeColumns(except taken: Set<String>) throws(TillError) -> [String] {
        var kinds: [Kind: [String]] = [:]
        for (index, name) in names.enumerated() where !taken.contains(name) {
            if let kind = columns[index].kind { kinds[kind, default: []].append(name) }
        }
        let whole = best(kinds[.dateAndTime])
        let date = best(kinds[.date])
        let time = best(kinds[.timeOfDay])
        if let whole, !isLater(whole) || date == nil || time == nil { return [whole] }
        if let date, let time { return [date, time] }
        if date == nil, let number = best(kinds[.number]?.filter { !ColumnNames.has(ColumnNames.number, $0) }) {
            return [number]
        }
        let header = names.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ")
        let message: String
        if let date {
            message =
                "expected times of day beside the dates in \"\(date)\"; name their columns with --time DATE+TIME"
        } else if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            message =
                "expected a column with dates and times of day, whose name occurs once, found \(header); "
                + "rename one \"\(twice)\""
        } else {
            message = "expected a column with dates and times of day, found \(header); name it with --time"
        }
        throw .badTill(TextProblem(place: Place(source: file, line: 1, column: 1), message: message))
    }

    /// The first column about placing orders, because orders count when they are placed; else the first that is not
    /// about a delivery, a payment or a change; else the first.
    private func best(_ columns: [String]?) -> String? {
        columns?.first { !isLater($0) && ColumnNames.has(ColumnNames.placed, $0) }
            ?? columns?.first { !isLater($0) } ?? columns?.first
    }

    private func isLater(_ name: String) -> Bool { ColumnNames.has(ColumnNames.later, name) }
}

// MARK: - The other columns

extension ColumnFinder {
    /// The first column whose name is one of `known`, in the order of these; else one that has it as a part.
    private func named(
        _ known: [String], _ fits: (Int) -> Bool, part isPart: (Int) -> Bool = { _ in true }
    ) -> Int? {
        let plain = names.map(ColumnNames.plain)
        for word in known {
            if let index = names.indices.first(where: { plain[$0] == word && fits($0) }) { return index }
        }
        for word in known {
            let isCompound = word.utf8.contains { $0 >= 0x80 }
            let found = names.indices.first { index in
                let isIn =
                    isCompound ? plain[index].hasSuffix(word) : ColumnNames.words(of: names[index]).contains(word)
                return isIn && isPart(index) && fits(index)
            }
            if let found { return found }
        }
        return nil
    }

    private func order(_ isFree: (Int) -> Bool) -> Int? {
        named(ColumnNames.order) { index in
            isFree(index) && columns[index].mostly { $0.contains(where: \.isNumber) } && !columns[index].areDecimals
        } part: { index in
            let words = ColumnNames.words(of: names[index])
            return names[index].contains("#")
                || words.contains { word in
                    ColumnNames.number.contains { word == $0 || $0.utf8.first! >= 0x80 && word.hasSuffix($0) }
                }
        } ?? names.indices.first { isFree($0) && columns[$0].areOrderNumbers }
    }

    private func quantity(_ isFree: (Int) -> Bool) -> Int? {
        named(ColumnNames.quantity) { index in
            isFree(index) && columns[index].areNumbers && !ColumnNames.has(ColumnNames.void, names[index])
        } part: { index in
            !ColumnNames.has(ColumnNames.money + ["guest", "customer", "cover", "point"], names[index])
        }
    }

    private func item(_ isFree: (Int) -> Bool) -> Int? {
        func fits(_ index: Int) -> Bool {
            let column = columns[index]
            return isFree(index) && column.areWords && !column.areOrderNumbers && !column.areWeekdays
                && (column.repeats || column.texts.count < 20)
        }
        let isOther = names.map { ColumnNames.has(ColumnNames.noItem, $0) }
        func isName(_ index: Int) -> Bool {
            !isOther[index] && columns[index].repeats && !ColumnNames.has(ColumnNames.number, names[index])
        }
        if let index = named(ColumnNames.item, fits, part: isName) { return index }
        // The column of words with the most different ones, each of which occurs several times.
        let candidates = names.indices.filter { index in
            let column = columns[index]
            return fits(index) && !isOther[index] && !column.areDistricts && column.different > 1
                && column.different * 3 <= column.texts.count
                && column.mostly { $0.contains(where: \.isLetter) && !$0.contains(where: \.isNumber) }
        }
        return candidates.max { columns[$0].different < columns[$1].different }
    }

    /// A column whose equal values are neighbours and share their time, as the lines of one order do.
    private func groups(_ time: [String], _ isFree: (Int) -> Bool) -> Int? {
        let clock = time.compactMap { names.firstIndex(of: $0) }
        return names.indices.first { index in
            guard isFree(index) else { return false }
            var times: [String: [String]] = [:]
            var last: String?
            var repeats = 0
            let fits = rows.allSatisfy { row in
                let now = clock.map { row[$0] }
                defer { last = row[index] }
                guard let before = times[row[index]] else {
                    times[row[index]] = now
                    return true
                }
                repeats += 1
                return before == now && last == row[index]
            }
            return fits && times.count >= 10 && repeats * 20 >= rows.count
        }
    }
}

extension ColumnFinder.Content {
    /// Whether the texts are amounts, not numbers of orders.
    fileprivate var areDecimals: Bool { mostly { $0.contains(".") && Double($0).map { $0 != $0.rounded() } ?? false } }
}
