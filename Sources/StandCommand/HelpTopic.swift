/// A guide that `juicestand help TOPIC` prints.
///
/// The text is a DocC article of the module it is about; `Resources` links to it.
struct HelpTopic {
    let name: String
    let guide: GuideText

    private init(_ name: String, _ markdown: [UInt8]) {
        self.name = name
        guide = GuideText(markdown: String(decoding: markdown, as: UTF8.self))
    }

    static let all = [
        HelpTopic("running", PackageResources.running_md),
        HelpTopic("watching", PackageResources.watching_md),
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
        HelpTopic("rules", PackageResources.rules_md),
        HelpTopic("configuration", PackageResources.configuration_md),
        HelpTopic("ledger", PackageResources.ledger_md),
        HelpTopic("results", PackageResources.results_md),
    ]
}
