import Platform
import TextFormats

/// The lines of a till that count, for a fit and for a trace alike.
///
/// A line takes 24 bytes.
package struct TillLines {
    struct Line {
        /// Nanoseconds since 1970, or since the opening.
        var time: Int64
        var order: UInt32
        var item = TillLines.noItem
        var number: UInt32
        var quantity: UInt16 = 1
        var written: TillTimes.Written
    }

    /// A line as it was read.
    package struct Taken {
        /// The index in ``TillLines/items``; nil if the line has no item.
        package let item: Int?
        fileprivate let record: DelimitedRecord
        fileprivate let column: Int

        /// The place of the item.
        package var place: Place { record.place(of: column) }
    }

    /// Whether a line that counts is taken; it gets the names of the items.
    package typealias Acceptance = (Taken, _ items: [String]) throws(TextProblem) -> Bool

    static let noItem = UInt32.max
    /// Begins the reason why a line that is void, refunded or cancelled is skipped.
    static let doesNotCount = "it does not count: "
    /// The most cups that an order of a stand may have.
    static let mostCups = 10_000.0

    let request: TillRequest
    /// Whether the file is a stand's ledger.
    let isLedger: Bool
    let columns: TillColumns
    /// The names of the items, each in the spelling that comes first.
    package private(set) var items: [String] = []
    var lines: [Line] = []
    /// Lines that were left out and are said, in the order of the file once they are settled.
    package internal(set) var skipped: [Till.Skipped] = []
    /// How many of them are faulty.
    private(set) var faults = 0
    /// The lines that do not fulfil the conditions.
    private(set) var excluded = 0
    /// The records of the file, without those that cannot be read.
    package private(set) var records = 0
    /// What is wrong with the lines in the eyes of the caller.
    package internal(set) var problems = ProblemList()
    var decisions = TillTimes.Decisions()
    var warningsOfOrder = ProblemList()
    private(set) var durations: [(line: UInt32, seconds: Double)] = []
    private(set) var rounded = 0
    var times: TillTimes
    /// The time and the order of the last line with a time, and why it does not count if it is void.
    private var last: (line: Line, whyVoid: String?)?
    private let places: Places
    private let quantities: QuantityReader
    private var knownQuantities = ByteTable<Double?>()
    private var orders = ByteTable<UInt32>()
    private var spellings = ByteTable<UInt32>()
    private var itemIndices: [String: UInt32] = [:]
    private var voids: [ByteTable<Bool>]
    private var conditions: [ByteTable<Bool>]

    /// - Parameters:
    ///   - columns: Those that were taken.
    ///   - quantities: Reads the column of quantities.
    ///   - times: Times of the file.
    ///   - count: About how many lines there are.
    init(
        _ request: TillRequest, _ columns: TillColumns, _ quantities: QuantityReader, times sample: [String],
        isLedger: Bool, count: Int
    ) {
        self.request = request
        self.isLedger = isLedger
        self.columns = columns
        places = Places(columns)
        self.quantities = quantities
        times = TillTimes(
            format: request.timeFormat.flatMap { TimeFormat($0) }, zone: request.timeZone, sample: sample)
        voids = columns.void.map { _ in ByteTable() }
        conditions = request.conditions.map { _ in ByteTable() }
        lines.reserveCapacity(count)
    }

    /// The columns of a record: those of the time first, and the conditions last.
    var wanted: [String] {
        columns.time
            + [columns.order, columns.item, columns.quantity, columns.started, columns.ended].compactMap { $0 }
            + columns.void + request.conditions.map(\.column)
    }

    /// Where the columns stand in ``wanted``.
    private struct Places {
        var order: Int?
        var item: Int?
        var quantity: Int?
        var started: Int?
        var ended: Int?
        var voids = 0
        var conditions = 0

        init(_ columns: TillColumns) {
            var next = columns.time.count
            func place(_ column: String?) -> Int? {
                guard column != nil else { return nil }
                next += 1
                return next - 1
            }
            order = place(columns.order)
            item = place(columns.item)
            quantity = place(columns.quantity)
            started = place(columns.started)
            ended = place(columns.ended)
            voids = next
            conditions = next + columns.void.count
        }
    }

    mutating func skip(_ line: Int, _ why: String, isFault: Bool = true) {
        skipped.append(.init(line: line, why: why))
        if isFault { faults += 1 }
    }

    /// Adds a line whose item stands in a column of `record`, unless the caller leaves it out.
    mutating func add(_ line: Line, itemIn column: Int?, of record: DelimitedRecord, _ accepts: Acceptance) {
        var line = line
        if let column { line.item = item(record.bytes(column)) }
        // A stand makes a juice of every line; a fit counts the line as an order.
        if request.isTrace, line.item == Self.noItem {
            return skip(Int(line.number), "it has no item", isFault: false)
        }
        let item = line.item == Self.noItem ? nil : Int(line.item)
        do throws(TextProblem) {
            if try accepts(Taken(item: item, record: record, column: column ?? 0), items) { lines.append(line) }
        } catch {
            problems.add(error)
        }
    }

    /// Gives the last line another item.
    mutating func replaceLast(itemIn column: Int, of record: DelimitedRecord, _ accepts: Acceptance) {
        if let line = lines.popLast() { add(line, itemIn: column, of: record, accepts) }
    }
}

