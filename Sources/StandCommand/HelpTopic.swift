import TerminalView
import Terms

/// A guide that `juicestand help TOPIC` prints.
///
/// The text is a DocC article of the module it is about; `Resources` links to it. The keys are those of the display's
/// own help.
struct HelpTopic {
    let name: String
    private let markdown: @Sendable (Words) -> String

    private init(_ name: String, _ markdown: [UInt8]) {
        self.init(name) { _ in String(decoding: markdown, as: UTF8.self) }
    }

    private init(_ name: String, _ markdown: @escaping @Sendable (Words) -> String) {
        self.name = name
        self.markdown = markdown
    }

    /// The first heading in English, read without rendering the guide.
    var title: String { String(markdown(.english).prefix { $0 != "\n" }.drop { $0 == "#" || $0 == " " }) }

    /// Renders the guide, which takes some 30 ms.
    var guide: GuideText { GuideText(markdown: markdown(.user)) }

    static let all = [
        HelpTopic("running", PackageResources.running_md),
        HelpTopic("watching", PackageResources.watching_md),
        HelpTopic("keys", StandScreen.keyGuide),
        HelpTopic("state", PackageResources.state_md),
        HelpTopic("security", PackageResources.security_md),
        HelpTopic("experiments", PackageResources.experiments_md),
        HelpTopic("fitting", PackageResources.fitting_md),
        HelpTopic("forecasts", PackageResources.forecasts_md),
        HelpTopic("decisions", PackageResources.decisions_md),
        HelpTopic("wirings", PackageResources.wirings_md),
        HelpTopic("libraries", PackageResources.libraries_md),
        HelpTopic("scripts", PackageResources.scripts_md),
        HelpTopic("code", PackageResources.code_md),
        HelpTopic("locks", PackageResources.locks_md),
        HelpTopic("rules", PackageResources.rules_md),
        HelpTopic("configuration", PackageResources.configuration_md),
        HelpTopic("ledger", PackageResources.ledger_md),
        HelpTopic("results", PackageResources.results_md),
    ]
}
