import JuiceStand

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Has the compiler look at a worked example that is misspelt in a name and in a payload.
struct CompilerProbe {
    /// Where this package's modules are, for the program that uses one.
    var modules: String?
    var compiler = "swiftc"

    /// The compiler works in a process of its own whose processor time is not seen here.
    private static let patience = Duration.seconds(600)

    /// Modules as the package manager leaves them beside the program.
    static func besideProgram() -> CompilerProbe {
        let resolved = unsafe realpath(ChildProcess.ownPath, nil)
        defer { unsafe free(resolved) }
        let path = unsafe resolved.map { unsafe String(cString: $0) } ?? ChildProcess.ownPath
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        return CompilerProbe(modules: folder + "/Modules")
    }

    /// - Returns: holds where both misspellings are errors and nothing else is; nil where that can't be told.
    func check(_ example: WorkedExample) -> Finding {
        let (text, misspelt) = example.source(misspelt: true)
        switch errors(of: text) {
        case .failure(let problem): return Finding(holds: nil, evidence: problem.why)
        case .success(let errors):
            let strange = errors.first { !misspelt.contains($0.line) }
            if let strange { return Finding(holds: nil, evidence: "\(compiler) could not judge: \(strange.message)") }
            let found = misspelt.filter { line in errors.contains { $0.line == line } }.count
            return Finding(
                holds: found == misspelt.count,
                evidence: found == 0
                    ? "a program with a misspelt name and a misspelt payload compiles"
                    : "\(compiler) refused \(found) of \(misspelt.count) misspellings: \(errors[0].message)")
        }
    }

    struct Diagnosis {
        var line: Int
        var message: String
    }

    struct Problem: Error {
        var why: String
    }

    /// What is wrong with a program.
    func errors(of program: String) -> Result<[Diagnosis], Problem> {
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? P_tmpdir
        var template = Array("\(folder)/juicestand-XXXXXX.swift".utf8CString)
        let descriptor = unsafe mkstemps(&template, Int32(".swift".utf8.count))
        guard descriptor >= 0 else { return .failure(Problem(why: "no temporary file for a program could be made")) }
        defer { _ = unsafe unlink(template) }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let sink = FileLineSink(descriptor: descriptor, name: path)
        sink.write(program)
        close(descriptor)
        var arguments = ["-typecheck", "-swift-version", "6", "-parse-as-library"]
        if let modules { arguments += ["-I", modules] }
        var errors: [Diagnosis] = []
        let process = ChildProcess(path: compiler, arguments: arguments + [path], patience: Self.patience)
        let ending = process.run {
            true
        } line: { line in
            // FILE:LINE:COLUMN: error: MESSAGE
            let parts = line.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
            guard parts.count == 5, parts[0].hasSuffix(".swift"), parts[3] == " error", let number = Int(parts[1])
            else {
                return
            }
            errors.append(Diagnosis(line: number, message: String(parts[4].dropFirst())))
        }
        if let failure = sink.failure { return .failure(Problem(why: "\(failure.path): \(failure.reason)")) }
        switch ending {
        case .exited(0): return .success(errors)
        // One that says nothing of the program has not come to judge it.
        case .exited(1) where !errors.isEmpty: return .success(errors)
        case .notStarted, .exited(127): return .failure(Problem(why: "there is no \(compiler) at hand to ask"))
        default: return .failure(Problem(why: "\(compiler) did not get to an answer"))
        }
    }
}
