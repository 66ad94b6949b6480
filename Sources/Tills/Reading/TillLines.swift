import Platform
import TextFormats

/// The lines of a till that count, for a fit and for a trace alike.
package struct TillLines {
    /// A line in 24 bytes.
    package struct Line: Sendable {
        /// Nanoseconds since 1970, or since the opening.
        package internal(set) var time: Int64
        var order: UInt32
        /// The index of its item.
        package internal(set) var item = TillLines.noItem
        /// The number of the line in the file.
        package internal(set) var number: UInt32
        package internal(set) var quantity: UInt16 = 1
        /// The index of the way its time is written; nil for a plain number.
        var writing: UInt8? = 0

        /// Whether the time is a date and time of day.
        package var hasDate: Bool { writing != nil }

        /// The time for messages: a date and time of day, or a plain number.
        fileprivate var shownTime: String {
            guard !hasDate else { return "\(CalendarTime(nanosecondsSinceEpoch: time))" }
            let seconds = Double(time) / Double(DurationText.second)
            return seconds == seconds.rounded() ? "\(time / DurationText.second)" : "\(seconds)"
        }
    }

    static let noItem = UInt32.max
    /// The most cups that an order of a stand may have.
    static let mostCups = 10_000.0

    let request: TillRequest
    let columns: TillColumns
    let isLedger: Bool
    /// The names of the items, each in the spelling that comes first.
    package private(set) var items: [String] = []
    /// The lines that count, in the order of the file; after ``settle()``, in the order of their times.
    package internal(set) var lines: [Line] = []
    /// The lines that were left out and are reported; after ``settle()``, in the order of the file.
    package private(set) var skipped: [Till.Skipped] = []
    /// Usual assumptions about the file, in sentences.
    var notes: [String] = []
    /// Assumptions about the file that may be wrong and are also warnings, in sentences.
    var surprises: [String] = []
    /// The number of the file's lines that could be read.
    package private(set) var records = 0
    /// The number of skipped lines that are faulty.
    private var faults = 0
    /// The number of skipped lines that are void, refunded or cancelled.
    private(set) var voided = 0
    /// The number of lines that do not meet the conditions.
    private var excluded = 0
    /// The number of quantities that were rounded.
    private var rounded = 0
    /// The seconds from start to end for one piece, by the number of the line.
    private(set) var durations: [UInt32: Double] = [:]
    private var warningsOfOrder = ProblemList()
    private var times: TillTimes
    /// The last line with a time, and why it does not count if it is void.
    private var last: (line: Line, whyVoid: String?)?
    /// The index of the first column of each role in a record.
    private let places: [Int?]
    private let timeColumns: Int
    private let quantities: QuantityReader
    private var knownQuantities = Memo<Double?>()
    private var orders = Memo<UInt32>()
    private var spellings = Memo<UInt32>()
    private var itemIndices: [String: UInt32] = [:]
    /// The filters of the void columns, then those of the conditions. Their columns are neighbours in a record.
    private var filters: [RowFilter]
    /// The index of the first filter's column in a record.
    private let firstFilter: Int
    /// Whether a line is kept, by its item and the item's place.
    private let keeps: (_ item: String, _ place: () -> Place) -> Bool

    init(
        _ request: TillRequest, _ columns: TillColumns, _ finder: ColumnFinder, isLedger: Bool,
        keeps: @escaping (_ item: String, _ place: () -> Place) -> Bool
    ) {
        self.request = request
        self.columns = columns
        self.isLedger = isLedger
        self.keeps = keeps
        timeColumns = columns[.time].count
        var next = 0
        places = TillColumns.Role.allCases.map { role in
            let count = columns[role].count
            next += count
            return count > 0 ? next - count : nil
        }
        quantities = QuantityReader(finder.texts(of: columns[.quantity].first))
        times = TillTimes(request, sample: finder.times(columns[.time]))
        firstFilter = columns.all.count - columns[.void].count
        filters =
            columns[.void].map { RowFilter(void: $0) }
            + request.conditions.map { RowFilter(column: $0.column, counts: $0.holds) }
    }

    /// The names of the columns of a record.
    var wanted: [String] { columns.all + request.conditions.map(\.column) }

    mutating func skip(_ line: Int, _ why: String, isFault: Bool = true) {
        skipped.append(.init(line: line, why: why))
        if isFault { faults += 1 }
    }

    /// Adds a line whose item stands in a column of `record`, unless the caller leaves it out.
    mutating func add(_ line: Line, itemIn column: Int?, of record: DelimitedRecord) {
        var line = line
        let text = column.map(record.bytes) ?? []
        if let column, !text.isEmpty {
            line.item = item(text)
            guard keeps(items[Int(line.item)], { record.place(of: column) }) else { return }
        } else if request.isTrace {
            // A stand makes a juice of every line; a fit counts the line as an order.
            return skip(Int(line.number), "it has no item", isFault: false)
        }
        lines.append(line)
    }
}

