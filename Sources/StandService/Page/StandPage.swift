/// The page of a running stand: order screen, stock screen, live view, comparison.
///
/// It is embedded in the program and needs no other host and no files.
package enum StandPage {
    /// A file of the page as sent to browsers.
    package struct File: Sendable {
        package let path: String
        package let mediaType: String
        package let content: [UInt8]
    }

    /// No foreign origin, no inline code, no framing, and no string that becomes markup.
    package static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; \
        form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'
        """

    package static let files = [
        File(path: "/", mediaType: "text/html; charset=utf-8", content: lean(PackageResources.page_html)),
        File(path: "/page.css", mediaType: "text/css; charset=utf-8", content: dense(lean(PackageResources.page_css))),
        File(
            path: "/page.js", mediaType: "text/javascript; charset=utf-8",
            content: lean(Array(scripts.joined()), comments: true)),
    ]

    /// The parts of the script, in the order in which they use each other.
    private static let scripts = [
        PackageResources.words_js, PackageResources.elements_js, PackageResources.stand_js, PackageResources.service_js,
        PackageResources.order_js, PackageResources.stock_js, PackageResources.live_js, PackageResources.comparison_js,
        PackageResources.start_js,
    ]

    /// A source without indentation and, for scripts, without comment lines.
    private static func lean(_ source: [UInt8], comments: Bool = false) -> [UInt8] {
        let lines = source.split(separator: UInt8(ascii: "\n")).map { line in
            line.drop { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
        }
        let isComment = { (line: ArraySlice<UInt8>) in
            ["//", "/**", "* "].contains { line.starts(with: $0.utf8) }
        }
        return Array(lines.filter { !comments || !isComment($0) }.joined(separator: [UInt8(ascii: "\n")]))
    }

    /// A style sheet without the spaces around its punctuation.
    private static func dense(_ source: [UInt8]) -> [UInt8] {
        let marks = [(": ", ":"), (" {", "{"), ("{ ", "{"), (", ", ","), ("; ", ";"), (" }", "}"), (";}", "}")]
        return Array(
            marks.reduce(String(decoding: source, as: UTF8.self)) { $0.replacing($1.0, with: $1.1) }.utf8)
    }
}
