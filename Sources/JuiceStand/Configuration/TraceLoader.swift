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
    ]

    /// The folder of the configuration, to which its paths are relative. Empty for the current folder.
    let folder: String

    /// The description of a trace.
    struct Request {
        var file: String
        var time: String
        var juice: String
        var cups: String?
        var order: String?
        var map: [(item: String, juice: String?)] = []
        var unmapped = Trace.Unmapped.error
        var timeFormat: String?
    }

    /// Reads the description of a trace. Returns nil after reporting a problem.
    func request(_ arrivals: Section, _ menu: Menu, _ report: ProblemReport) -> Request? {
        guard let section = arrivals.section("trace") else { return nil }
        let file = section.string("file").map { resolve($0, section.node("file")!.place) }
        let (time, juice) = (section.string("time"), section.string("juice"))
        var request = Request(
            file: file ?? "", time: time ?? "", juice: juice ?? "", cups: section.string("cups"),
            order: section.string("order"))
        request.unmapped = section.choice("unmapped") ?? request.unmapped
        if let format = section.string("timeFormat") {
            request.timeFormat = format
            if TimeReader(format: format) == nil {
                report.add(
                    section.node("timeFormat")!.place, section.path(of: "timeFormat"),
                    "must be a format of strptime such as \"%d.%m.%Y %H:%M\", found \"\(format)\"")
            }
        }
        if let map = section.section("map") { request.map = readMap(map, menu, report) }
        return file != nil && time != nil && juice != nil ? request : nil
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
        var columns = TillColumns()
        columns.time = request.time.split(separator: "+").map(String.init)
        (columns.order, columns.item, columns.quantity) = (request.order, request.juice, request.cups)
        var fingerprint = Fingerprint()
        var juices = JuicesOfItems(request, menu)
        let replay: TillReplay
        do throws(TillError) {
            replay = try TillReader(file: request.file, columns: columns, timeFormat: request.timeFormat).replay(
                opens: opens
            ) {
                unsafe fingerprint.combine($0.span.bytes)
            } accepts: { (line, item) throws(TextProblem) in
                try juices.accepts(line, item)
            }
        } catch {
            switch error {
            case .unreadable(let path, let reason): throw .unreadable(path: path, reason: reason)
            case .badTill(let problem): throw .badTrace([problem])
            case .badOption(let message):
                throw .badTrace([TextProblem(place: Place(source: request.file), message: message)])
            }
        }
        guard replay.problems.isEmpty else { throw .badTrace(replay.problems.listed) }
        guard replay.count > 0 || replay.records == 0 else {
            throw .badTrace([juices.nothingLeft(of: replay.records, in: request.file)])
        }
        var trace = Trace(
            source: Trace.Source(
                file: absolutePath(request.file), time: request.time, juice: request.juice, cups: request.cups,
                map: request.map, unmapped: request.unmapped, timeFormat: request.timeFormat, order: request.order,
                fingerprint: fingerprint.text, warnings: replay.warnings.listed),
            lines: [])
        trace.lines.reserveCapacity(replay.count)
        replay.forEachLine { time, item, quantity in
            guard let juice = juices[item] else { return }
            trace.lines.append(
                Trace.Line(
                    time: SimulationTime(nanoseconds: time), juice: juice,
                    cups: request.cups == nil ? nil : quantity))
        }
        return (trace, replay.opens)
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
    /// By the index of the item.
    private var fates: [Fate?] = []
    private var dealt = 0
    /// The first item that was left out because it is unmapped.
    private var firstSkipped: String?

    init(_ request: TraceLoader.Request, _ menu: Menu) {
        unmapped = request.unmapped
        self.menu = menu
        func set(_ name: String, _ juice: Juice?) {
            named[name] = .some(juice)
            spelled[TillLines.plain(name)] = .some(juice)
        }
        for (index, juice) in menu.juices.enumerated() { set(juice.name, Juice(index: index)) }
        for (item, juice) in request.map { set(item, juice.flatMap { menu.juice(named: $0) }) }
    }

    subscript(item: Int) -> Juice? { if case .juice(let juice)? = fates[item] { juice } else { nil } }

    /// Whether a line has a juice.
    mutating func accepts(_ line: TillLines.Taken, _ name: String) throws(TextProblem) -> Bool {
        guard let item = line.item else { return false }
        while fates.count <= item { fates.append(nil) }
        let fate = fates[item] ?? fate(of: name)
        fates[item] = fate
        switch fate {
        case .juice: return true
        case .leftOut: return false
        case .unknown:
            throw TextProblem(
                place: line.place,
                message: "unknown item \"\(name)\"; expected a juice of the menu or a key of \"map\"")
        }
    }

    private mutating func fate(of name: String) -> Fate {
        if let known = named[name] ?? spelled[TillLines.plain(name)] { return known.map(Fate.juice) ?? .leftOut }
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