// MARK: - Reading

extension TillLines {
    /// Adds the line of a record if it counts.
    mutating func read(_ record: DelimitedRecord) {
        let number = record.place.line
        records += 1
        if record.isEmpty { return skip(number, "the row is empty", isFault: false) }
        let isContinued = record.bytes(0).isEmpty
        var found: Line?
        var why: String?
        do throws(LineFault) { found = try line(record) } catch { why = error.why }
        if found == nil || isContinued, let why = whyNoOrder(record) { return skip(number, why, isFault: false) }
        let refusing = filters.indices.first { !filters[$0].accepts(record.bytes(firstFilter + $0)) }
        var whyVoid = isContinued ? last?.whyVoid : nil
        if let refusing, refusing < columns[.void].count {
            let text = String(decoding: record.bytes(firstFilter + refusing), as: UTF8.self)
            whyVoid = "it does not count: \"\(filters[refusing].column)\" is \"\(text)\""
        }
        if let found, !isContinued { last = (found, whyVoid) }
        if let whyVoid {
            voided += 1
            return skip(number, whyVoid, isFault: false)
        }
        guard refusing == nil else {
            excluded += 1
            return
        }
        guard var line = found else { return skip(number, why ?? "expected an order") }
        do throws(LineFault) { try setQuantity(of: &line, record) } catch { return skip(number, error.why) }
        if let started = place(.started), let ended = place(.ended),
            let span = times.span(from: record.bytes(started), to: record.bytes(ended)), span >= 0
        {
            durations[line.number] = Double(span) / 1e9 / Double(line.quantity)
        }
        add(line, itemIn: place(.item), of: record)
    }

    private func place(_ role: TillColumns.Role) -> Int? { places[role.rawValue] }

    private mutating func setQuantity(of line: inout Line, _ record: DelimitedRecord) throws(LineFault) {
        guard let place = place(.quantity) else { return }
        let bytes = record.bytes(place)
        let quantity = knownQuantities.value(of: bytes, quantities.read)
        var text: String { String(decoding: bytes, as: UTF8.self) }
        guard let quantity, quantity <= Self.mostCups else {
            throw LineFault(expected: "a quantity" + (quantity == nil ? "" : " of at most 10,000"), found: text)
        }
        guard quantity > 0 else {
            throw LineFault(why: quantity < 0 ? "a refund: the quantity is \(text)" : "the quantity is 0")
        }
        if quantity != quantity.rounded() { rounded += 1 }
        line.quantity = UInt16(max(1, quantity.rounded()))
    }

    /// The line with its time and order. A line without a time continues the order of the line before it.
    private mutating func line(_ record: DelimitedRecord) throws(LineFault) -> Line {
        var text = record.bytes(0)
        if timeColumns > 1 {
            text = Array((0..<timeColumns).map(record.bytes).joined(separator: [ASCII.space]))[...].trimmed
        }
        let orderText = place(.order).map(record.bytes)
        let order = order(orderText)
        let number = UInt32(clamping: record.place.line)
        if text.isEmpty, let orderText, let last = last?.line, orderText.isEmpty || last.order == order {
            var line = last
            line.number = number
            return line
        }
        let (time, writing) = try times.read(text, line: record.place.line)
        return Line(time: time, order: order, number: number, writing: writing)
    }

