import TextFormats

/// A comparison as one file for a browser: the page's own view of it, which loads nothing.
package enum ComparisonReport {
    /// - Parameter comparison: What `compare --format json` prints.
    package static func html(_ comparison: JSONValue) -> String {
        let scripts = [PackageResources.words_js, PackageResources.elements_js, PackageResources.comparison_js]
        // In a script, a string that looks like the script's end would end it.
        let data = comparison.compact().replacing("<", with: "\\u003c")
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>juicestand compare</title>
            <meta name="viewport" content="width=device-width"><style>
            \(text(PackageResources.page_css))</style></head><body>
            <main><h1>Ways to reach observers</h1><section id="comparison"></section></main>
            <script type="module">
            \(scripts.map(text).joined())
            drawComparison(\(data));
            </script></body></html>

            """
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
