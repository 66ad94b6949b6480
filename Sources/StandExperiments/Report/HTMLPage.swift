import JuiceStand

/// A self-contained page: one file that loads nothing from the network.
///
/// It is also well-formed XML, so that tools for HTML and XML can check it.
package struct HTMLPage {
    /// The title of the window.
    package var title: String
    package var body: Markup
    /// The page's own script, without `<` and `&`; empty for none.
    package var script: Markup

    package init(title: String, body: Markup, script: Markup = "") {
        self.title = title
        self.body = body
        self.script = script
    }

    /// Forbids everything but the page's own styles.
    package static let contentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'"

    package func source() -> String {
        let hasScript = !script.source.isEmpty
        let policy = Self.contentSecurityPolicy + (hasScript ? "; script-src 'unsafe-inline'" : "")
        let end: Markup = hasScript ? "<script>\n\(script)</script>\n" : ""
        let markup: Markup = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8"/>
            <meta http-equiv="Content-Security-Policy" content="\(policy)"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <title>\(title)</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <main>
            \(body)</main>
            \(end)</body>
            </html>

            """
        return markup.source
    }
}

// MARK: - Parts of a page

extension HTMLPage {
    /// A section with its heading; nothing if `content` is empty.
    package static func section(_ heading: String, _ content: Markup) -> Markup {
        content.source.isEmpty ? "" : "<section>\n<h2>\(heading)</h2>\n\(content)</section>\n"
    }

    /// The picture of a fruit on its colour, to stand beside its name.
    static func face(of fruit: String, in faces: [String: FruitFace]) -> Markup {
        let face = faces[fruit] ?? FruitFace(of: [fruit])
        let kind = face.labelColour == "#ffffff" ? "face dark" : "face"
        return """
            <svg class="\(kind)" viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" rx="6" \
            fill="\(face.colour)"/><text x="12" y="17" text-anchor="middle">\(face.plainPicture)</text></svg>

            """
    }

    /// An explanatory paragraph.
    package static func remark(_ text: String) -> Markup { "<p class=\"remark\">\(text)</p>\n" }

    /// A disclosure that opens on a click.
    ///
    /// - Parameter isPrinted: Whether it is always open on paper.
    package static func details(
        _ summary: String, isOpen: Bool = false, isPrinted: Bool = false, _ content: Markup
    ) -> Markup {
        let paper: Markup = isPrinted ? " class=\"printed\"" : ""
        let open: Markup = isOpen ? " open=\"\"" : ""
        return "<details\(paper)\(open)><summary>\(summary)</summary>\n\(content)</details>\n"
    }

    /// A table that scrolls if it is larger than the window.
    ///
    /// - Parameters:
    ///   - caption: What the table shows, also for screen readers.
    ///   - headings: The number of leading columns that are row headings.
    ///   - rows: Rows with one cell for each column.
    package static func table(caption: String, columns: [String], headings: Int = 1, rows: [[Markup]]) -> Markup {
        let head = columns.enumerated().map { index, column -> Markup in
            index < headings ? "<th scope=\"col\" class=\"heading\">\(column)</th>" : "<th scope=\"col\">\(column)</th>"
        }
        let body = rows.map { row in
            let cells = row.enumerated().map { index, cell -> Markup in
                index < headings ? "<th scope=\"row\">\(cell)</th>" : "<td>\(cell)</td>"
            }
            return "<tr>\(cells)</tr>\n" as Markup
        }
        return """
            <div class="scroll" role="region" aria-label="\(caption)" tabindex="0"><table>
            <caption>\(caption)</caption>
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(body)</tbody>
            </table></div>

            """
    }
}
