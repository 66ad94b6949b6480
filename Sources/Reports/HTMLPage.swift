import JuiceStand

/// A self-contained page: one file that loads nothing from the network. A click on a heading sorts a table.
///
/// It is also well-formed XML, so that tools for HTML and XML can check it.
package struct HTMLPage {
    /// The title of the window.
    package var title: String
    package var body: Markup
    /// Runs after the script that sorts tables. It must not have `<` and `&`.
    package var script: Markup

    package init(title: String, body: Markup, script: Markup = "") {
        self.title = title
        self.body = body
        self.script = script
    }

    /// Forbids everything but the page's own styles and script.
    package static let contentSecurityPolicy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

    package func source() -> String {
        let markup: Markup = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8"/>
            <meta http-equiv="Content-Security-Policy" content="\(Self.contentSecurityPolicy)"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <title>\(title)</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <main>
            \(body)</main>
            <script>
            \(Self.sorting)\(script)</script>
            </body>
            </html>

            """
        return markup.source
    }

    /// Sorts numbers before texts; a number counts with its unit.
    private static let sorting: Markup = """
        const units = { k: 1e3, M: 1e6, ms: 1e-3, min: 60, h: 3600, d: 86400 };
        const value = cell => {
          const text = cell.textContent.replaceAll(",", "");
          const [, number, unit] = text.match(/^(?:in )?([-+]?[\\d.]+) ?([a-zA-Z]*)/) ?? [];
          return number ? number * (units[unit] ?? 1) : text;
        };
        for (const head of document.querySelectorAll("thead th")) {
          head.tabIndex = 0;
          const sort = () => {
            const body = head.closest("table").tBodies[0], sign = head.ariaSort === "ascending" ? -1 : 1;
            for (const other of head.parentNode.cells) other.ariaSort = null;
            head.ariaSort = sign === 1 ? "ascending" : "descending";
            const rows = [...body.rows].map(row => [value(row.cells[head.cellIndex]), row]);
            const order = (a, b) => typeof a === typeof b ? (a > b) - (b > a) : typeof a === "number" ? -1 : 1;
            rows.sort(([a], [b]) => sign * order(a, b));
            body.append(...rows.map(([, row]) => row));
          };
          head.onclick = sort;
          head.onkeydown = event => { if (event.key === "Enter") sort(); };
        }

        """
}

// MARK: - Parts of a page

extension HTMLPage {
    /// A section with its heading; nothing if `content` is empty.
    package static func section(_ heading: String, _ content: Markup) -> Markup {
        content.source.isEmpty ? "" : "<section>\n<h2>\(heading)</h2>\n\(content)</section>\n"
    }

    /// The picture of a fruit on its colour, to stand beside its name.
    package static func face(of fruit: String, in faces: [String: FruitFace]) -> Markup {
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
    ///   - texts: Further columns that have texts.
    ///   - rows: Rows with one cell for each column.
    ///   - marked: The rows that stand out.
    package static func table(
        caption: String, columns: [String], headings: Int = 1, texts: Set<Int> = [], rows: [[Markup]],
        marked: Set<Int> = []
    ) -> Markup {
        let head = columns.enumerated().map { index, column -> Markup in
            let kind: Markup = index < headings || texts.contains(index) ? " class=\"heading\"" : ""
            return "<th scope=\"col\"\(kind)>\(column)</th>"
        }
        let body = rows.enumerated().map { place, row -> Markup in
            let cells = row.enumerated().map { index, cell -> Markup in
                let kind: Markup = texts.contains(index) ? " class=\"text\"" : ""
                return index < headings ? "<th scope=\"row\">\(cell)</th>" : "<td\(kind)>\(cell)</td>"
            }
            let kind: Markup = marked.contains(place) ? " class=\"marked\"" : ""
            return "<tr\(kind)>\(cells)</tr>\n"
        }
        let titled: Markup = caption.isEmpty ? "" : "<caption>\(caption)</caption>\n"
        return """
            <div class="scroll" role="region" aria-label="\(caption)" tabindex="0"><table>
            \(titled)<thead><tr>\(head)</tr></thead>
            <tbody>
            \(body)</tbody>
            </table></div>

            """
    }
}
