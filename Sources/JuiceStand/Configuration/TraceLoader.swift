import Platform
import TextFormats
import Tills

/// Reads recorded orders from CSV or JSON Lines, as the configuration describes them.
struct TraceLoader {
    static let keys: [ObjectForm.Key] = [
        .init(
            "file", .text, required: "the path of a CSV or JSON Lines file",
            "The file, CSV with a header or JSON Lines. Its path is relative to the folder of the configuration."),
        .init(
            "time", .text, required: "the column of the time",
            "The column of the time. Two columns joined by + form one time."),
        .init("juice", .text, required: "the column of the item", "The column of the item."),
        .init("cups", .text, "The column of the number of cups. By default cups are drawn."),
        .init(
            "order", .text,
            "The column of the order number, whose lines come at one instant. By default it is found by its name."),
        .init(
            "map", .named(.either([.text, .null]), least: 0),
            "The juice of each item; null leaves the item out."),
        .init(
            "unmapped", .choice(of: Trace.Unmapped.self),
            "What to do with an item that is neither in the map nor on the menu. The default is \"error\"."),
        .init("timeFormat", .text, "The format of the times as in strptime, such as %d.%m.%Y %H:%M."),
        .init(
            "timeZone", .text,
            "The shop's clock, such as +09:00, to which Unix times and times with an offset are turned."),
        .init(
            "where", .list(.text),
            "Conditions such as COLUMN=VALUE or COLUMN!=VALUE. Lines that do not fulfil all of them are left out."),
    ]

    /// The folder of the configuration, to which its paths are relative. Empty for the current folder.
    let folder: String

    /// The description of a trace.
    struct Request {
        var till = TillRequest(file: "")
        var timeZone: String?
        var map: [(item: String, juice: String?)] = []
        var unmapped = Trace.Unmapped.error
    }

    /// Reads the description of a trace. Returns nil after reporting a problem.
    func request(_ arrivals: Section, _ menu: Menu, _ report: ProblemReport) -> Request? {
        guard let section = arrivals.section("trace") else { return nil }
        var request = Request()
        request.till.isTrace = true
        let file = section.string("file").map { resolve($0, section.node("file")!.place) }
        request.till.file = file ?? ""
        let time = section.string("time")
        request.till.columns[.time] =
            time?.split(separator: "+", omittingEmptySubsequences: false).map(String.init) ?? []
        for (role, key) in [(TillColumns.Role.order, "order"), (.item, "juice"), (.quantity, "cups")] {
            if let column = section.string(key) { request.till.columns[role] = [column] }
        }
        request.unmapped = section.choice("unmapped") ?? request.unmapped
        func check(_ key: String, _ isRight: (String) -> Bool, _ expected: String) -> String? {
            guard let text = section.string(key) else { return nil }
            if !isRight(text) {
                let message = "must be \(expected), found \"\(text)\""
                report.add(section.node(key)!.place, section.path(of: key), message)
            }
            return text
        }
        request.till.timeFormat = check(
            "timeFormat", { TimeFormat($0) != nil }, "a format of strptime such as \"%d.%m.%Y %H:%M\"")
        request.timeZone = check(
            "timeZone", { TimeFormat.offset($0) != nil }, "an offset from UTC such as \"+09:00\"")
        request.till.timeZone = request.timeZone.flatMap(TimeFormat.offset)
        request.till.conditions = readConditions(section, report)
        if let map = section.section("map") { request.map = readMap(map, menu, report) }
        let columns = request.till.columns
        return file != nil && !columns[.time].isEmpty && !columns[.item].isEmpty ? request : nil
    }

    private func readConditions(_ section: Section, _ report: ProblemReport) -> [TillCondition] {
        let what = "conditions such as \"COLUMN=VALUE\""
        return section.list("where", what) { node, path in
            if case .string(let text) = node.value, let condition = TillCondition(text) { return condition }
            report.add(node.place, path, "must be \(TillCondition.expectation), found \(node.found)")
            return nil
        } ?? []
    }

    private func readMap(_ map: Section, _ menu: Menu, _ report: ProblemReport) -> [(item: String, juice: String?)] {
        let names = menu.juices.map(\.name)
        return map.all.compactMap { member in
            if member.node.value == .null { return (member.key, nil) }
            guard let juice = map.string(member.key) else { return nil }
            // An unreadable menu has been reported.
            guard !names.isEmpty, menu.juice(named: juice) == nil else { return (member.key, juice) }
            let hint = nearest(juice, among: names).map { "did you mean \"\($0)\"?" }
            report.add(
                member.node.place, map.path(of: member.key),
                "must be a juice of the menu or null, found \"\(juice)\"; "
                    + "\(hint ?? "on the menu are \(names.joined(separator: ", "))")")
            return nil
        }
    }

    /// A path from the command line is relative to the current folder.
    private func resolve(_ path: String, _ place: Place) -> String {
        path.hasPrefix("/") || place.line == 0 || folder.isEmpty ? path : "\(folder)/\(path)"
    }
}

// MARK: - Reading the file