    /// Why a row that cannot be read is no line of an order; nil if it may be one.
    private func whyNoOrder(_ record: DelimitedRecord) -> String? {
        if columns[.time][0].utf8.elementsEqual(record.bytes(0)) { return "the header again" }
        let isTotal = [0, place(.order), place(.item)].compactMap { $0 }.contains { column in
            WordList.total.contains(ColumnName(String(decoding: record.bytes(column), as: UTF8.self)).plain)
        }
        return isTotal ? "a row of totals" : nil
    }

    private mutating func item(_ text: ArraySlice<UInt8>) -> UInt32 {
        spellings.value(of: text) { text in
            let name = text.spaced
            if let known = itemIndices[name.lowercased()] { return known }
            let index = UInt32(items.count)
            items.append(name)
            itemIndices[name.lowercased()] = index
            return index
        }
    }

    /// An order's key, unique on its day: the number, or an index beyond all numbers.
    private mutating func order(_ text: ArraySlice<UInt8>?) -> UInt32 {
        // A line without a number is an order of its own.
        guard let text, let first = text.first else { return .max - UInt32(clamping: lines.count) }
        // Most tills have plain numbers, which need no memory. "007" is another text than "7".
        if text.count < 10, first != ASCII.zero, text.allSatisfy(ASCII.isDigit) {
            return text.reduce(0) { $0 * 10 + UInt32($1 - ASCII.zero) }
        }
        let next = UInt32(1 << 31) + UInt32(orders.count)
        return orders.value(of: text) { _ in next }
    }

    /// The problem of a file most of whose lines cannot be used; nil for any other file.
    package var unusable: TextProblem? {
        guard faults > lines.count, let first = skipped.first else { return nil }
        let lines = Columns.counted(faults + lines.count, "line")
        return problem(first.line, "\(first.why); \(Columns.grouped(faults)) of \(lines) cannot be used")
    }
}

// MARK: - The whole file

extension TillLines {
    /// Decides what only the whole file can tell: the times of all lines, which lines were exported twice, and which
    /// lines are one order.
    mutating func settle() throws(TillError) {
        try times.decide(request, &notes, &surprises)
        settleTimes()
        if rounded > 0 {
            notes.append("\(Columns.counted(rounded, "quantity", "quantities")) rounded to whole numbers.")
        }
        if excluded > 0 {
            let texts = request.conditions.map { "\"\($0.text)\"" }.joined(separator: " and ")
            let lines = Columns.counted(records, "line")
            notes.append("\(Columns.grouped(excluded)) of \(lines) left out by the condition \(texts).")
        }
        skipped.sort { $0.line < $1.line }
        warnOfLinesThatGoBack()
        try checkSpan()
        if !isLedger, lines.contains(where: \.hasDate) { removeRepeatedDays() }
        gatherOrders()
        lines.sort { ($0.time, $0.number) < ($1.time, $1.number) }
    }

    private mutating func settleTimes() {
        let numbers = lines.filter { !$0.hasDate }.map(\.time)
        let areSerials = numbers.count == lines.count && TillTimes.areSerials(numbers)
        let epoch = Int64(CalendarTime.dayOfSerials) * CalendarTime.day
        func time(ofSerial number: Int64) -> Int64 { epoch + CalendarTime.spanOfSerial(number) }
        if areSerials {
            let first = CalendarTime(nanosecondsSinceEpoch: time(ofSerial: numbers[0]))
            let text = "Numbers such as \(lines[0].shownTime) are read as dates of a spreadsheet: \(first)."
            surprises.append(text)
        }
        var kept = 0
        for index in lines.indices {
            var line = lines[index]
            if let writing = line.writing {
                guard let time = times.settled(line.time, writing) else {
                    skip(Int(line.number), LineFault.noSuchDate.why)
                    continue
                }
                line.time = time
            } else if areSerials {
                line.time = time(ofSerial: line.time)
                line.writing = 0
            } else if !request.isTrace {
                skip(Int(line.number), LineFault(expected: times.expectation, found: line.shownTime).why)
                continue
            }
            lines[kept] = line
            kept += 1
        }
        lines.removeLast(lines.count - kept)
    }

    private func checkSpan() throws(TillError) {
        let mostDays = 36_525
        let dates = lines.lazy.filter(\.hasDate).map(\.time)
        guard let first = dates.min(), let last = dates.max(), Till.day(of: last) - Till.day(of: first) >= mostDays
        else { return }
        throw .badTill(
            request.file, line: 1,
            "expected dates within a century, found \(CalendarTime(nanosecondsSinceEpoch: first)) and "
                + "\(CalendarTime(nanosecondsSinceEpoch: last))")
    }

