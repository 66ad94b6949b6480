import HTTPServer
import JuiceStand

/// The routes of the page's files.
enum PageRoutes {
    static var routes: [Route] { StandPage.files.map(route) }

    static func route(_ file: StandPage.File) -> Route {
        let response = response(file)
        return Route(
            .get, file.path,
            .init(
                name: "page" + file.path.dropFirst("/page.".count).uppercased(),
                summary: "The page for browsers, or a part of it", answer: .text(file.mediaType),
                empty: .notModified, parameters: [.ifNoneMatch], headers: [.eTag])
        ) { request, _ in .now(unchanged(response, for: request) ?? response) }
    }

    private static func response(_ file: StandPage.File) -> HTTPResponse {
        let tag = Fingerprint(String(decoding: file.content, as: UTF8.self)).text
        return HTTPResponse(.ok, type: file.mediaType, content: file.content)
            .with("etag", "\"\(tag)\"").with("cache-control", "no-cache")
            .with("content-security-policy", StandPage.policy).with("referrer-policy", "no-referrer")
            .with("cross-origin-opener-policy", "same-origin")
    }

    /// The answer 304; nil if the browser does not have this file.
    private static func unchanged(_ response: HTTPResponse, for request: HTTPRequest) -> HTTPResponse? {
        guard let known = request.fields["if-none-match"].flatMap({ HTTPEntityTags($0) }),
            let tag = response.fields["etag"], known.contains(String(tag.dropFirst().dropLast()))
        else { return nil }
        // A browser takes over every field of this answer, so its policy must be the file's and not the general one.
        var unchanged = HTTPResponse(.notModified)
        for field in response.fields.all where !field.name.hasPrefix("content-") || field.name.hasSuffix("-policy") {
            unchanged.fields.append(field.name, field.value)
        }
        return unchanged
    }
}
