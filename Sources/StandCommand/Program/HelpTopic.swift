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
        "running", "watching", "keys", "state", "security", "experiments", "fitting", "forecasts", "decisions",
        "wirings", "libraries", "scripts", "code", "locks", "rules", "configuration", "ledger", "results",
    ].map { HelpTopic(name: $0) }
}