    /// Gives all lines of an order the time of its first line.
    ///
    /// Equal order numbers of different days are different orders, because some tills count from 1 every day.
    private mutating func gatherOrders() {
        guard place(.order) != nil else { return }
        lines.sort { (Till.day(of: $0.time), $0.order, $0.time) < (Till.day(of: $1.time), $1.order, $1.time) }
        for index in lines.indices.dropFirst() {
            let before = lines[index - 1]
            if before.order == lines[index].order, Till.day(of: before.time) == Till.day(of: lines[index].time) {
                lines[index].time = before.time
            }
        }
    }

    /// Takes the lines of a day once if all of them are in the file twice, or equally often.
    ///
    /// Two equal lines may be two orders of the same minute. So a day with few different lines counts as repeated only
    /// if all days are.
    private mutating func removeRepeatedDays() {
        let hasOrders = place(.order) != nil
        func key(_ line: Line) -> (Int64, UInt32, UInt32, UInt16) {
            (line.time, hasOrders ? line.order : 0, line.item, line.quantity)
        }
        func divisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : divisor(b, a % b) }
        lines.sort { key($0) < key($1) }
        // For each day: the number of different lines, and the greatest common divisor of their frequencies.
        var days: [Int: (different: Int, times: Int)] = [:]
        var start = 0
        while start < lines.count {
            let end = lines[start...].firstIndex { key($0) != key(lines[start]) } ?? lines.count
            let day = Till.day(of: lines[start].time)
            let known = days[day] ?? (0, 0)
            days[day] = (known.different + 1, divisor(known.times, end - start))
            start = end
        }
        let different = days.values.reduce(0) { $0 + $1.different }
        let isWhole = days.values.allSatisfy { $0.times > 1 } && different >= 10
        let repeated = days.filter { $1.times > 1 && (isWhole || $1.different >= 5) }
        guard !repeated.isEmpty else { return }
        var equal = 0
        let kept = lines.indices.filter { index in
            equal = index > 0 && key(lines[index]) == key(lines[index - 1]) ? equal + 1 : 0
            return equal % (repeated[Till.day(of: lines[index].time)]?.times ?? 1) == 0
        }.map { lines[$0] }
        let text =
            "\(Columns.counted(repeated.count, "day")) with the same lines more than once, as if exported twice: "
            + "each is taken once, without \(Columns.counted(lines.count - kept.count, "line"))."
        surprises.append(text)
        lines = kept
    }
}

// MARK: - A trace

extension TillLines {
    /// Nanoseconds from 1970 to midnight before the earliest line; nil if no time has a date.
    package var firstMidnight: Int64? {
        lines.first(where: \.hasDate).map { Int64(Till.day(of: $0.time)) * CalendarTime.day }
    }

    /// The warnings about a file: skipped lines, lines whose time goes back, and assumptions that may be wrong.
    package var warnings: ProblemList {
        var list = warningsOfOrder
        for text in surprises { list.add(problem(1, text.prefix(1).lowercased() + text.dropFirst().dropLast())) }
        for line in skipped { list.add(problem(line.line, "the line is skipped: \(line.why)")) }
        return list
    }

    private func problem(_ line: Int, _ message: String) -> TextProblem {
        TextProblem(place: Place(source: request.file, line: line, column: 1), message: message)
    }

    /// Called while the lines have the times and the order of the file.
    private mutating func warnOfLinesThatGoBack() {
        guard request.isTrace, var latest = lines.first else { return }
        let steps = zip(lines, lines.dropFirst())
        if steps.count(where: { $1.time < $0.time }) > 10 * steps.count(where: { $1.time > $0.time }) {
            let newest = problem(Int(latest.number), "the newest orders come first; they are sorted by time")
            return warningsOfOrder.add(newest)
        }
        for line in lines {
            if line.time < latest.time {
                let times = "from \(latest.shownTime) to \(line.shownTime)"
                let back = problem(Int(line.number), "time goes back \(times); the order keeps its own time")
                warningsOfOrder.add(back)
            } else {
                latest = line
            }
        }
    }
}
