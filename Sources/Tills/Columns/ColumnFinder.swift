import Platform
import TextFormats

/// Finds the columns of a till by their names and contents.
struct ColumnFinder {
    private let file: String
    private let columns: [SampledColumn]
    /// The first records, with one text for each column.
    private let rows: [[String]]

    init(file: String, names: [String], rows: [[String]]) {
        self.file = file
        self.rows = rows
        columns = names.enumerated().map { index, name in
            // A name that occurs twice names no column.
            let isOnly = names.count { $0 == name } == 1
            return SampledColumn(name, index, isOnly ? rows.map { $0[index] } : [])
        }
    }

    /// The texts of a column that are not blank.
    func texts(of column: String?) -> [String] { columns.first { $0.label == column }?.texts ?? [] }

    /// The times of the first records, with the texts of their columns joined.
    func times(_ names: [String]) -> [String] {
        let indices = names.compactMap { name in columns.firstIndex { $0.label == name } }
        return rows.map { row in indices.map { row[$0] }.joined(separator: " ") }
    }

    /// Completes the columns that the user named.
    func find(_ wanted: TillColumns) throws(TillError) -> TillColumns {
        var found = wanted
        if found[.time].isEmpty { found[.time] = try timeColumns(except: wanted.all) }
        found[.void] = columns.filter { !found.all.contains($0.label) && RowFilter.isVoid($0.name, $0.texts) }
            .map(\.label)
        let choices: [(TillColumns.Role, ([SampledColumn]) -> SampledColumn?)] = [
            (.order, order), (.quantity, quantity), (.item, item), (.order, { groups($0, found[.time]) }),
        ]
        for (role, choice) in choices where found[role].isEmpty {
            let free = columns.filter { !found.all.contains($0.label) && ($0.kind ?? .number) == .number }
            if let column = choice(free) { found[role] = [column.label] }
        }
        return found
    }
}

// MARK: - Time

extension ColumnFinder {
    private func timeColumns(except taken: [String]) throws(TillError) -> [String] {
        func best(_ kind: SampledColumn.Kind) -> SampledColumn? {
            let candidates = columns.filter { column in
                column.kind == kind && !taken.contains(column.label)
                    && (kind != .number || !column.name.has(.number))
            }
            // Orders count when they are placed: not when they are delivered, paid or changed.
            return candidates.first { !$0.name.has(.later) && $0.name.has(.placed) }
                ?? candidates.first { !$0.name.has(.later) } ?? candidates.first
        }
        let date = best(.date)
        let time = best(.timeOfDay)
        if let whole = best(.dateAndTime), !whole.name.has(.later) || date == nil || time == nil {
            return [whole.label]
        }
        if let date, let time { return [date.label, time.label] }
        if date == nil, let number = best(.number) { return [number.label] }
        // A spreadsheet's date and the part of a day beside it.
        for (date, clock) in zip(columns, columns.dropFirst()) where clock.name.has(.clock) {
            if TillTimes.areSerials(times([date.label, clock.label])) { return [date.label, clock.label] }
        }
        let names = columns.map(\.label)
        let header = names.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ")
        let message: String
        if let date {
            message =
                "expected times of day beside the dates in \"\(date.label)\"; name their columns with --time DATE+TIME"
        } else if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            message =
                "expected a column with dates and times of day, whose name occurs once, found \(header); "
                + "rename one \"\(twice)\""
        } else {
            message = "expected a column with dates and times of day, found \(header); name it with --time"
        }
        throw .badTill(file, line: 1, message)
    }
}

// MARK: - The other columns

extension ColumnFinder {
    /// The column whose name is the first possible word of a list. If there is none, one whose name contains a word.
    private func named(
        _ list: WordList, in columns: [SampledColumn], part isPart: (SampledColumn) -> Bool
    ) -> SampledColumn? {
        let parts = columns.filter(isPart)
        return list.list.lazy.compactMap { word in columns.first { $0.name.plain == word } }.first
            ?? list.list.lazy.compactMap { word in parts.first { $0.name.says(word) } }.first
    }

    private func order(_ free: [SampledColumn]) -> SampledColumn? {
        func isAmount(_ text: String) -> Bool {
            guard text.contains("."), let number = Double(text) else { return false }
            return number != number.rounded()
        }
        let numbered = free.filter { column in
            // Amounts of money are not order numbers.
            column.mostly { $0.contains(where: \.isNumber) } && !column.mostly(isAmount)
        }
        return named(.order, in: numbered) { $0.label.contains("#") || $0.name.says(.number) }
            ?? free.first(where: \.areOrderNumbers)
    }

    private func quantity(_ free: [SampledColumn]) -> SampledColumn? {
        named(.quantity, in: free.filter { $0.areNumbers && !$0.name.has(.void) }) { column in
            !column.name.has(.money) && !column.name.has(.noQuantity)
        }
    }

    private func item(_ free: [SampledColumn]) -> SampledColumn? {
        let words = free.filter { column in
            column.areWords && !column.areOrderNumbers && !column.areWeekdays
                && (column.repeats || column.texts.count < 20)
        }
        let others = words.filter { !$0.name.has(.noItem) }
        return named(.item, in: words) { !$0.name.has(.noItem) && $0.repeats && !$0.name.has(.number) }
            // The column with the most different words that occur three times or more on average.
            ?? others.filter { column in
                column.different > 1 && column.different * 3 <= column.texts.count && !column.areDistricts
                    && column.mostly { $0.contains(where: \.isLetter) && !$0.contains(where: \.isNumber) }
            }.max { $0.different < $1.different }
    }

    /// A column whose equal values are neighbours and share their time, as the lines of one order do.
    private func groups(_ free: [SampledColumn], _ time: [String]) -> SampledColumn? {
        let times = times(time)
        return free.first { column in
            var known: [String: String] = [:]
            var repeats = 0
            for (index, row) in rows.enumerated() {
                let value = row[column.index]
                if let time = known[value] {
                    guard time == times[index], rows[index - 1][column.index] == value else { return false }
                    repeats += 1
                }
                known[value] = times[index]
            }
            return known.count >= 10 && repeats * 20 >= rows.count
        }
    }
}
