import Platform
import TextFormats
import Tills

/// Reads the orders of traces from CSV or JSON Lines.
enum TraceLoader {
    /// Reads the orders of a trace.
    ///
    /// - Parameters:
    ///   - source: The path of its file is absolute, or relative to the current folder.
    ///   - opens: The opening in nanoseconds since 1970; nil for midnight before the earliest line.
    /// - Returns: The trace and the opening in nanoseconds since 1970.
    /// - Throws: `unreadable`, or `badTrace` with every line that is wrong.
    static func load(
        _ source: Trace.Source, _ menu: Menu, opens: Int64?
    ) throws(ConfigurationError) -> (trace: Trace, opens: Int64?) {
        var request = TillRequest(file: source.file)
        request.isTrace = true
        request.columns[.time] = source.time.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
        for (role, column) in [(TillColumns.Role.order, source.order), (.item, source.juice), (.quantity, source.cups)]
        {
            if let column { request.columns[role] = [column] }
        }
        request.timeFormat = source.timeFormat
        request.timeZone = source.timeZone.flatMap(TimeFormat.offset)
        request.conditions = source.conditions.compactMap { TillCondition($0) }
        var fingerprint = Fingerprint()
        var juices = JuicesOfItems(source, menu)
        let lines: TillLines
        do throws(TillError) {
            lines = try TillReader(request).lines { piece in
                unsafe fingerprint.combine(piece.span.bytes)
            } keeps: { item, place in
                juices.keeps(item, place)
            }
        } catch {
            switch error {
            case .unreadable(let path, let reason): throw .unreadable(path: path, reason: reason)
            case .badTill(let problem): throw .badTrace([problem])
            case .badOption(let message):
                throw .badTrace([TextProblem(place: Place(source: source.file), message: message)])
            }
        }
        guard juices.problems.isEmpty else { throw .badTrace(juices.problems.listed) }
        if let problem = lines.unusable { throw .badTrace([problem]) }
        guard !lines.lines.isEmpty || lines.records == 0 else {
            throw .badTrace([juices.nothingLeft(of: lines.records, in: source.file)])
        }
        let opening = opens ?? lines.firstMidnight
        var trace = Trace(source: source, lines: [])
        trace.source.file = absolutePath(source.file)
        trace.source.fingerprint = fingerprint.text
        trace.source.warnings = lines.warnings.listed
        trace.lines.reserveCapacity(lines.lines.count)
        var problems = ProblemList()
        for line in lines.lines {
            guard let juice = juices[lines.items[Int(line.item)]] else { continue }
            let (since, isTooLong) =
                line.hasDate ? line.time.subtractingReportingOverflow(opening ?? 0) : (line.time, false)
            guard !isTooLong, since >= 0 else {
                let place = Place(source: source.file, line: Int(line.number), column: 1)
                problems.add(Self.outside(line.time, opening ?? 0, isTooLong, place))
                continue
            }
            let cups = source.cups == nil ? nil : Int(line.quantity)
            trace.lines.append(Trace.Line(time: SimulationTime(nanoseconds: since), juice: juice, cups: cups))
        }
        guard problems.isEmpty else { throw .badTrace(problems.listed) }
        // Lines without a date count from the opening, whenever that is.
        trace.lines.sort { $0.time < $1.time }
        return (trace, opening)
    }

    /// The problem of a line before the opening, or too long after it.
    private static func outside(_ time: Int64, _ opening: Int64, _ isTooLong: Bool, _ place: Place) -> TextProblem {
        let opens = CalendarTime(nanosecondsSinceEpoch: opening)
        let found = CalendarTime(nanosecondsSinceEpoch: time)
        return TextProblem(
            place: place,
            message: isTooLong
                ? "must be within 292 years of the opening, at \(opens), found \(found)"
                : "must not be before the stand opens, at \(opens), found \(found); set \"opens\" to an earlier time")
    }
}

