import JuiceStand
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
        File(path: "/", mediaType: "text/html; charset=utf-8", content: PackageResources.page_html),
        File(path: "/page.css", mediaType: "text/css; charset=utf-8", content: PackageResources.page_css),
        File(path: "/page.js", mediaType: "text/javascript; charset=utf-8", content: Array(scripts.joined())),
    ]

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
        PackageResources.forecast_js, PackageResources.live_js, PackageResources.scene_js, PackageResources.picture_js,
        PackageResources.wiring_js, PackageResources.start_js,
        PackageResources.controls_js,
    ]
}
