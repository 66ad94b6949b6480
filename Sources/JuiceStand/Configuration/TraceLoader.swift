import Platform
import TextFormats

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
        .init("cups", .text, "The column of the number of cups. By default an order has one cup."),
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
        var map: [(item: String, juice: String?)] = []
        var unmapped = Trace.Unmapped.error
        var timeFormat: String?
        var reader = TimeReader()
    }

    /// Reads the description of a trace. Returns nil after reporting a problem.
    func request(_ arrivals: Section, _ menu: Menu, _ report: ProblemReport) -> Request? {
        guard let section = arrivals.section("trace") else { return nil }
        let file = section.string("file").map { resolve($0, section.node("file")!.place) }
        let (time, juice) = (section.string("time"), section.string("juice"))
        var request = Request(
            file: file ?? "", time: time ?? "", juice: juice ?? "", cups: section.string("cups"))
        request.unmapped = section.choice("unmapped") ?? request.unmapped
        if let format = section.string("timeFormat") {
            request.timeFormat = format
            if let reader = TimeReader(format: format) {
                request.reader = reader
            } else {
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
                    + (hint ?? "on the menu are " + names.joined(separator: ", ")))
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
    /// - Parameter opens: The opening in nanoseconds since 1970; nil for midnight before the first line.
    /// - Returns: The trace and the opening in nanoseconds since 1970.
    /// - Throws: `unreadable`, or `badTrace` with every line that is wrong.
    func load(
        _ request: Request, _ menu: Menu, opens: Int64?
    ) throws(ConfigurationError) -> (trace: Trace, opens: Int64?) {
        let bytes: Pieces
        do throws(FileError) { bytes = try Pieces(of: request.file) } catch {
            throw .unreadable(path: request.file, reason: error.reason)
        }
        var lines = LineReader(request: request, menu: menu, opens: opens)
        let columns = request.time.split(separator: "+").map(String.init)
        let wanted = columns + [request.juice] + (request.cups.map { [$0] } ?? [])
        let problems = DelimitedReader(source: request.file, pieces: bytes.next).forEachRecord(of: wanted) {
            (record) throws(TextProblem) in try lines.read(record, timeColumns: columns.count)
        }
        if let failure = bytes.failure { throw .unreadable(path: request.file, reason: failure.reason) }
        guard problems.isEmpty else { throw .badTrace(problems) }
        let source = Trace.Source(
            file: absolutePath(request.file), time: request.time, juice: request.juice, cups: request.cups,
            map: request.map,
            unmapped: request.unmapped, timeFormat: request.timeFormat, fingerprint: bytes.fingerprint.text,
            goingBackwards: lines.backwards.listed)
        // The sort is stable: orders of one time keep the order of the file.
        let sorted = lines.isSorted ? lines.lines : lines.lines.sorted { $0.time < $1.time }
        return (Trace(source: source, lines: sorted), lines.opens)
    }
}

/// The bytes of a file, piece by piece.
private final class Pieces {
    private static let mostBytes = 4 << 30

    private let file: DiskFile
    private var offset = 0
    /// The fingerprint of the pieces read so far.
    private(set) var fingerprint = Fingerprint()
    /// Why the pieces ended early.
    private(set) var failure: FileError?

    init(of path: String) throws(FileError) {
        file = try DiskFile(path, .reading, followsLink: true)
        guard try file.size() <= Self.mostBytes else {
            throw FileError(path: path, reason: "must have at most \(Self.mostBytes >> 30) GiB")
        }
    }

    /// The next piece; empty at the end of the file.
    func next() -> [UInt8] {
        do throws(FileError) {
            let piece = try file.read(at: offset, count: 1 << 18)
            offset += piece.count
            unsafe fingerprint.combine(piece.span.bytes)
            return piece
        } catch {
            failure = error
            return []
        }
    }
}

/// Converts records to orders.
private struct LineReader {
    private static let day: Int64 = 86_400 * DurationText.second

    let request: TraceLoader.Request
    let menu: Menu
    var opens: Int64?
    var lines: [Trace.Line] = []
    var backwards = ProblemList()
    private(set) var isSorted = true
    private var juices: [String: Juice?] = [:]
    private var dealt = 0
    private var latest = (time: SimulationTime.zero, text: "")

    init(request: TraceLoader.Request, menu: Menu, opens: Int64?) {
        self.request = request
        self.menu = menu
        self.opens = opens
        for (index, juice) in menu.juices.enumerated() { juices[juice.name] = Juice(index: index) }
        for (item, juice) in request.map { juices[item] = .some(juice.flatMap { menu.juice(named: $0) }) }
    }

    mutating func read(_ record: DelimitedRecord, timeColumns: Int) throws(TextProblem) {
        let text = (0..<timeColumns).map { record[$0] ?? "" }.joined(separator: " ")
        let time = try standTime(text, record)
        if time < latest.time {
            isSorted = false
            backwards.add(
                TextProblem(
                    place: record.place,
                    message: "time goes back from \(latest.text) to \(text); the order keeps its own time"))
        } else {
            latest = (time, text)
        }
        guard let juice = try juice(record[timeColumns] ?? "", record.place(of: timeColumns)) else { return }
        lines.append(Trace.Line(time: time, juice: juice, cups: try cups(record, column: timeColumns + 1)))
    }

    private mutating func standTime(_ text: String, _ record: DelimitedRecord) throws(TextProblem) -> SimulationTime {
        switch request.reader.read(text) {
        case .sinceOpening(let nanoseconds):
            return SimulationTime(nanoseconds: nanoseconds)
        case .calendar(let nanoseconds):
            let (midnight, isTooEarly) = nanoseconds.subtractingReportingOverflow(
                (nanoseconds % Self.day + Self.day) % Self.day)
            let opening = opens ?? (isTooEarly ? nanoseconds : midnight)
            opens = opening
            let (time, isTooLong) = nanoseconds.subtractingReportingOverflow(opening)
            guard !isTooLong, opens == opening, !(isTooEarly && opening == nanoseconds) else {
                throw TextProblem(
                    place: record.place(of: 0),
                    message:
                        "must be within 292 years of the opening, at \(CalendarTime(nanosecondsSinceEpoch: opening)), found \(text)"
                )
            }
            guard nanoseconds >= opening else {
                throw TextProblem(
                    place: record.place(of: 0),
                    message: "must not be before the stand opens, at \(CalendarTime(nanosecondsSinceEpoch: opening)), "
                        + "found \(text)")
            }
            return SimulationTime(nanoseconds: time)
        case nil:
            throw TextProblem(
                place: record.place(of: 0), message: "must be \(request.reader.expectation), found \"\(text)\"")
        }
    }

    /// The juice of an item; nil if its line is skipped.
    private mutating func juice(_ item: String, _ place: Place) throws(TextProblem) -> Juice? {
        if let known = juices[item] { return known }
        switch request.unmapped {
        case .skip:
            return nil
        case .error:
            throw TextProblem(
                place: place, message: "unknown item \"\(item)\"; expected a juice of the menu or a key of \"map\"")
        case .cycle:
            let juice = Juice(index: dealt % menu.juices.count)
            dealt += 1
            juices[item] = .some(juice)
            return juice
        }
    }

    private func cups(_ record: DelimitedRecord, column: Int) throws(TextProblem) -> Int? {
        guard request.cups != nil else { return nil }
        let text = record[column] ?? ""
        guard let cups = Int(text), (1...CustomerGenerator.mostCups).contains(cups) else {
            throw TextProblem(
                place: record.place(of: column),
                message: "must be a whole number of cups from 1 to \(CustomerGenerator.mostCups), found \"\(text)\"")
        }
        return cups
    }
}
