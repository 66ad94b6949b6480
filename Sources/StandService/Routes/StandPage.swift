import EmbeddedFiles
import JuiceStand
import Terms
import TextFormats

/// The page of a running stand: order screen, stock screen, live view.
///
/// It is embedded in the program and needs no other host and no files.
package enum StandPage {
    /// A file of the page.
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
        File(path: "/", mediaType: "text/html; charset=utf-8", content: parts("page.html")),
        File(path: "/page.css", mediaType: "text/css; charset=utf-8", content: parts("page.css")),
        File(
            path: "/page.js", mediaType: "text/javascript; charset=utf-8",
            content: tables
                + parts(
                    "words.js", "elements.js", "stand.js", "service.js", "following.js", "order.js", "stock.js",
                    "charts.js", "instant.js", "forecast.js", "live.js", "scene.js", "picture.js", "wiring.js",
                    "start.js", "controls.js")),
    ]

    /// The page of many stands.
    package static let filesOfMany = [
        File(path: "/", mediaType: "text/html; charset=utf-8", content: parts("many.html")),
        File(path: "/page.css", mediaType: "text/css; charset=utf-8", content: parts("page.css", "many.css")),
        File(
            path: "/page.js", mediaType: "text/javascript; charset=utf-8",
            content: tables + parts("words.js", "elements.js", "many.js")),
    ]

    /// The files as one, in this order.
    private static func parts(_ names: String...) -> [UInt8] { names.flatMap { EmbeddedFile($0).bytes } }

    /// The texts of both languages, the usual Korean names of fruits and the reasons of losses, from their tables.
    private static let tables: [UInt8] = {
        let reasons = LossReason.allCases.map { reason -> JSONValue in
            [
                "name": .string(reason.name), "wasPlaced": .bool(reason.traits.wasPlaced),
                "isByCommand": .bool(reason.traits.isByCommand),
            ]
        }
        let names = FruitFace.koreanNames.sorted { $0.key < $1.key }
        let koreanNames = JSONValue.object(names.map { .init(key: $0.key, value: .string($0.value)) })
        let texts: JSONValue = ["en": words(\.english), "ko": words(\.korean)]
        return Array(
            """
            const reasons = \(JSONValue.array(reasons).compact());
            const koreanNames = \(koreanNames.compact());
            const words = \(texts.compact());

            """.utf8)
    }()

    /// The texts of a language by key. Keys with the same first component, such as `event.opened`, form an object of
    /// their own.
    private static func words(_ language: KeyPath<Term, String>) -> JSONValue {
        var groups: [(key: String, members: [JSONValue.Member])] = []
        var members: [JSONValue.Member] = []
        for term in Term.all where term.isOnPage {
            let parts = term.key.split(separator: ".", maxSplits: 1).map(String.init)
            let member = JSONValue.Member(key: parts.last ?? "", value: .string(term[keyPath: language]))
            if parts.count == 1 {
                members.append(member)
            } else if let index = groups.firstIndex(where: { $0.key == parts[0] }) {
                groups[index].members.append(member)
            } else {
                groups.append((parts[0], [member]))
            }
        }
        return .object(members + groups.map { .init(key: $0.key, value: .object($0.members)) })
    }
}
