import EmbeddedFiles
import JuiceStand

/// What the compiler accepts in each wiring's idiom: a fact about a version of Swift, and not about a user's machine.
///
/// A test asks the compiler, and compares its verdicts with `verdicts.tsv`, which is part of the program. The first
/// line of the file is the version. The others have the wiring, the property, whether it holds, `option` if only an
/// option gives it, what the compiler said, and a program that shows it if it does not hold. For the properties that
/// probes establish, `*` stands for the wiring, and the program asks what the probe asks.
package enum CompilerVerdicts {
    /// The version of Swift that was asked.
    package static let version = String(lines[0])

    private static let lines = EmbeddedFile("verdicts.tsv").text.split(separator: "\n")

    /// What a probe asks of each wiring, as a program of a few lines.
    package static let programs: [Property: String] = Dictionary(
        uniqueKeysWithValues: fields.filter { $0[0] == "*" }.map { (property($0), program($0)) })

    /// The verdicts on each wiring that has programs of its own.
    private static let own: [WiringChoice: [Property: Finding]] = {
        var findings: [WiringChoice: [Property: Finding]] = [:]
        for fields in fields where fields[0] != "*" {
            guard let choice = WiringChoice(rawValue: fields[0]) else { preconditionFailure("\(fields)") }
            let property = property(fields)
            var finding = Finding(fields[2] == "true", fields[4], tried: nil, recorded: version)
            if fields[3] == "option" { finding.option = choice.profile.option(property)?.name ?? "an option" }
            if finding.holds == false { finding.counterExample = program(fields) }
            findings[choice, default: [:]][property] = finding
        }
        return findings
    }()

    /// The verdicts on a wiring. To the compiler, some wirings are like others.
    package static func findings(_ choice: WiringChoice) -> [Property: Finding] {
        let alike = choice.profile.compilesLike.map { findings($0) } ?? [:]
        return alike.merging(own[choice] ?? [:]) { $1 }
    }

    private static let fields = lines.dropFirst().map { line in
        line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }

    private static func program(_ fields: [String]) -> String { fields[5].replacing("\\n", with: "\n") }

    private static func property(_ fields: [String]) -> Property {
        guard fields.count == 6, let property = Property(rawValue: fields[1]) else {
            preconditionFailure("verdicts.tsv: \(fields)")
        }
        return property
    }
}
