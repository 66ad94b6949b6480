import HTTPServer
import JuiceStand

/// The routes of the page: its files, and the comparison if the stand was given one.
struct PageRoutes: Sendable {
    /// The output of `juicestand compare --format json`; nil without one.
    let comparison: [UInt8]?

    var routes: [Route] { StandPage.files.map(route) + [comparisonRoute] }

    private func route(_ file: StandPage.File) -> Route {
        let response = HTTPResponse(.ok, type: file.mediaType, content: file.content)
            .with("content-security-policy", StandPage.policy).with("referrer-policy", "no-referrer")
            .with("cross-origin-opener-policy", "same-origin").with("cross-origin-resource-policy", "same-origin")
        return Route(
            .get, file.path,
            .init(
                name: "page" + file.path.dropFirst("/page.".count).uppercased(),
                summary: "The page for browsers, or a part of it", answer: .text(mediaType: file.mediaType))
        ) { _, _ in .now(response) }
    }

    /// Answers 204 without a comparison: browsers report 404 as an error of the page.
    private var comparisonRoute: Route {
        let response = comparison.map { HTTPResponse(.ok, type: "application/json", content: $0) }
        return Route(
            .get, "/api/v1/comparison",
            .init(
                name: "comparison",
                summary: "The comparison of wirings that the stand was started with; 204 if there is none",
                answer: .schema("Comparison"), mayBeEmpty: true)
        ) { _, _ in .now(response ?? HTTPResponse(.noContent)) }
    }
}
