import TerminalView

/// A guide that `juicestand help TOPIC` prints.
///
/// The text is a DocC article of the module it is about; `Resources` links to it. The keys are those of the display's
/// own help.
struct HelpTopic {
    let name: String
    private let markdown: String

    private init(_ name: String, _ markdown: [UInt8]) {
        self.name = name
        self.markdown = String(decoding: markdown, as: UTF8.self)
    }

    /// The first heading, read without rendering the guide.
    var title: String { String(markdown.prefix { $0 != "\n" }.drop { $0 == "#" || $0 == " " }) }

    /// Renders the guide, which takes some 30 ms.
    var guide: GuideText { GuideText(markdown: markdown) }

    static let all = [
        HelpTopic("running", PackageResources.running_md),
        HelpTopic("watching", PackageResources.watching_md),
        HelpTopic("keys", Array(StandScreen.keyGuide.utf8)),
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
