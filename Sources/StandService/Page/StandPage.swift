/// The page of a running stand: order screen, stock screen, live view, comparison.
///
/// It is part of the program, so that it needs no other host and no folder beside it.
package enum StandPage {
    /// A file of the page as a browser gets it.
    package struct File: Sendable {
        package let path: String
        package let mediaType: String
        package let content: [UInt8]
    }

    /// Nothing from elsewhere, nothing inline, in nobody's frame; and no text becomes markup by the script's mistake.
    package static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; \
        form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'
        """

    package static let files = [
        File(path: "/", mediaType: "text/html; charset=utf-8", content: lean(PackageResources.page_html)),
        File(path: "/page.css", mediaType: "text/css; charset=utf-8", content: lean(PackageResources.page_css)),
        File(
            path: "/page.js", mediaType: "text/javascript; charset=utf-8",
            content: lean(Array(scripts.joined()), comments: true)),
    ]

    /// The parts of the script, one idea each; what runs at once uses only what stands before it.
    private static let scripts = [
        PackageResources.words_js, PackageResources.elements_js, PackageResources.stand_js, PackageResources.service_js,
        PackageResources.order_js, PackageResources.stock_js, PackageResources.live_js, PackageResources.comparison_js,
        PackageResources.start_js,
    ]

    /// A source without indentation and, of a script, without lines that are comments: these are for people who read it here.
    private static func lean(_ source: [UInt8], comments: Bool = false) -> [UInt8] {
        let lines = source.split(separator: UInt8(ascii: "\n")).map { line in
            line.drop { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
        }
        let isComment = { (line: ArraySlice<UInt8>) in
            ["//", "/**", "* "].contains { line.starts(with: $0.utf8) }
        }
        return Array(lines.filter { !comments || !isComment($0) }.joined(separator: [UInt8(ascii: "\n")]))
    }
}
