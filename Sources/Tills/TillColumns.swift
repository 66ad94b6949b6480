import Platform
import TextFormats

/// The columns of a till that were taken. Nil stands for a column that the till does not have.
package struct TillColumns: Equatable, Sendable {
    /// One column, or a date and a time of day.
    package var time: [String] = []
    package var order: String?
    package var item: String?
    package var quantity: String?
    package var started: String?
    package var ended: String?

    package init() {}

    /// The columns with their roles, in the order in which they are shown.
    package var named: [(role: String, column: String)] {
        let all = [
            ("time", time.isEmpty ? nil : time.joined(separator: "+")), ("order", order), ("item", item),
            ("quantity", quantity), ("started", started), ("ended", ended),
        ]
        return all.compactMap { role, column in column.map { (role, $0) } }
    }
}

/// Finds the columns of a till by their names and contents.
struct ColumnFinder {
    private let file: String
    private let names: [String]
    /// The first records, with one text for each name.
    private let rows: [[String]]

    init(file: String, names: [String], rows: [[String]]) {
        self.file = file
        self.names = names
        self.rows = rows
    }

    /// Completes the columns that the user named.
    func columns(_ wanted: TillColumns) throws(TillError) -> TillColumns {
        for (role, column) in wanted.named {
            for part in role == "time" ? wanted.time : [column] where !names.contains(part) {
                let known = names.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ")
                let hint = hint(part, among: names)
                let end = hint == "" ? "; its columns are \(known)" : hint
                throw .badOption("--\(role): \(file) has no column \"\(part)\"\(end)")
            }
        }
        var found = wanted
        if found.time.isEmpty { found.time = try timeColumns(except: Set(wanted.named.map(\.column))) }
        var taken = Set(found.time + found.named.map(\.column))
        func take(_ column: inout String?, _ candidate: () -> String?) {
            guard column == nil, let name = candidate() else { return }
            column = name
            taken.insert(name)
        }
        take(&found.order) { order(except: taken) }
        take(&found.quantity) { named(ColumnNames.quantity, taken, where: isNumeric) }
        take(&found.item) { named(ColumnNames.item, taken) ?? mostVaried(taken) }
        take(&found.order) { groups(found.time, taken) }
        return found
    }
}

// MARK: - Time

extension ColumnFinder {
    private enum Kind {
        case dateAndTime, date, timeOfDay
    }

    private func timeColumns(except taken: Set<String>) throws(TillError) -> [String] {
        var kinds: [Kind: [String]] = [:]
        for (index, name) in names.enumerated() where !taken.contains(name) {
            if let kind = kind(of: index) { kinds[kind, default: []].append(name) }
        }
        if let column = best(kinds[.dateAndTime]) { return [column] }
        guard let date = best(kinds[.date]) else {
            let header = names.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ")
            if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
                throw .badTill(
                    TextProblem(
                        place: Place(source: file, line: 1, column: 1),
                        message:
                            "expected a column with dates and times of day, whose name occurs once, found \(header); "
                            + "rename one \"\(twice)\""))
            }
            throw .badTill(
                TextProblem(
                    place: Place(source: file, line: 1, column: 1),
                    message: "expected a column with dates and times of day, found \(header); name it with --time"))
        }
        guard let time = best(kinds[.timeOfDay]) else {
            throw .badTill(
                TextProblem(
                    place: Place(source: file, line: 1, column: 1),
                    message:
                        "expected times of day beside the dates in \"\(date)\"; name their columns with --time "
                        + "DATE+TIME"
                ))
        }
        return [date, time]
    }

    /// The first column that is not about a delivery, a payment or a change, because orders count when they are placed.
    private func best(_ columns: [String]?) -> String? {
        columns?.first { name in !ColumnNames.later.contains { ColumnNames.plain(name).contains($0) } }
            ?? columns?.first
    }

    /// What nearly all texts of a column are; nil if they are neither dates nor times.
    private func kind(of column: Int) -> Kind? {
        var guesser = DateGuesser()
        var counts: [Kind: Int] = [:]
        var texts = 0
        var hasTimes = false
        for row in rows where !row[column].allSatisfy(\.isWhitespace) {
            texts += 1
            if let guess = guesser.read(row[column]) {
                if guess.form == nil {
                    counts[.timeOfDay, default: 0] += 1
                } else {
                    counts[guess.nanosecondsOfDay == nil ? .date : .dateAndTime, default: 0] += 1
                    if guess.nanosecondsOfDay ?? 0 > 0 { hasTimes = true }
                }
            } else if guesser.read("2000-01-01 " + row[column]) != nil {
                counts[.timeOfDay, default: 0] += 1
            }
        }
        guard texts > 0, let (kind, count) = counts.max(by: { $0.value < $1.value }), count * 2 > texts else {
            return nil
        }
        // Midnight on every line is how spreadsheets write a date.
        return kind == .dateAndTime && !hasTimes ? .date : kind
    }
}

// MARK: - The other columns

extension ColumnFinder {
    /// The column that has the name of an order number.
    func order(except taken: Set<String>) -> String? { named(ColumnNames.order, taken) }

    private func named(
        _ known: [String], _ taken: Set<String>, where fits: (Int) -> Bool = { _ in true }
    ) -> String? {
        let plain = names.map(ColumnNames.plain)
        for word in known {
            for index in names.indices where plain[index] == word && !taken.contains(names[index]) && fits(index) {
                return names[index]
            }
        }
        return nil
    }

    private func texts(_ column: Int) -> [String] { rows.map { $0[column] }.filter { !$0.isEmpty } }

    private func isNumeric(_ column: Int) -> Bool {
        let texts = texts(column)
        return texts.count { Quantity($0) != nil } * 2 > texts.count
    }

    /// The column of words with the most different ones, each of which occurs several times.
    private func mostVaried(_ taken: Set<String>) -> String? {
        var best: (name: String, count: Int)?
        for (index, name) in names.enumerated() where !taken.contains(name) && kind(of: index) == nil {
            let texts = texts(index)
            let different = Set(texts).count
            let areWords =
                texts.count { $0.contains(where: \.isLetter) && !$0.contains(where: \.isNumber) } * 2 > texts.count
            guard areWords, different > 1, different * 3 <= texts.count, different > best?.count ?? 1 else { continue }
            best = (name, different)
        }
        return best?.name
    }

    /// A column whose equal values are neighbours and share their time, as the lines of one order do.
    private func groups(_ time: [String], _ taken: Set<String>) -> String? {
        let clock = time.compactMap { names.firstIndex(of: $0) }
        for (index, name) in names.enumerated() where !taken.contains(name) && kind(of: index) == nil {
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
            if fits, times.count >= 10, repeats * 20 >= rows.count { return name }
        }
        return nil
    }
}
