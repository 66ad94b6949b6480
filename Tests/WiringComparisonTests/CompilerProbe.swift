import Foundation
import JuiceStand
import WiringComparison

/// Asks the compiler about the ``Programs`` of several wirings at once.
///
/// All programs stand in one file, each in an enum of its own. The line of an error tells its program. The file is
/// checked twice: the compiler looks for data races and overconsumed values only in a file without type errors.
struct CompilerProbe {
    private let compiler = "swiftc"
    private let timeout: Duration

    /// - Parameter timeout: For each of the two checks. The compiler works in a process whose processor time is not
    ///   seen here.
    init(timeout: Duration) {
        self.timeout = timeout
    }

    /// One program and what the compiler says about it.
    private struct Program {
        var choice: WiringChoice
        var property: Property
        /// False for the control, which must compile.
        var isTrial: Bool
        var lines: [String]
        /// The line that the mark changes.
        var changed: String
        var errors: [(line: Int, message: String)] = []
    }

    func check(
        _ texts: [WiringChoice: Programs], _ properties: [Property], while goOn: () -> Bool
    ) -> [WiringChoice: [Property: Finding]] {
        var programs = texts.flatMap { Self.programs(of: $0, $1) }.filter { properties.contains($0.property) }
        guard !programs.isEmpty else { return [:] }
        let problem = compile(&programs, "-typecheck", while: goOn) ?? compile(&programs, "-emit-sil", while: goOn)
        var found: [WiringChoice: [Property: Finding]] = [:]
        for choice in texts.keys {
            for property in properties where property.source == .compiler {
                let own = programs.filter { $0.choice == choice && $0.property == property }
                guard !own.isEmpty else { continue }
                found[choice, default: [:]][property] = problem.map { Finding(nil, $0) } ?? finding(of: property, own)
            }
        }
        return found
    }

    private static func programs(of choice: WiringChoice, _ text: Programs) -> [Program] {
        func program(_ property: Property, _ text: String, isTrial: Bool) -> Program {
            let lines = Programs.read(text, tried: isTrial).split(separator: "\n").map(String.init)
            let changed = zip(lines, text.split(separator: "\n")).first { $1.contains("«") }?.0 ?? lines[0]
            return Program(
                choice: choice, property: property, isTrial: isTrial, lines: lines,
                changed: changed.drop { $0 == " " }.description)
        }
        // Without its observer, the poster's half must compile by itself.
        return [program(.posterNamesNoObserver, text.poster + "\n" + text.observer, isTrial: false)]
            + [program(.posterNamesNoObserver, text.poster, isTrial: true)]
            + [false, true].flatMap { isTrial in text.trials.map { program($0.property, $0.text, isTrial: isTrial) } }
    }

    private func finding(of property: Property, _ programs: [Program]) -> Finding {
        if let control = programs.first(where: { !$0.isTrial && !$0.errors.isEmpty }) {
            return Finding(nil, "\(compiler) refused the control, too: \(control.errors[0].message)")
        }
        let trials = programs.filter(\.isTrial)
        let refused = trials.first { !$0.errors.isEmpty }
        let accepted = trials.first { $0.errors.isEmpty }
        func refusal(_ program: Program) -> String { "refused: \(program.changed): \(program.errors[0].message)" }
        switch property {
        case .nameAndPayloadCheckedByCompiler, .everyObserverHandlesEveryEvent, .forgottenWiringIsAnError:
            return accepted.map { Finding(false, "accepted: \($0.changed)") }
                ?? Finding(true, refused.map(refusal) ?? "")
        case .posterNamesNoObserver:
            return refused.map { Finding(false, "the poster does not compile by itself: \($0.errors[0].message)") }
                ?? Finding(true, "the poster compiles without any observer")
        default:
            return refused.map { Finding(false, refusal($0)) } ?? Finding(true, "accepted: \(accepted?.changed ?? "")")
        }
    }

    /// Compiles every program that has no errors yet, and notes those it has.
    ///
    /// - Returns: why there is no verdict; nil if there is one.
    private func compile(_ programs: inout [Program], _ mode: String, while goOn: () -> Bool) -> String? {
        var text = "import Foundation\nimport NotificationBus\nimport Observation\n"
        var places: [(program: Int, line: Int)] = [(-1, 0), (-1, 0), (-1, 0)]
        for (index, program) in programs.enumerated() where program.errors.isEmpty {
            text += "enum Program\(index) {\n" + program.lines.map { $0 + "\n" }.joined() + "}\n"
            // The line that opens the enum, the program's own, and the one that closes it.
            for line in -1...program.lines.count { places.append((index, line)) }
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "juicestand-\(UUID())")
        let source = folder.appending(path: "programs.swift").path
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            try text.write(toFile: source, atomically: false, encoding: .utf8)
            // The bus was built with these modules, which a program need not use.
            try "module LinuxSystem {}\nmodule ThreadLocalFrame {}\n".write(
                to: folder.appending(path: "module.modulemap"), atomically: false, encoding: .utf8)
        } catch { return "\(folder.path): \(error.localizedDescription)" }
        // A leftover stays in the folder for temporary files.
        defer { try? FileManager.default.removeItem(at: folder) }
        let arguments =
            [
                compiler, mode, "-swift-version", "6", "-parse-as-library", "-suppress-warnings", "-I", Self.modules,
                "-I",
                folder.path, source,
            ] + (mode == "-typecheck" ? [] : ["-o", "/dev/null"])
        var count = 0
        /// An error in code that a macro made. The next note has its place.
        var strange: String?
        let process = ChildProcess(path: "/usr/bin/env", arguments: arguments, timeout: timeout)
        let ending = process.run(while: goOn) { line in
            // FILE:LINE:COLUMN: error: MESSAGE
            let parts = line.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 5, let number = Int(parts[1]) else { return }
            var message = parts[4].dropFirst().description
            if parts[3] == " error" {
                count += 1
                guard parts[0] == source else {
                    strange = strange ?? message
                    return
                }
            } else {
                guard parts[3] == " note", parts[0].hasSuffix(source), let error = strange else { return }
                message = error
                strange = nil
            }
            guard places.indices.contains(number - 1), places[number - 1].program >= 0 else {
                strange = message
                return
            }
            let place = places[number - 1]
            // The enum around a program is nobody's concern.
            programs[place.program].errors.append((place.line, message.replacing(/Program\d+\./, with: "")))
        }
        switch ending {
        case .exited(0): return nil
        case .exited(1) where count > 0: return strange.map { "\(compiler) could not judge: \($0)" }
        case .notStarted, .exited(127): return "there is no \(compiler) to ask"
        default: return "\(compiler) gave no answer"
        }
    }

    /// The folder where the package manager puts compiled modules, beside the program.
    private static var modules: String {
        URL(filePath: ChildProcess.ownPath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "Modules").path
    }
}
