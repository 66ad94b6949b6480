import JuiceStand

/// A self-contained page: one file that loads nothing from the network. A click on a heading sorts a table.
///
/// It is also well-formed XML, so that tools for HTML and XML can check it.
package enum HTMLPage {
    /// Forbids everything but the page's own styles and script.
    private static let contentSecurityPolicy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

    /// - Parameter title: The title of the browser window.
    package static func source(title: String, body: Markup) -> String {
        let markup: Markup = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8"/>
            <meta http-equiv="Content-Security-Policy" content="\(contentSecurityPolicy)"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <title>\(title)</title>
            <style>\(style)</style>
            </head>
            <body>
            <main>
            \(body)</main>
            <script>
            \(script)</script>
            </body>
            </html>

            """
        return markup.source
    }

    /// Sorts a table by a clicked heading: numbers by value and unit, before texts. Opens the folded parts around the
    /// target of a link. `<` and `&` would not be well-formed XML, so the script has none.
    private static let script: Markup = """
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
        const reveal = () => {
          const target = document.getElementById(location.hash.slice(1));
          for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
          target?.scrollIntoView();
        };
        addEventListener("hashchange", reveal);
        reveal();

        """

    /// An icon of a fruit, to place beside its name: the picture on the fruit's colour.
    package static func face(of fruit: String, in faces: [String: FruitFace]) -> Markup {
        let face = faces[fruit] ?? FruitFace(of: [fruit])
        let kind = face.labelColour == "#ffffff" ? "face dark" : "face"
        return """
            <svg class="\(kind)" viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" rx="6" \
            fill="\(face.colour)"/><text x="12" y="17" text-anchor="middle">\(face.plainPicture)</text></svg>

            """
    }
}
