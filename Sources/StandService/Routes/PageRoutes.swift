import HTTPServer
import JuiceStand

/// The routes of the page: its files, and the comparison if the stand was given one.
struct PageRoutes: Sendable {
    /// The output of `juicestand compare --format json`; nil without one.
    let comparison: [UInt8]?

    var routes: [Route] { StandPage.files.map(route) + [comparisonRoute] }

    /// Made when a browser first asks: compressing takes a while, and many stands never serve a page.
    private static let assets = Dictionary(uniqueKeysWithValues: StandPage.files.map { ($0.path, PageAsset($0)) })

    private func route(_ file: StandPage.File) -> Route {
        Route(
            .get, file.path,
            .init(
                name: "page" + file.path.dropFirst("/page.".count).prefix { $0 != "." }.uppercased(),
                summary: "The page for browsers, or a part of it", answer: .text(file.mediaType),
                empty: .notModified, parameters: [.ifNoneMatch], headers: [.eTag, .vary, .contentEncoding])
        ) { request, _ in .now(Self.assets[file.path]!.response(to: request)) }
    }

    /// Answers 204 without a comparison: browsers report 404 as an error of the page.
    private var comparisonRoute: Route {
        let response = comparison.map { HTTPResponse(.ok, type: "application/json", content: $0) }
        return Route(
            .get, "/api/v1/comparison",
            .init(
                name: "comparison",
                summary: "The comparison of wirings that the stand was started with; 204 if there is none",
                answer: .schema("Comparison"), empty: .noContent)
        ) { _, _ in .now(response ?? HTTPResponse(.noContent)) }
    }
}

/// A file of the page with its validator, plain and compressed.
private struct PageAsset: Sendable {
    private let plain: HTTPResponse
    private let compressed: HTTPResponse

    init(_ file: StandPage.File) {
        let content = file.content
        let tag = String(GZip.crc32(content), radix: 16) + "-\(content.count)"
        plain = Self.response(file, tag: tag, content: content)
        compressed = Self.response(file, tag: tag + "-gzip", content: GZip.compress(content))
            .with("content-encoding", "gzip")
    }

    private static func response(_ file: StandPage.File, tag: String, content: [UInt8]) -> HTTPResponse {
        HTTPResponse(.ok, type: file.mediaType, content: content)
            .with("etag", "\"\(tag)\"").with("vary", "accept-encoding").with("cache-control", "no-cache")
            .with("content-security-policy", StandPage.policy).with("referrer-policy", "no-referrer")
            .with("cross-origin-opener-policy", "same-origin")
    }

    func response(to request: HTTPRequest) -> HTTPResponse {
        let response = request.accepts(coding: "gzip") ? compressed : plain
        guard let known = request.fields["if-none-match"].flatMap({ HTTPEntityTags($0) }),
            let tag = response.fields["etag"], known.contains(String(tag.dropFirst().dropLast()))
        else { return response }
        // A browser takes over every field of this answer, so its policy must be the file's and not the general one.
        var unchanged = HTTPResponse(.notModified)
        for field in response.fields.all where !field.name.hasPrefix("content-") || field.name.hasSuffix("-policy") {
            unchanged.fields.append(field.name, field.value)
        }
        return unchanged
    }
}