/// The juice of each item of a trace.
private struct JuicesOfItems {
    private let unmapped: Trace.Unmapped
    private let menu: Menu
    /// The juice by item: for the names of the menu and the map, and for items that have come. nil leaves the item out.
    private var juices: [String: Juice?] = [:]
    /// The juice by the plain form of a name, for items that are spelled otherwise.
    private var spelled: [String: Juice?] = [:]
    private var dealt = 0
    /// The first item that was left out because it is unmapped.
    private var firstSkipped: String?
    /// The items that are neither on the menu nor in the map.
    private(set) var problems = ProblemList()

    init(_ source: Trace.Source, _ menu: Menu) {
        unmapped = source.unmapped
        self.menu = menu
        func set(_ name: String, _ juice: Juice?) {
            juices[name] = .some(juice)
            spelled[name.plain] = .some(juice)
        }
        for (index, juice) in menu.juices.enumerated() { set(juice.name, Juice(index: index)) }
        for (item, juice) in source.map { set(item, juice.flatMap { menu.juice(named: $0) }) }
    }

    subscript(item: String) -> Juice? { juices[item] ?? nil }

    /// Whether a line with an item has a juice.
    mutating func keeps(_ item: String, _ place: () -> Place) -> Bool {
        if let known = juices[item] { return known != nil }
        var juice: Juice?
        if let alike = spelled[item.plain] {
            juice = alike
        } else {
            switch unmapped {
            case .skip:
                if firstSkipped == nil { firstSkipped = item }
            case .cycle:
                juice = Juice(index: dealt % menu.juices.count)
                dealt += 1
            case .error:
                let message = "unknown item \"\(item)\"; expected a juice of the menu or a key of \"map\""
                problems.add(TextProblem(place: place(), message: message))
                return false
            }
        }
        juices[item] = .some(juice)
        return juice != nil
    }

    func nothingLeft(of records: Int, in file: String) -> TextProblem {
        let lines = Columns.counted(records, "line")
        let why = firstSkipped.map {
            "; no item, such as \"\($0)\", is a juice of the menu or a key of \"map\", and \"unmapped\" is \"skip\""
        }
        return TextProblem(place: Place(source: file), message: "no order is left of \(lines)\(why ?? "")")
    }
}

extension Trace.Source {
    static let form = Form.object(
        Trace.Source(file: "", time: "", juice: ""),
        [
            Setting(
                "file", \.file, .text, required: "the path of a CSV or JSON Lines file",
                "The file, CSV with a header or JSON Lines. Its path is relative to the folder of the configuration."),
            Setting(
                "time", \.time, .text, required: "the column of the time",
                "The column of the time. Two columns joined by + form one time."),
            Setting("juice", \.juice, .text, required: "the column of the item", "The column of the item."),
            Setting("cups", \.cups, .text, "The column of the number of cups. By default cups are drawn."),
            Setting(
                "order", \.order, .text,
                "The column of the order number, whose lines come at one instant. By default it is found by its name."),
            Setting("map", \.map, itemMap, "The juice of each item; null leaves the item out."),
            Setting(
                "unmapped", \.unmapped, .choice,
                "What to do with an item that is neither in the map nor on the menu."),
            Setting(
                "timeFormat", \.timeFormat,
                .text(must: "a format of strptime such as \"%d.%m.%Y %H:%M\"") { TimeFormat($0) != nil },
                "The format of the times as in strptime, such as %d.%m.%Y %H:%M."),
            Setting(
                "timeZone", \.timeZone,
                .text(must: "an offset from UTC such as \"+09:00\"") { TimeFormat.offset($0) != nil },
                "The shop's clock, such as +09:00, to which Unix times and times with an offset are turned."),
            Setting(
                "where", \.conditions,
                .list(
                    .text(must: TillCondition.expectation) { TillCondition($0) != nil },
                    of: "conditions such as \"COLUMN=VALUE\""),
                isLeftOut: \.isEmpty,
                "Conditions such as COLUMN=VALUE or COLUMN!=VALUE. Lines that do not fulfil all of them are left out."),
        ])

    private static let itemMap = Form.named(Form.text.orNull).mapped { members in
        members.map { (item: $0.name, juice: $0.value) }
    } back: { map in
        map.map { Named(name: $0.item, value: $0.juice) }
    }
}
