import JuiceStand
import TextFormats

/// The page of a running stand: order screen, stock screen, live view, comparison.
///
/// It is embedded in the program and needs no other host and no files.
package enum StandPage {
    /// A file of the page.
    package struct File: Sendable {
        package let path: String
        package let mediaType: String
        fileprivate let make: @Sendable () -> [UInt8]

        /// What browsers get.
        ///
        /// - Complexity: O(*n*) for *n* bytes, at each call.
        package var content: [UInt8] { make() }
    }

    /// No foreign origin, no inline code, no framing, and no string that becomes markup.
    package static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; \
        form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'
        """

    package static let files = [
        File(path: "/", mediaType: "text/html; charset=utf-8") { lean(PackageResources.page_html) },
        File(path: "/page.css", mediaType: "text/css; charset=utf-8") { dense(lean(PackageResources.page_css)) },
        File(path: "/page.js", mediaType: "text/javascript; charset=utf-8") {
            squeezed(lean(Array(scripts.joined()) + "export {\(shared)};".utf8, comments: true))
        },
        File(path: "/page.comparison.js", mediaType: "text/javascript; charset=utf-8") {
            squeezed(
                lean("import {\(shared)} from './page.js';\n".utf8 + PackageResources.comparison_js, comments: true))
        },
    ]

    /// What the script of the comparison uses of the page's.
    private static let shared = "byId, language, make, makeRow, makeTable, rounded, say, small"

    /// The reasons of losses, from the one table that has them.
    private static let reasons: [UInt8] = {
        let reasons = LossReason.allCases.map { reason -> JSONValue in
            [
                "name": .string(reason.name), "en": .string(reason.traits.english),
                "ko": .string(reason.traits.korean), "wasPlaced": .bool(reason.traits.wasPlaced),
                "isByCommand": .bool(reason.traits.isByCommand),
            ]
        }
        return Array("const reasons = \(JSONValue.array(reasons).compact());\n".utf8)
    }()

    /// The parts of the script, in the order in which they use each other.
    private static let scripts = [
        reasons, PackageResources.words_js, PackageResources.elements_js, PackageResources.stand_js,
        PackageResources.service_js,
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

    /// A script without most line ends and without the spaces beside punctuation.
    private static func squeezed(_ source: [UInt8]) -> [UInt8] {
        var script: [UInt8] = []
        for line in source.split(separator: UInt8(ascii: "\n")) {
            script += squeezed(line: line) ?? Array(line)
            if !";,{(}[".utf8.contains(line.last!) { script.append(UInt8(ascii: "\n")) }
        }
        return script
    }

    /// Nil if the line must stay as it is: if, outside of texts, it has a slash that may begin a pattern, or another
    /// quotation mark than `'`.
    private static func squeezed(line: ArraySlice<UInt8>) -> [UInt8]? {
        let space = UInt8(ascii: " ")
        var kept: [UInt8] = []
        var isText = false
        for place in line.indices {
            let byte = line[place]
            let after = place + 1 < line.endIndex ? line[place + 1] : space
            if byte == UInt8(ascii: "'") {
                isText.toggle()
            } else if !isText {
                switch byte {
                case space where !(isWord(kept.last ?? space) && isWord(after)): continue
                case UInt8(ascii: "/") where line[line.startIndex..<place].last != space || after != space: return nil
                case UInt8(ascii: "`"), UInt8(ascii: "\""), UInt8(ascii: "\\"): return nil
                default: break
                }
            }
            kept.append(byte)
        }
        return kept
    }

    /// Whether a byte can be part of a name or number.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
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
