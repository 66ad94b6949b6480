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
            content: squeezed(
                lean(Array(scripts.joined() + Array("export {\(shared)};".utf8)), comments: true))),
        File(
            path: "/page.comparison.js", mediaType: "text/javascript; charset=utf-8",
            content: squeezed(
                lean(
                    Array("import {\(shared)} from './page.js';\n".utf8) + PackageResources.comparison_js,
                    comments: true))),
    ]

    /// What the script of the comparison uses of the page's.
    private static let shared = "byId, language, make, makeRow, makeTable, rounded, say, small"

    /// The parts of the script, in the order in which they use each other.
    private static let scripts = [
        PackageResources.words_js, PackageResources.elements_js, PackageResources.stand_js, PackageResources.service_js,
        PackageResources.order_js, PackageResources.stock_js, PackageResources.charts_js, PackageResources.instant_js,
        PackageResources.forecast_js, PackageResources.live_js, PackageResources.wiring_js, PackageResources.start_js,
        PackageResources.controls_js,
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

    /// A script without the spaces around its operators and most line ends, where that is safe: outside of texts, in lines without
    /// a slash outside of texts, which may begin a pattern, and without other quotation marks than `'`.
    private static func squeezed(_ source: [UInt8]) -> [UInt8] {
        let marks = [
            ", ", ": ", "; ", " {", "{ ", " }", ") ", " = ", " => ", " ? ", " : ", " === ", " !== ", " && ", " || ",
            " ?? ",
            " > ", " < ", " >= ", " <= ", " += ", " -= ", " * ", " + ", " / ", " - ", " % ", " (", " [", "} ", "] ",
        ]
        var script = ""
        for line in String(decoding: source, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            let code = parts.map { place, part in place % 2 == 0 ? part : "" }.joined()
            if code.replacing(" / ", with: "").contains(where: { "/`\"\\".contains($0) }) {
                script += line
            } else {
                script += parts.map { place, part in
                    place % 2 == 1
                        ? String(part) : marks.reduce(String(part)) { $0.replacing($1, with: $1.filter { $0 != " " }) }
                }.joined(separator: "'")
            }
            if !";,{(}[".contains(line.last!) { script += "\n" }
        }
        return Array(script.utf8)
    }

    /// A style sheet without line ends and the spaces around its punctuation.
    private static func dense(_ source: [UInt8]) -> [UInt8] {
        let marks = [
            (": ", ":"), (" {", "{"), ("{ ", "{"), (", ", ","), ("; ", ";"), (" }", "}"), (";}", "}"), (" > ", ">"),
        ]
        return Array(
            marks.reduce(String(decoding: source.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)) {
                $0.replacing($1.0, with: $1.1)
            }.utf8)
    }
}