extension TraceLoader {
    /// Reads the orders of a trace.
    ///
    /// - Parameter opens: The opening in nanoseconds since 1970; nil for midnight before the earliest line.
    /// - Returns: The trace and the opening in nanoseconds since 1970.
    /// - Throws: `unreadable`, or `badTrace` with every line that is wrong.
    func load(
        _ request: Request, _ menu: Menu, opens: Int64?
    ) throws(ConfigurationError) -> (trace: Trace, opens: Int64?) {
        var fingerprint = Fingerprint()
        var juices = JuicesOfItems(request, menu)
        let lines: TillLines
        do throws(TillError) {
            lines = try TillReader(request.till).lines { piece in
                unsafe fingerprint.combine(piece.span.bytes)
            } keeps: { item, place in
                juices.keeps(item, place)
            }
        } catch {
            switch error {
            case .unreadable(let path, let reason): throw .unreadable(path: path, reason: reason)
            case .badTill(let problem): throw .badTrace([problem])
            case .badOption(let message):
                throw .badTrace([TextProblem(place: Place(source: request.till.file), message: message)])
            }
        }
        guard juices.problems.isEmpty else { throw .badTrace(juices.problems.listed) }
        if let problem = lines.unusable { throw .badTrace([problem]) }
        guard !lines.lines.isEmpty || lines.records == 0 else {
            throw .badTrace([juices.nothingLeft(of: lines.records, in: request.till.file)])
        }
        let opening = opens ?? lines.firstMidnight
        let till = request.till
        var trace = Trace(
            source: Trace.Source(
                file: absolutePath(till.file), time: till.columns[.time].joined(separator: "+"),
                juice: till.columns[.item][0], cups: till.columns[.quantity].first, map: request.map,
                unmapped: request.unmapped, timeFormat: till.timeFormat, order: till.columns[.order].first,
                timeZone: request.timeZone, conditions: till.conditions.map(\.text),
                fingerprint: fingerprint.text, warnings: lines.warnings.listed),
            lines: [])
        trace.lines.reserveCapacity(lines.lines.count)
        var problems = ProblemList()
        for line in lines.lines {
            guard let juice = juices[lines.items[Int(line.item)]] else { continue }
            let (since, isTooLong) =
                line.hasDate ? line.time.subtractingReportingOverflow(opening ?? 0) : (line.time, false)
            guard !isTooLong, since >= 0 else {
                let place = Place(source: request.till.file, line: Int(line.number), column: 1)
                problems.add(Self.outside(line.time, opening ?? 0, isTooLong, place))
                continue
            }
            let cups = till.columns[.quantity].isEmpty ? nil : Int(line.quantity)
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
    private enum Fate {
        case juice(Juice)
        case leftOut
        case unknown
    }

    private let unmapped: Trace.Unmapped
    private let menu: Menu
    private var named: [String: Juice?] = [:]
    /// The same with plain names, for items that are spelled otherwise.
    private var spelled: [String: Juice?] = [:]
    private var fates: [String: Fate] = [:]
    private var dealt = 0
    /// The first item that was left out because it is unmapped.
    private var firstSkipped: String?
    /// The items that are neither on the menu nor in the map.
    private(set) var problems = ProblemList()

    init(_ request: TraceLoader.Request, _ menu: Menu) {
        unmapped = request.unmapped
        self.menu = menu
        func set(_ name: String, _ juice: Juice?) {
            named[name] = .some(juice)
            spelled[name.plain] = .some(juice)
        }
        for (index, juice) in menu.juices.enumerated() { set(juice.name, Juice(index: index)) }
        for (item, juice) in request.map { set(item, juice.flatMap { menu.juice(named: $0) }) }
    }

    subscript(item: String) -> Juice? { if case .juice(let juice)? = fates[item] { juice } else { nil } }

    /// Whether a line with an item has a juice.
    mutating func keeps(_ item: String, _ place: () -> Place) -> Bool {
        let fate = fates[item] ?? fate(of: item)
        fates[item] = fate
        switch fate {
        case .juice: return true
        case .leftOut: return false
        case .unknown:
            let message = "unknown item \"\(item)\"; expected a juice of the menu or a key of \"map\""
            problems.add(TextProblem(place: place(), message: message))
            return false
        }
    }

    private mutating func fate(of name: String) -> Fate {
        if let known = named[name] ?? spelled[name.plain] { return known.map(Fate.juice) ?? .leftOut }
        switch unmapped {
        case .skip:
            if firstSkipped == nil { firstSkipped = name }
            return .leftOut
        case .error: return .unknown
        case .cycle:
            defer { dealt += 1 }
            return .juice(Juice(index: dealt % menu.juices.count))
        }
    }

    func nothingLeft(of records: Int, in file: String) -> TextProblem {
        let lines = Columns.counted(records, "line")
        let why = firstSkipped.map {
            "; no item, such as \"\($0)\", is a juice of the menu or a key of \"map\", and \"unmapped\" is \"skip\""
        }
        return TextProblem(place: Place(source: file), message: "no order is left of \(lines)\(why ?? "")")
    }
}
