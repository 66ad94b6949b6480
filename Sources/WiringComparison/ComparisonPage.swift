import JuiceStand
import TextFormats

/// A comparison as one file for a browser: tables, charts, and the evidence behind every cell; nothing is loaded.
package struct ComparisonPage {
    private let tables: ComparisonTables

    package init(_ comparison: Comparison) {
        tables = ComparisonTables(comparison)
    }

    package func html() -> String {
        let comparison = tables.comparison
        var body = "<h1>Ways of reaching observers</h1>\n<p>\(escaped(tables.circumstances))"
        body += comparison.isPartial ? " — <strong>interrupted: what there is so far</strong></p>\n" : "</p>\n"
        for sentence in ComparisonVerdict(comparison).sentences() { body += "<p>\(escaped(sentence))</p>\n" }
        body += matrix()
        for table in tables.all {
            body += "<h2>\(escaped(table.title))</h2>\n<p>\(escaped(table.note))</p>\n"
            if table.title == tables.all.first?.title { body += charts() }
            body += "<table><tr>" + table.header.map { "<th>\(escaped($0))</th>" }.joined() + "</tr>\n"
            for row in table.rows { body += "<tr>" + row.map { "<td>\(escaped($0))</td>" }.joined() + "</tr>\n" }
            for remark in table.remarks {
                body +=
                    "<tr><td>\(escaped(remark.name))</td><td colspan=\"\(table.header.count - 1)\">\(escaped(remark.why))</td></tr>\n"
            }
            body += "</table>\n"
        }
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>juicestand compare</title>
            <meta name="viewport" content="width=device-width">
            <style>
            body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; color: #222; background: #fff }
            table { border-collapse: collapse; margin: 1em 0 } td, th { padding: .2em .7em; text-align: right; border-bottom: 1px solid #ddd }
            td:first-child, th:first-child { text-align: left } .yes { color: #17703a } .no { color: #b3261e } .open { color: #777 }
            .matrix td, .matrix th { text-align: center } .matrix td:first-child { text-align: left } summary { cursor: pointer }
            svg { display: block; margin: 1em 0 } svg text { font: 13px system-ui, sans-serif; fill: #222 } svg rect { fill: #d98324 } svg .own { fill: #17703a }
            @media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818 } svg text { fill: #ddd } td, th { border-color: #444 }
              .yes { color: #6fd08c } .no { color: #ff8a80 } }
            </style></head><body>
            \(body)</body></html>

            """
    }

    private func matrix() -> String {
        let rows = tables.matrix
        guard !rows.isEmpty else { return "" }
        let wirings = tables.comparison.wirings
        var text =
            "<h2>Properties</h2>\n<p>✓ seen to hold, ✗ seen not to hold, ? could not be established</p>\n<table class=\"matrix\"><tr><th></th>"
        text += wirings.map { "<th>\(escaped($0.choice.rawValue))</th>" }.joined() + "</tr>\n"
        for row in rows {
            text += "<tr><td>\(escaped(row.property.title))</td>"
            for finding in row.findings {
                text +=
                    "<td class=\"\(style(finding))\" title=\"\(escaped(finding?.evidence ?? ""))\">\(ComparisonTables.mark(finding))</td>"
            }
            text += "</tr>\n"
        }
        text += "</table>\n<h2>Evidence</h2>\n"
        for row in rows {
            text += "<details><summary>\(escaped(row.property.title))</summary><table>\n"
            for (wiring, finding) in zip(wirings, row.findings) {
                guard let finding else { continue }
                text +=
                    "<tr><td>\(escaped(wiring.choice.rawValue))</td><td class=\"\(style(finding))\">\(ComparisonTables.mark(finding))</td>"
                text += "<td style=\"text-align: left\">\(escaped(finding.evidence))</td></tr>\n"
            }
            text += "</table></details>\n"
        }
        return text
    }

    private func style(_ finding: Finding?) -> String {
        switch finding?.holds {
        case true?: "yes"
        case false?: "no"
        case nil: "open"
        }
    }

    /// One chart for each number of observers; lengths are logarithmic, since the slowest take a thousand times as long.
    private func charts() -> String {
        let counts = tables.comparison.wirings.map { $0.speed.map(\.observers) }.max { $0.count < $1.count } ?? []
        return counts.map { count in
            let bars = tables.comparison.wirings.compactMap { wiring in
                wiring.speed.first { $0.observers == count }.map { (wiring.choice, $0.nanoseconds.median) }
            }
            return chart("nanoseconds a notification, \(count.of("observer")), logarithmic", bars)
        }.joined()
    }

    private func chart(_ title: String, _ bars: [(choice: WiringChoice, value: Double)]) -> String {
        let (label, width, height) = (190.0, 480.0, 22.0)
        let longest = bars.map { steps($0.value) }.max() ?? 1
        let total = Double(bars.count + 1) * height
        var text =
            "<svg role=\"img\" width=\"\(Int(label + width + 90))\" height=\"\(Int(total))\"><title>\(escaped(title))</title>"
        text += "<text x=\"0\" y=\"15\">\(escaped(title))</text>"
        for (index, bar) in bars.enumerated() {
            let y = Double(index + 1) * height
            let length = max(2, width * steps(bar.value) / longest)
            text += "<text x=\"0\" y=\"\(Int(y) + 15)\">\(escaped(bar.choice.rawValue))</text>"
            text +=
                "<rect\(bar.choice == .notification ? " class=\"own\"" : "") x=\"\(Int(label))\" y=\"\(Int(y) + 3)\" width=\"\(Int(length))\" height=\"15\"/>"
            text +=
                "<text x=\"\(Int(label + length) + 6)\" y=\"\(Int(y) + 15)\">\(Columns.readable((bar.value * 10).rounded() / 10))</text>"
        }
        return text + "</svg>\n"
    }

    /// The logarithm of a positive number to base 2, by its exponent and what is left.
    private func steps(_ value: Double) -> Double {
        guard value >= 1 else { return 0 }
        return Double(value.exponent) + value.significand - 1
    }

    private func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.append(character)
            }
        }
        return result
    }
}
