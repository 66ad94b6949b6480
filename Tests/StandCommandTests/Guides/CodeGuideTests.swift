import Foundation
import Testing

/// The ways through the code that the guide to the code describes are those of the sources.
struct CodeGuideTests {
    private struct Step {
        var file: String
        var call: String
    }

    /// The lines of a section of the guide.
    private static func lines(of section: String) throws -> [Substring] {
        let guide = try Program.text("Sources/JuiceStand/JuiceStand.docc/Code.md")
        let parts = guide.components(separatedBy: "\n## ")
        return try #require(parts.first { $0.hasPrefix(section + "\n") }).split(separator: "\n")
    }

    /// The tables of a section, in order.
    private static func tables(of section: String) throws -> [[Step]] {
        let lines = try lines(of: section)
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
        try Program.text("Sources/\(file)").split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            .joined(
                separator: "\n")
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

    /// The modules of the manifest in order, each with the modules that it may import.
    private static func modules() throws -> [(name: String, imports: Set<String>)] {
        let targets = try Program.text("Package.swift").replacing(#/ *\/\/.*/#, with: "").split(
            separator: "\n        .")
        return targets.compactMap { target in
            guard ["systemLibrary(", "target(", "executableTarget("].contains(where: { target.hasPrefix($0) }),
                !target.contains("path: \"Tests/"), let name = target.firstMatch(of: #/name: "(\w+)"/#)
            else { return nil }
            let imports = target.firstMatch(of: #/dependencies: \[([^\]]*)\]/#)?.1 ?? ""
            return (String(name.1), Set(imports.matches(of: #/"(\w+)"/#).map { String($0.1) }))
        }
    }

    @Test func `the drawing of the modules is that of the manifest`() throws {
        let modules = try Self.modules()
        #expect(modules.count > 15)
        let width = modules.map(\.name.count).max() ?? 0
        let drawing = modules.indices.map { index in
            let (name, imports) = modules[index]
            let above = modules[..<index].map(\.name)
            #expect(imports.isSubset(of: above), "\(name) imports a module below it")
            let marks = above.map { imports.contains($0) ? "● " : "· " }.joined()
            return name.padding(toLength: width + 2, withPad: " ", startingAt: 0) + marks + "┐"
        }
        let lines = try Self.lines(of: "The house in one drawing").map(String.init)
        let drawn = lines.drop { $0 != "```text" }.dropFirst().prefix { $0 != "```" }
        #expect(Array(drawn) == drawing, "\(drawing.joined(separator: "\n"))")
        for module in modules {
            #expect(lines.contains { $0.contains("`\(module.name)`") }, "no job of \(module.name)")
        }
    }

    // MARK: - The glossary

    /// The words of a text in lower case, and each pair of neighbours. `reorderPoint` is two words.
    private static func words(of text: String) -> Set<String> {
        var words: [String] = []
        var word: [UInt8] = []
        func end() {
            if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
            word = []
        }
        var wasCapital = false
        for byte in text.utf8 {
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            let isLetter = isCapital || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            if !isLetter || isCapital && !wasCapital { end() }
            if isLetter { word.append(byte | 0x20) }
            wasCapital = isCapital
        }
        end()
        return Set(words).union(zip(words, words.dropFirst()).map { "\($0) \($1)" })
    }

    @Test func `the glossary has the words of the sources, and the sources have no other word for them`() throws {
        let rows = try Self.lines(of: "Glossary").compactMap { $0.wholeMatch(of: #/\| `(.+?)` \| .+ \| (`.+`) \|/#) }
        #expect((20...30).contains(rows.count))
        #expect(Set(rows.map(\.1)).count == rows.count)
        let root = Program.root.appending(path: "Sources")
        let files = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
        #expect(files.count > 100)
        let found = try files.map { (file: $0, words: Self.words(of: try Program.text("Sources/\($0)"))) }
        let endings = ["", "s", "d", "ed", "es", "ing", "r", "er"]
        for row in rows {
            let term = String(row.1)
            let forms = endings.map { term + $0 } + [term.replacing(#/e$/#, with: "ing")]
            #expect(found.contains { !$0.words.isDisjoint(with: forms) }, "no source says \(term)")
            for synonym in row.2.matches(of: #/`([^`]+)`/#).map({ String($0.1) }) {
                for (file, words) in found where !words.isDisjoint(with: endings.map({ synonym + $0 })) {
                    Issue.record("\(file) says \(synonym); the word for it is \(term)")
                }
            }
        }
    }
}
