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
    ///   - count: About how many lines there are.
    init(
        _ request: TillRequest, _ columns: TillColumns, _ quantities: QuantityReader, isLedger: Bool, count: Int
    ) {
        self.request = request
        self.isLedger = isLedger
        self.columns = columns
        self.quantities = quantities
        times = TillTimes(format: request.timeFormat.flatMap { TimeFormat($0) }, zone: request.timeZone)
        voids = columns.void.map { _ in ByteTable() }
        conditions = request.conditions.map { _ in ByteTable() }
        lines.reserveCapacity(count)
    }

    /// The columns in the order in which ``read(_:)`` looks at them.
    var wanted: [String] {
        columns.time
            + [columns.order, columns.item, columns.quantity, columns.started, columns.ended].compactMap { $0 }
            + columns.void + request.conditions.map(\.column)
    }

    mutating func skip(_ line: Int, _ why: String, isFault: Bool = true) {
        skipped.append(.init(line: line, why: why))
        if isFault { faults += 1 }
    }

    /// Adds a line whose item stands in a column of `record`, unless the caller leaves it out.
    mutating func add(
        _ line: Line, itemIn column: Int, of record: DelimitedRecord, _ accepts: Acceptance
    ) throws(TextProblem) {
        var line = line
        line.item = item(record.bytes(column))
        let item = line.item == Self.noItem ? nil : Int(line.item)
        if try accepts(Taken(item: item, record: record, column: column), items) { lines.append(line) }
    }

    /// Gives the last line another item.
    mutating func replaceLast(
        itemIn column: Int, of record: DelimitedRecord, _ accepts: Acceptance
    ) throws(TextProblem) {
        if let line = lines.popLast() { try add(line, itemIn: column, of: record, accepts) }
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
        var column = columns.time.count
        func next() -> ArraySlice<UInt8> {
            column += 1
            return record.bytes(column - 1)
        }
        let orderText = columns.order == nil ? [] : next()
        var found: Line?
        var problem: TextProblem?
        do throws(TextProblem) { found = try line(record, orderText) } catch { problem = error }
        let isContinued = record.bytes(0).isEmpty
        if let found, !isContinued { last = (found, nil) }
        let itemColumn = column
        let itemText = columns.item == nil ? [] : next()
        let quantityText: ArraySlice<UInt8>? = columns.quantity == nil ? nil : next()
        let spanTexts = columns.started == nil || columns.ended == nil ? nil : (next(), next())
        if problem != nil || isContinued, let why = whyNoOrder(record, [orderText, itemText]) {
            return skip(number, why, isFault: false)
        }
        for index in voids.indices {
            let text = next()
            let name = columns.void[index]
            let isVoid = voids[index].value(of: text) { _ in
                VoidLines.isMarked(String(decoding: text, as: UTF8.self), in: name)
            }
            guard isVoid else { continue }
            let why = "\(Self.doesNotCount)\"\(name)\" is \"\(String(decoding: text, as: UTF8.self))\""
            if !isContinued { last?.whyVoid = why }
            return skip(number, why, isFault: false)
        }
        if isContinued, let why = last?.whyVoid { return skip(number, why, isFault: false) }
        for index in conditions.indices {
            let text = next()
            let condition = request.conditions[index]
            guard conditions[index].value(of: text, { _ in condition.holds(String(decoding: text, as: UTF8.self)) })
            else {
                excluded += 1
                return
            }
        }
        guard var line = found else { throw problem ?? TextProblem(place: record.place, message: "expected an order") }
        if columns.item != nil { line.item = item(itemText) }
        // A stand makes a juice of every line; a fit counts the line as an order.
        if request.isTrace, line.item == Self.noItem { return skip(number, "it has no item", isFault: false) }
        if let quantityText {
            var text: String { String(decoding: quantityText, as: UTF8.self) }
            let quantity = knownQuantities.value(of: quantityText) { _ in quantities.read(quantityText) }
            guard let quantity, quantity <= Self.mostCups else {
                let expectation = quantity == nil ? "a quantity" : "a quantity of at most 10,000"
                throw unexpected(expectation, text, record, itemColumn + (columns.item == nil ? 0 : 1))
            }
            guard quantity > 0 else {
                return skip(number, quantity < 0 ? "a refund: the quantity is \(text)" : "the quantity is 0")
            }
            if quantity != quantity.rounded() { rounded += 1 }
            line.quantity = UInt16(max(1, quantity.rounded()))
        }
        if let spanTexts, let span = times.span(from: spanTexts.0, to: spanTexts.1), span >= 0 {
            durations.append((line.number, Double(span) / 1e9 / Double(line.quantity)))
        }
        let item = line.item == Self.noItem ? nil : Int(line.item)
        do throws(TextProblem) {
            if try accepts(Taken(item: item, record: record, column: itemColumn), items) { lines.append(line) }
        } catch {
            problems.add(error)
        }
    }

    /// The line with its time and order. A line without a date has that of its order, whose line stands before it.
    private mutating func line(_ record: DelimitedRecord, _ orderText: ArraySlice<UInt8>) throws(TextProblem) -> Line {
        var text = record.bytes(0)
        if columns.time.count > 1 {
            var joined: [UInt8] = []
            for index in columns.time.indices {
                if index > 0 { joined.append(ASCII.space) }
                joined += record.bytes(index)
            }
            text = joined[...].trimmed
        }
        let order = columns.order == nil ? UInt32(clamping: lines.count) : order(orderText)
        let number = UInt32(clamping: record.place.line)
        if text.isEmpty, columns.order != nil, let last = last?.line, orderText.isEmpty || last.order == order {
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

    /// Why a row that cannot be read is none of an order; nil if it may be one.
    private func whyNoOrder(_ record: DelimitedRecord, _ texts: [ArraySlice<UInt8>]) -> String? {
        let first = record.bytes(0)
        if columns.time[0].utf8.elementsEqual(first) { return "the header again" }
        let isTotal = ([first] + texts).contains { text in
            ColumnNames.totals.contains(ColumnNames.plain(String(decoding: text, as: UTF8.self)))
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