// MARK: - Reading

extension TillLines {
    /// Takes a line unless it does not count.
    ///
    /// - Throws: What cannot be read, with its place.
    mutating func read(_ record: DelimitedRecord, _ accepts: Acceptance) throws(TextProblem) {
        records += 1
        let number = record.place.line
        if record.isEmpty { return skip(number, "the row is empty", isFault: false) }
        let isContinued = record.bytes(0).isEmpty
        var found: Line?
        var problem: TextProblem?
        do throws(TextProblem) { found = try line(record) } catch { problem = error }
        if let found, !isContinued { last = (found, nil) }
        if problem != nil || isContinued, let why = whyNoOrder(record) { return skip(number, why, isFault: false) }
        let why = whyVoid(record)
        if !isContinued { last?.whyVoid = why }
        if let why = why ?? (isContinued ? last?.whyVoid : nil) { return skip(number, why, isFault: false) }
        guard fulfilsConditions(record) else {
            excluded += 1
            return
        }
        guard var line = found else { throw problem ?? TextProblem(place: record.place, message: "expected an order") }
        if let column = places.quantity, let why = try setQuantity(of: &line, record, column) {
            return skip(number, why)
        }
        if let started = places.started, let ended = places.ended,
            let span = times.span(from: record.bytes(started), to: record.bytes(ended)), span >= 0
        {
            durations.append((line.number, Double(span) / 1e9 / Double(line.quantity)))
        }
        add(line, itemIn: places.item, of: record, accepts)
    }

    /// Why a line is void, refunded or cancelled; nil if it is not.
    private mutating func whyVoid(_ record: DelimitedRecord) -> String? {
        for index in voids.indices {
            let text = record.bytes(places.voids + index)
            let name = columns.void[index]
            let isVoid = voids[index].value(of: text) { _ in
                VoidLines.isMarked(String(decoding: text, as: UTF8.self), in: name)
            }
            if isVoid { return "\(Self.doesNotCount)\"\(name)\" is \"\(String(decoding: text, as: UTF8.self))\"" }
        }
        return nil
    }

    private mutating func fulfilsConditions(_ record: DelimitedRecord) -> Bool {
        for index in conditions.indices {
            let text = record.bytes(places.conditions + index)
            let condition = request.conditions[index]
            let holds = conditions[index].value(of: text) { _ in
                condition.holds(String(decoding: text, as: UTF8.self))
            }
            if !holds { return false }
        }
        return true
    }

    /// Returns why the line does not count; nil if it does.
    private mutating func setQuantity(
        of line: inout Line, _ record: DelimitedRecord, _ column: Int
    ) throws(TextProblem) -> String? {
        let bytes = record.bytes(column)
        var text: String { String(decoding: bytes, as: UTF8.self) }
        let quantity = knownQuantities.value(of: bytes) { _ in quantities.read(bytes) }
        guard let quantity, quantity <= Self.mostCups else {
            throw unexpected(quantity == nil ? "a quantity" : "a quantity of at most 10,000", text, record, column)
        }
        guard quantity > 0 else { return quantity < 0 ? "a refund: the quantity is \(text)" : "the quantity is 0" }
        if quantity != quantity.rounded() { rounded += 1 }
        line.quantity = UInt16(max(1, quantity.rounded()))
        return nil
    }

