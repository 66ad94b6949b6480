import TextFormats

/// The verdict on a property of a wiring, with its evidence.
package struct Finding: Codable, Equatable, Sendable {
    /// nil if it could not be established, if it was not refuted, and where the property does not apply.
    package var holds: Bool?
    /// The observation, in one line.
    package var evidence: String
    /// False if the property makes no sense for the wiring.
    package var applies = true
    /// The option that gives the property; nil if the plain form has it.
    package var option: String?
    /// Nanoseconds of a post with that option; nil if that was not measured.
    package var price: Double?
    /// How many rounds did not refute a property that nothing guarantees; nil where it holds, or does not.
    package var tried: Int?
    /// The version of Swift whose compiler said so; nil if it was established now.
    package var recorded: String?
    /// A program that shows that the property does not hold; nil if it does.
    package var counterExample: String?

    package init(
        _ holds: Bool?, _ evidence: String, applies: Bool = true, tried: Int? = 1, recorded: String? = nil
    ) {
        self.holds = holds
        self.evidence = evidence
        self.applies = applies
        self.tried = holds == true ? tried : nil
        self.recorded = recorded
    }

    /// Whether the property applies and could not be established.
    package var isUnknown: Bool { applies && holds == nil && tried == nil }

    /// The evidence, with the version of Swift if it is recorded, and the option with its price.
    package var wholeEvidence: String {
        var text = evidence
        if let option { text += "; with \(option)" }
        if let price { text += ", \(Figure.number(price)) ns a post" }
        return recorded.map { "\(text) (\($0))" } ?? text
    }

    /// The finding as one character.
    package var mark: String {
        guard applies else { return "–" }
        return switch holds {
        case true?: option == nil ? "✓" : "+"
        case false?: "✗"
        case nil: tried == nil ? "?" : "○"
        }
    }

    package static let legend =
        "✓ holds, + holds with an option, ✗ does not hold, ○ not refuted in a number of rounds, "
        + "? could not be established, – does not apply"
}

extension Profile {
    /// The verdict on a probe's finding: ✓ needs a ground as well, and ✗ follows from a known counter-example alone.
    package func judged(_ finding: Finding, _ property: Property) -> Finding {
        var judged = finding
        let ground = grounds.first { $0.properties.contains(property) }
        let kept = refuted.first { $0.properties.contains(property) }
        if finding.holds == true, let ground, finding.option != nil || kept == nil {
            judged.evidence += "; \(ground.why)"
            judged.tried = nil
        } else if finding.holds != false, let kept {
            judged.holds = false
            judged.evidence = "\(kept.why) (this run did not show it: \(finding.evidence))"
            judged.tried = nil
            judged.option = nil
        } else if finding.holds == false, let kept {
            judged.evidence += "; \(kept.why)"
        } else if finding.holds == true {
            judged.holds = nil
            judged.evidence = "not refuted in \(Columns.counted(finding.tried ?? 1, "round")): \(finding.evidence)"
        }
        if judged.holds == false { judged.counterExample = CompilerVerdicts.programs[property] }
        return judged
    }
}
