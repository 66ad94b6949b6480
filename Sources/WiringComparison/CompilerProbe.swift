import JuiceStand
import Platform

/// Has the compiler look at a worked example that is misspelt in a name and in a payload.
package struct CompilerProbe {
    /// Where this package's modules are, for the program that uses one.
    var modules: String?
    var compiler = "swiftc"

    /// Those that ours were built with: the compiler wants to know of them, though a program uses nothing of theirs.
    private static let modulesOfTheSystem = WorkedExample.File(
        name: "module.modulemap", lines: ["module LinuxSystem {}"])

    /// The compiler works in a process of its own whose processor time is not seen here.
    private static let patience = Duration.seconds(600)

    /// Modules as the package manager leaves them beside the program.
    package static func besideProgram() -> CompilerProbe {
        let resolved = unsafe realpath(ChildProcess.ownPath, nil)
        defer { unsafe free(resolved) }
        let path = unsafe resolved.map { unsafe String(cString: $0) } ?? ChildProcess.ownPath
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        return CompilerProbe(modules: folder + "/Modules")
    }

    /// - Returns: holds where both misspellings are errors and nothing else is; nil where that can't be told.
    func check(_ example: WorkedExample) -> Finding {
        let (files, misspelt) = example.misspelt()
        switch errors(of: files) {
        case .failure(let problem): return Finding(holds: nil, evidence: problem.why)
        case .success(let errors):
            let strange = errors.first { error in !misspelt.contains { $0 == (error.file, error.line) } }
            if let strange { return Finding(holds: nil, evidence: "\(compiler) could not judge: \(strange.message)") }
            let found = misspelt.filter { line in errors.contains { line == ($0.file, $0.line) } }.count
            return Finding(
                holds: found == misspelt.count,
                evidence: found == 0
                    ? "a program with a misspelt name and a misspelt payload compiles"
                    : "\(compiler) refused \(found) of \(misspelt.count) misspellings: \(errors[0].message)")
        }
    }

    package struct Diagnosis: Sendable {
        package var file: String
        /// From 1.
        package var line: Int
        package var message: String
    }

    package struct Problem: Error {
        package var why: String
    }

    /// What is wrong with a program.
    package func errors(of program: [WorkedExample.File]) -> Result<[Diagnosis], Problem> {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? P_tmpdir
        var template = Array("\(parent)/juicestand-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            return .failure(Problem(why: "\(parent): no folder for a program could be made"))
        }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let paths = program.map { "\(folder)/\($0.name)" }
        let map = "\(folder)/module.modulemap"
        defer {
            for path in paths + [map] { _ = unsafe unlink(path) }
            _ = unsafe rmdir(folder)
        }
        for (path, file) in zip(paths + [map], program + [Self.modulesOfTheSystem]) {
            if let why = write(file, to: path) { return .failure(Problem(why: "\(path): \(why)")) }
        }
        var arguments = ["-typecheck", "-whole-module-optimization", "-swift-version", "6", "-parse-as-library"]
        if let modules { arguments += ["-I", modules, "-I", folder] }
        var errors: [Diagnosis] = []
        let process = ChildProcess(path: compiler, arguments: arguments + paths, patience: Self.patience)
        let ending = process.run {
            true
        } line: { line in
            // FILE:LINE:COLUMN: error: MESSAGE
            let parts = line.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 5, parts[3] == " error", let number = Int(parts[1]),
                let file = zip(paths, program).first(where: { $0.0 == parts[0] })?.1
            else {
                return
            }
            errors.append(Diagnosis(file: file.name, line: number, message: String(parts[4].dropFirst())))
        }
        switch ending {
        case .exited(0): return .success(errors)
        // One that says nothing of the program has not come to judge it.
        case .exited(1) where !errors.isEmpty: return .success(errors)
        case .notStarted, .exited(127): return .failure(Problem(why: "there is no \(compiler) at hand to ask"))
        default: return .failure(Problem(why: "\(compiler) did not get to an answer"))
        }
    }

    /// - Returns: why it could not be written; nil where it was.
    private func write(_ file: WorkedExample.File, to path: String) -> String? {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return unsafe String(cString: strerror(errno)) }
        defer { close(descriptor) }
        let sink = FileLineSink(descriptor: descriptor, name: path)
        sink.write(file.lines.map { $0 + "\n" }.joined())
        return sink.failure?.reason
    }
}
