import EmbeddedFiles
import JuiceStand

/// What the compiler accepts in each wiring's idiom: a fact about a version of Swift, and not about a user's machine.
///
/// A test asks the compiler, and compares its verdicts with `verdicts.tsv`, which is part of the program. The first
/// line of the file is the version; the others have the wiring, the property, whether it holds, and what the compiler
/// said.
package enum CompilerVerdicts {
    /// The version of Swift that was asked.
    package static let version = String(lines[0])

    private static let lines = EmbeddedFile("verdicts.tsv").text.split(separator: "\n")

    /// The verdicts by wiring.
    package static let findings: [WiringChoice: [Property: Finding]] = {
        var findings: [WiringChoice: [Property: Finding]] = [:]
        for line in lines.dropFirst() {
            let fields = line.split(separator: "\t").map(String.init)
            guard fields.count == 4, let choice = WiringChoice(rawValue: fields[0]),
                let property = Property(rawValue: fields[1]), let holds = Bool(fields[2])
            else { preconditionFailure("verdicts.tsv: \(line)") }
            findings[choice, default: [:]][property] = Finding(holds, fields[3], recorded: version)
        }
        return findings
    }()
}
