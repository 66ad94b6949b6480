import Foundation
import Testing

/// The ways through the code that the guide to the code describes are those of the sources.
struct CodeGuideTests {
    private struct Step {
        var file: String
        var call: String
    }

    /// The tables of a section, in order.
    private static func tables(of section: String) throws -> [[Step]] {
        let guide = try String(
            contentsOf: Program.root.appending(path: "Sources/JuiceStand/JuiceStand.docc/Code.md"), encoding: .utf8)
        let parts = guide.components(separatedBy: "\n## ")
        let lines = try #require(parts.first { $0.hasPrefix(section + "\n") }).split(separator: "\n")
        var tables: [[Step]] = []
        for line in lines {
            if line.hasPrefix("| file |") { tables.append([]) }
            guard let row = line.wholeMatch(of: #/\| `(\S+\.swift)` \| .+ \|(?: `(\w+)`)? \|/#) else { continue }
            tables[tables.count - 1].append(Step(file: String(row.1), call: row.2.map(String.init) ?? ""))
        }
        return tables
    }

    /// The code of a source file, without its comments.
    private static func code(_ file: String) throws -> String {
        try String(contentsOf: Program.root.appending(path: "Sources/\(file)"), encoding: .utf8)
            .split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
    }

    private static let ways = ["The way of a customer", "The way of a request"]

    @Test(arguments: ways)
    func `each file of a way calls the next one, in at most twelve files`(way: String) throws {
        let tables = try Self.tables(of: way)
        #expect(tables.count >= 2 && tables.allSatisfy { $0.count >= 2 }, "\(tables)")
        #expect(Set(tables.joined().map(\.file)).count <= 12)
        for (step, next) in tables.flatMap({ zip($0, $0.dropFirst()) }) {
            let code = try Self.code(step.file).replacing("func \(step.call)", with: "")
            let nextCode = try Self.code(next.file)
            let declaration = try Regex("\\b(?:func|struct|class) \(step.call)\\b")
            let call = try Regex("[.( ]\(step.call)\\(")
            #expect(!step.call.isEmpty && code.contains(call), "\(step.file) does not call \(step.call)")
            #expect(nextCode.contains(declaration), "\(next.file) does not declare \(step.call)")
        }
        for table in tables { #expect(table.last?.call == "", "the last file of a table calls none") }
    }

    /// Overloads of one type are one function to a reader. So is `hear`, the requirement of `FactObserver`, which wirings
    /// and observers meet.
    @Test func `no name on the ways means two functions`() throws {
        let steps = try Self.ways.flatMap { try Self.tables(of: $0).joined() }
        let files = Set(steps.map(\.file))
        #expect(files.count > 15)
        for call in Set(steps.map(\.call)).subtracting(["", "hear"]) {
            let function = try Regex("\\bfunc \(call)\\b")
            let types = try files.filter { try Self.code($0).contains(function) }.map {
                $0.replacing(#/.*\/|\+.*|\.swift/#, with: "")
            }
            #expect(Set(types).count <= 1, "\(call) is a function of \(types)")
        }
        #expect(try Self.code("JuiceStand/Domain/Facts/EveryFact.swift").contains("func hear(_ fact: OrderPlaced)"))
    }
}
