import TextFormats

// MARK: - Day and month

extension TillLines {
    static let noSuchDate = "there is no such date"

    /// Decides the order of day and month from the whole file, and sets the days of all lines.
    ///
    /// - Returns: The decisions, in sentences, and the numbers of lines whose date does not exist. These are
    ///   removed.
    mutating func decideDays(_ file: String) throws(TillError) -> (notes: [String], missing: [Int]) {
        var notes: [String] = []
        var missing: [Int] = []
        var isDayFirst: [Bool] = []
        for form in formList { isDayFirst.append(try decide(form, file, &notes)) }
        if formList.count > 1 { notes.append("The file has dates of \(formList.count) forms.") }
        // Nothing to change, as in most files.
        guard isDayFirst.contains(false) || lines.contains(where: { $0.date.form != nil && $0.date.isMonthFirst })
        else {
            return (notes, [])
        }
        var last: (day: Int64, swapped: Int64?) = (.min, nil)
        var kept = 0
        for index in lines.indices {
            var line = lines[index]
            if let form = line.date.form, isDayFirst[form] == line.date.isMonthFirst {
                // The line has the other order than the file.
                let day = Int64(Till.day(of: line.time))
                if day != last.day { last = (day, Self.swapped(day)) }
                guard !line.date.isMonthFirst, let swapped = last.swapped else {
                    missing.append(Int(line.number))
                    continue
                }
                line.time += (swapped - day) * CalendarTime.day
            }
            lines[kept] = line
            kept += 1
        }
        lines.removeLast(lines.count - kept)
        return (notes, missing)
    }

    /// The date with day and month exchanged; nil if there is no such date.
    private static func swapped(_ day: Int64) -> Int64? {
        let (year, month, dayOfMonth) = CalendarTime(nanosecondsSinceEpoch: day * CalendarTime.day).yearMonthDay
        return CalendarTime(year: year, month: dayOfMonth, day: month)?.nanosecondsSinceEpoch().map {
            Int64(Till.day(of: $0))
        }
    }

    /// Whether the day comes first in dates of a form.
    private func decide(
        _ form: DateGuess.Form, _ file: String, _ notes: inout [String]
    ) throws(TillError) -> Bool {
        guard form != .certain, let order = forms[form] else { return true }
        let (days, months) = (order.dayFirstCount, order.monthFirstCount)
        // A few dates against very many are faulty lines: they do not exist.
        guard min(days, months) * 100 <= max(days, months) else {
            let (day, month) = (order.dayFirst!, order.monthFirst!)
            throw .badTill(
                TextProblem(
                    place: Place(source: file, line: max(day.line, month.line), column: 1),
                    message: "dates must all have the day first or all the month first, found \"\(day.text)\" in line "
                        + "\(day.line) and \"\(month.text)\" in line \(month.line)"))
        }
        guard days != months else {
            let key = purpose == .fit ? "--time-format" : "\"timeFormat\""
            throw .badTill(
                TextProblem(
                    place: Place(source: file, line: order.example.line, column: 1),
                    message:
                        "\"\(order.example.text)\" can have the day or the month first, and no other date decides; "
                        + "use \(key), such as \"%d/%m/%Y %H:%M\""))
        }
        let evidence = days > months ? order.dayFirst! : order.monthFirst!
        let (example, shown) = (order.example.text, evidence.text)
        notes.append(
            days > months
                ? "Dates such as \"\(example)\" have the day first, as \"\(shown)\" in line \(evidence.line) shows."
                : "Dates such as \"\(example)\" have the month first, as \"\(shown)\" in line \(evidence.line) shows.")
        return days > months
    }
}
