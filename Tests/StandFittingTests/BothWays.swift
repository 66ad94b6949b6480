import Foundation
import JuiceStand
import StandFitting
import TestSupport
import TextFormats
import Tills

/// A line of a trace, for comparing.
struct TracedLine: Comparable, CustomStringConvertible {
    /// Nanoseconds since 1970.
    var time: Int64
    var item: String
    var cups: Int

    var description: String { "\(CalendarTime(nanosecondsSinceEpoch: time)) \(item) \(cups)" }

    static func < (a: Self, b: Self) -> Bool { (a.time, a.item, a.cups) < (b.time, b.item, b.cups) }
}

/// A file that `fit` and a trace read.
struct BothWays {
    var till: Till
    /// Sorted.
    var trace: [TracedLine]
    /// What is said about the trace, without the name of the file.
    var warnings: [String]

    /// Reads a file in both ways. The trace has the columns that the fit finds.
    init(_ bytes: [UInt8], _ change: (inout TillRequest) -> Void = { _ in }, more: String = "") throws {
        var request = TillRequest(file: "till.csv")
        change(&request)
        till = try withFile(bytes, request) { try $0.till() }
        let folder = try TemporaryFolder()
        try Data(bytes).write(to: URL(filePath: folder.path + "/till.csv"))
        let names = till.items.isEmpty ? ["juice"] : till.items.map(\.name)
        let menu = names.map { "\(quoted($0)): {\"recipe\": {\"x\": 1}}" }.joined(separator: ", ")
        var members = [
            "\"file\": \"till.csv\"", "\"time\": \(quoted(till.columns[.time].joined(separator: "+")))",
            "\"juice\": \(quoted(till.columns[.item].first ?? ""))",
        ]
        if let cups = till.columns[.quantity].first { members.append("\"cups\": \(quoted(cups))") }
        if let format = request.timeFormat { members.append("\"timeFormat\": \(quoted(format))") }
        if !request.conditions.isEmpty {
            members.append("\"where\": [\(request.conditions.map { quoted($0.text) }.joined(separator: ", "))]")
        }
        if !more.isEmpty { members.append(more) }
        let file = try folder.write(
            "{\"fruits\": {\"x\": {\"initial\": \"unlimited\"}}, \"menu\": {\(menu)}, \"customers\": {\"arrivals\": "
                + "{\"trace\": {\(members.joined(separator: ", "))}}}}", to: "stand.json")
        let configuration = try StandConfiguration(file: file)
        let settings = configuration.settings
        let opens = CalendarTime(settings.opens)?.nanosecondsSinceEpoch() ?? 0
        trace = []
        if case .trace(let read) = settings.customers.arrivals {
            trace = read.lines.map { line in
                TracedLine(
                    time: opens + line.time.nanoseconds, item: settings.menu.name(of: line.juice), cups: line.cups ?? 1)
            }.sorted()
        }
        warnings = configuration.warnings.map { "\($0)".replacing(folder.path + "/", with: "") }
    }

    init(_ text: String, _ change: (inout TillRequest) -> Void = { _ in }, more: String = "") throws {
        try self.init(Array(text.utf8), change, more: more)
    }

    /// Whether both ways have lines at the same times, of the same items, with the same quantities.
    var agree: Bool {
        let times = till.orders.flatMap { [Int64](repeating: $0.time, count: $0.lines) }
        let unit = max(till.resolution, 1)
        var items: [String: Int] = [:]
        var quantities: [Int: Int] = [:]
        for line in trace {
            items[line.item, default: 0] += 1
            if till.columns[.quantity].first != nil { quantities[line.cups, default: 0] += 1 }
        }
        return times == trace.map { $0.time - $0.time % unit } && quantities == till.quantities
            && items == Dictionary(uniqueKeysWithValues: till.items.map { ($0.name, $0.lines) })
    }
}

private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
}
