import Foundation
import JuiceStand
import WiringComparison

/// A small program in a wiring's idiom, for the compiler to accept or refuse: `MustCompile/WIRING/PROPERTY.swift`, or the
/// same in `MustNotCompile`, where a comment after a line has the error that it must have. It has no imports.
///
/// A cell with a file in both folders holds by an option: one file has the plain form, the other has the option.
struct CellProgram {
    let choice: WiringChoice
    let property: Property
    let mustCompile: Bool
    let lines: [String]
    /// What the compiler said, by the number of the line.
    var errors: [Int: String] = [:]

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    static func all() throws -> [CellProgram] {
        var programs: [CellProgram] = []
        for name in ["MustCompile", "MustNotCompile"] {
            let folder = Self.folder.appending(path: name)
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            where path.hasSuffix(".swift") {
                let parts = path.dropLast(6).split(separator: "/").map(String.init)
                guard parts.count == 2, let choice = WiringChoice(rawValue: parts[0]),
                    let property = Property(rawValue: parts[1]), property.source == .compiler
                else { throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: path]) }
                let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
                programs.append(
                    CellProgram(
                        choice: choice, property: property, mustCompile: name == "MustCompile",
                        lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)))
            }
        }
        return programs
    }

    var path: String { "\(mustCompile ? "MustCompile" : "MustNotCompile")/\(choice)/\(property).swift" }

    /// The errors that the comments ask for, by the number of the line before.
    var expected: [Int: String] {
        var expected: [Int: String] = [:]
        for (index, line) in lines.enumerated() {
            if let comment = line.firstMatch(of: /^ *\/\/ error: (.*)$/) { expected[index] = String(comment.1) }
        }
        return expected
    }

    /// The program for people.
    var text: String { lines.joined(separator: "\n").trimmingCharacters(in: .newlines) }

    /// Whether a program that compiles shows that the property holds.
    private static func holdsIfAccepted(_ property: Property) -> Bool {
        ![.nameAndPayloadCheckedByCompiler, .everyObserverHandlesEveryEvent, .forgottenWiringIsAnError].contains(
            property)
    }

    /// A line of the verdicts: the wiring, the property, whether it holds, whether by an option, what the compiler said,
    /// and a program that shows it if it does not hold.
    static func verdicts(_ programs: [CellProgram]) -> [String] {
        let cells = Dictionary(grouping: programs) { "\($0.choice)\t\($0.property)" }
        return WiringChoice.allCases.flatMap { choice in
            Property.allCases.compactMap { property -> String? in
                guard let programs = cells["\(choice)\t\(property)"] else { return nil }
                // The one that shows that it holds comes last.
                let sorted = programs.sorted { first, _ in first.mustCompile != holdsIfAccepted(property) }
                let shown = sorted[sorted.count - 1]
                let holds = shown.mustCompile == holdsIfAccepted(property)
                let errors = shown.errors.sorted { $0.key < $1.key }.map(\.value)
                let said =
                    shown.mustCompile ? "the compiler accepts it" : "the compiler refuses it: \(errors.first ?? "")"
                let option = sorted.count > 1 ? "option" : ""
                let text = holds ? "" : shown.text.replacing("\n", with: "\\n")
                return "\(choice)\t\(property)\t\(holds)\t\(option)\t\(said)\t\(text)"
            }
        }
    }
}

/// Asks the compiler about several programs at once.
///
/// All programs stand in one file, each in an enum of its own, under the names of their files. The file is checked twice:
/// the compiler looks for data races and overconsumed values only in a file without type errors.
enum CompilerProbe {
    /// - Returns: why there is no verdict; nil if there is one.
    static func check(_ programs: inout [CellProgram]) throws -> String? {
        try compile(&programs, "-typecheck") ?? compile(&programs, "-emit-sil")
    }

    private static func compile(_ programs: inout [CellProgram], _ mode: String) throws -> String? {
        var source = "import Foundation\nimport NotificationBus\nimport Observation\n"
        for (index, program) in programs.enumerated() where program.errors.isEmpty {
            source += "enum Program\(index) {\n#sourceLocation(file: \"\(index)\", line: 1)\n"
            source += program.lines.joined(separator: "\n") + "\n#sourceLocation()\n}\n"
        }
        let (status, output) = try run(source, [mode] + (mode == "-typecheck" ? [] : ["-o", "/dev/null"]))
        var isKnown = status == 0
        /// An error in code that a macro made. The note after it has its place.
        var ofMacro: String?
        for line in output.split(separator: "\n") {
            // FILE:LINE:COLUMN: error: MESSAGE
            guard let match = line.wholeMatch(of: /(.*?):(\d+):\d+: (error|note): (.*)/) else { continue }
            let message = String(match.4).replacing(/Program\d+\./, with: "").replacing(#/ \[#\w+\]$/#, with: "")
            guard let index = Int(match.1), let number = Int(match.2) else {
                if match.3 == "error" { ofMacro = ofMacro ?? message }
                continue
            }
            if match.3 == "error" {
                programs[index].errors[number] = programs[index].errors[number] ?? message
                isKnown = true
            } else if let error = ofMacro, message.hasPrefix("in expansion of macro") {
                programs[index].errors[number] = programs[index].errors[number] ?? error
                ofMacro = nil
                isKnown = true
            }
        }
        return isKnown ? nil : "the compiler gave no answer: \(output.suffix(500))"
    }

    /// Compiles a source and returns the compiler's status and output.
    static func run(_ source: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "juicestand-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try source.write(to: folder.appending(path: "source.swift"), atomically: false, encoding: .utf8)
        // The bus was built with these modules, which a program need not use.
        try "module LinuxSystem {}\nmodule ThreadLocalFrame {}\n".write(
            to: folder.appending(path: "module.modulemap"), atomically: false, encoding: .utf8)
        let compiler = Process()
        let output = Pipe()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments =
            ["swiftc", "-swift-version", "6", "-parse-as-library", "-suppress-warnings", "-diagnostic-style", "llvm"]
            + ["-I", modules, "-I", folder.path, folder.appending(path: "source.swift").path] + arguments
        compiler.standardError = output
        try compiler.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()
        return (compiler.terminationStatus, text)
    }

    /// The folder where the package manager puts compiled modules, beside the program.
    private static var modules: String {
        URL(filePath: ChildProcess.ownPath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "Modules").path
    }
}