    /// The line with its time and order. A line without a date has that of its order, whose line stands before it.
    private mutating func line(_ record: DelimitedRecord) throws(TextProblem) -> Line {
        var text = record.bytes(0)
        if columns.time.count > 1 {
            var joined: [UInt8] = []
            for index in columns.time.indices {
                if index > 0 { joined.append(ASCII.space) }
                joined += record.bytes(index)
            }
            text = joined[...].trimmed
        }
        let orderText = places.order.map(record.bytes) ?? []
        let order = places.order == nil ? UInt32(clamping: lines.count) : order(orderText)
        let number = UInt32(clamping: record.place.line)
        if text.isEmpty, places.order != nil, let last = last?.line, orderText.isEmpty || last.order == order {
            return Line(time: last.time, order: last.order, number: number, written: last.written)
        }
        do throws(TillTimes.Unreadable) {
            let (time, written) = try times.read(text, line: record.place.line)
            return Line(time: time, order: order, number: number, written: written)
        } catch {
            switch error {
            case .noSuchDate: throw TextProblem(place: record.place(of: 0), message: TillTimes.noSuchDate)
            case .unexpected:
                throw unexpected(expectation, String(decoding: text, as: UTF8.self), record, 0)
            }
        }
    }

    /// What a line's time must be.
    var expectation: String {
        times.expectation + (request.isTrace && request.timeFormat == nil ? ", or seconds since the opening" : "")
    }

    /// Why a row that cannot be read is no line of an order; nil if it may be one.
    private func whyNoOrder(_ record: DelimitedRecord) -> String? {
        if columns.time[0].utf8.elementsEqual(record.bytes(0)) { return "the header again" }
        let isTotal = [0, places.order, places.item].compactMap { $0 }.contains { column in
            ColumnNames.totals.contains(ColumnNames.plain(String(decoding: record.bytes(column), as: UTF8.self)))
        }
        return isTotal ? "a row of totals" : nil
    }

    /// The problem of a file most of whose lines cannot be used; nil for others.
    package var unusable: TextProblem? {
        guard faults > lines.count, let first = skipped.first else { return nil }
        return TextProblem(
            place: Place(source: request.file, line: first.line, column: 1),
            message: "\(first.why); \(Columns.grouped(faults)) of \(Columns.counted(faults + lines.count, "line")) "
                + "cannot be used")
    }

    // MARK: Items and orders

    /// An item's name without differences of spelling: in lower case, with single spaces.
    package static func plain(_ name: String) -> String { spaced(name).lowercased() }

    static func spaced(_ name: String) -> String {
        name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private mutating func item(_ text: ArraySlice<UInt8>) -> UInt32 {
        guard !text.isEmpty else { return Self.noItem }
        return spellings.value(of: text) { _ in
            let name = Self.spaced(String(decoding: text, as: UTF8.self))
            let key = name.lowercased()
            if let known = itemIndices[key] { return known }
            let index = UInt32(items.count)
            items.append(name)
            itemIndices[key] = index
            return index
        }
    }

    /// What distinguishes an order from others of its day: its number, or an index beyond all numbers.
    private mutating func order(_ text: ArraySlice<UInt8>) -> UInt32 {
        let firstIndex: UInt32 = 1 << 31
        // A line without a number is an order of its own.
        guard let first = text.first else { return .max - UInt32(clamping: lines.count) }
        // Most tills have plain numbers, which need no memory. "007" is another text than "7".
        if text.count < 10, first != ASCII.zero, text.allSatisfy(ASCII.isDigit) {
            return text.reduce(0) { $0 * 10 + UInt32($1 - ASCII.zero) }
        }
        return orders.value(of: text) { firstIndex + UInt32($0) }
    }

    private func unexpected(
        _ expectation: String, _ text: String, _ record: DelimitedRecord, _ column: Int
    ) -> TextProblem {
        let shown = text.prefix(40) + (text.count > 40 ? "…" : "")
        let found = text.isEmpty ? "nothing" : "\"\(shown)\""
        return TextProblem(place: record.place(of: column), message: "expected \(expectation), found \(found)")
    }
}
