import EmbeddedFiles
import TerminalView

/// A guide that `juicestand help TOPIC` prints.
///
/// The text is a DocC article of the module it is about. The keys are those of the display's own help.
struct HelpTopic {
    let name: String

    private var markdown: String { name == "keys" ? StandScreen.keyGuide : EmbeddedFile("\(name).md").text }

    /// The first heading, read without rendering the guide.
    var title: String { String(markdown.prefix { $0 != "\n" }.drop { $0 == "#" || $0 == " " }) }

    /// Renders the guide, which takes some 30 ms.
    var guide: GuideText { GuideText(markdown: markdown) }

    static let all = [
        "running", "watching", "keys", "server", "experiments", "forecasts", "fitting", "wirings", "libraries",
        "configuration", "results", "code",
    ].map { HelpTopic(name: $0) }

    /// Topics of earlier versions that are now part of another topic.
    private static let parts = [
        "state": "server", "security": "server", "decisions": "experiments", "rules": "configuration",
        "ledger": "results", "scripts": "code", "locks": "code",
    ]

    /// The topic of that name, or the one that it is part of; nil if there is none.
    static func named(_ name: String) -> HelpTopic? {
        let whole = parts[name] ?? name
        return all.first { $0.name == whole }
    }
}
