import EmbeddedFiles
import TerminalView

/// A guide that `juicestand help TOPIC` prints.
///
/// The text is a DocC article of the module it is about. The keys are those of the display's own help.
struct HelpTopic {
    let name: String
    private let markdown: String

    private init(_ name: String) { self.init(name, EmbeddedFile("\(name).md").text) }

    private init(_ name: String, _ markdown: String) {
        self.name = name
        self.markdown = markdown
    }

    /// The first heading, read without rendering the guide.
    var title: String { String(markdown.prefix { $0 != "\n" }.drop { $0 == "#" || $0 == " " }) }

    /// Renders the guide, which takes some 30 ms.
    var guide: GuideText { GuideText(markdown: markdown) }

    static let all = [
        HelpTopic("running"),
        HelpTopic("watching"),
        HelpTopic("keys", StandScreen.keyGuide),
        HelpTopic("state"),
        HelpTopic("security"),
        HelpTopic("experiments"),
        HelpTopic("fitting"),
        HelpTopic("forecasts"),
        HelpTopic("decisions"),
        HelpTopic("wirings"),
        HelpTopic("libraries"),
        HelpTopic("scripts"),
        HelpTopic("code"),
        HelpTopic("locks"),
        HelpTopic("rules"),
        HelpTopic("configuration"),
        HelpTopic("ledger"),
        HelpTopic("results"),
    ]
}
