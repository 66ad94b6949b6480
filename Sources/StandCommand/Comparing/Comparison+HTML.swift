import JuiceStand
import Reports
import TextFormats
import WiringComparison

extension Comparison {
    /// The comparison as a self-contained page, whose tables can be sorted and whose rows can be filtered by group.
    func html() -> String {
        let figures = cutOff.joined(separator: "; ")
        let missing: Markup = isPartial ? "<p class=\"alarm\">Missing: \(figures)</p>\n" : ""
        let tables = ComparisonTables(self)
        let header = ["wiring", "ns to 1", "ns to 3", "heard of a burst", "choose it for"]
        let first = HTMLPage.table(
            caption: "Nanoseconds of a post; a click on a heading sorts", columns: header,
            rows: tables.overview.map { $0.map(Markup.init(text:)) })
        let others = tables.all.map { table in
            HTMLPage.section(
                table.title,
                HTMLPage.table(
                    caption: table.note, columns: table.header, rows: table.rows.map { $0.map(Markup.init(text:)) })
                    + table.remarks.map { HTMLPage.remark("\($0.name): \($0.why)") }.joined())
        }
        let code = wirings.compactMap { wiring in
            WiringCode(wiring.choice, observers: 1).text.map { program in
                HTMLPage.details(wiring.choice.rawValue, "<pre>\(program)</pre>\n")
            }
        }
        return HTMLPage(
            title: "Wirings",
            body:
                "<header>\n<h1>\(wirings.count) ways to notify observers</h1>\n"
                + "<p class=\"about\">\(machine.message)</p>\n\(missing)</header>\n"
                + HTMLPage.section("First", first) + others.joined()
                + HTMLPage.section("Properties", HTMLPage.remark("\(Finding.legend)") + groupBoxes + groups.joined())
                + HTMLPage.section("The code that is measured", code.joined()),
            script: Self.script
        ).source()
    }

    private var shownGroups: [Property.Group] {
        Property.Group.allCases.filter { group in rows.contains { $0.group == group } }
    }

    private var groupBoxes: Markup {
        let boxes = shownGroups.map { group -> Markup in
            "<label><input type=\"checkbox\" checked=\"\" value=\"\(group.rawValue)\"/> \(group.rawValue)</label> "
        }
        return "<p>\(boxes)</p>\n"
    }

    /// A table for each group, with the evidence below.
    private var groups: [Markup] {
        shownGroups.map { group in
            let rows = rows.filter { $0.group == group }
            let cells = rows.map { row in
                [Markup(text: row.wholeTitle)]
                    + wirings.map { wiring -> Markup in
                        guard let finding = wiring.findings[row] else { return "" }
                        return "<span title=\"\(finding.datedEvidence)\">\(finding.mark)</span>"
                    }
            }
            let evidence = rows.flatMap { row in
                wirings.compactMap { wiring in
                    wiring.findings[row].map { [row.wholeTitle, wiring.choice.rawValue, $0.mark, $0.datedEvidence] }
                }
            }
            let table = HTMLPage.table(
                caption: group.rawValue, columns: ["property"] + wirings.map(\.choice.rawValue), rows: cells)
            let proof = HTMLPage.details(
                "evidence",
                HTMLPage.table(
                    caption: "what was seen", columns: ["property", "wiring", "verdict", "evidence"], headings: 2,
                    rows: evidence.map { $0.map(Markup.init(text:)) }))
            let drawings = rows.map { row in
                let traces = wirings.compactMap { wiring in
                    wiring.findings[row]?.trace.map { HTMLPage.details(wiring.choice.rawValue, $0.svg) }
                }
                return traces.isEmpty ? "" : HTMLPage.details("drawn: \(row.wholeTitle)", traces.joined())
            }
            return "<div data-group=\"\(group.rawValue)\">\n\(table)\(proof)\(drawings)</div>\n"
        }
    }

    private static let script: Markup = """
        for (const box of document.querySelectorAll("input")) {
          box.onchange = () => {
            for (const group of document.querySelectorAll("[data-group]"))
              if (group.dataset.group === box.value) group.hidden = !box.checked;
          };
        }

        """
}

extension CallTrace {
    /// The drawing: time goes down, and the number of a thread stands before what it does.
    fileprivate var svg: Markup {
        func x(_ lane: Int) -> Int { 80 + 150 * lane }
        let width = x(lanes.count)
        let height = 40 + 24 * (arrows.count + (gap == nil ? 0 : 1))
        let names = lanes.enumerated().map { lane, name -> Markup in
            """
            <text x="\(x(lane))" y="16" text-anchor="middle">\(name)</text>
            <path d="M\(x(lane)) 24V\(height)" class="grid"/>

            """
        }
        let lines = arrows.enumerated().map { place, arrow -> Markup in
            let (from, to, y) = (
                x(arrow.from), x(arrow.to), 46 + 24 * (gap == nil || place < Self.begun ? place : place + 1)
            )
            let back = to - (from < to ? 8 : -8)
            let dashes: Markup = arrow.label.isEmpty ? " stroke-dasharray=\"4 4\"" : ""
            return """
                <text x="4" y="\(y + 4)">\(arrow.thread)</text>
                <text x="\((from + to) / 2)" y="\(y - 4)" text-anchor="middle">\(arrow.label)</text>
                <path stroke="currentColor"\(dashes)
                  d="M\(from) \(y)H\(to)M\(back) \(y - 4)L\(to) \(y)L\(back) \(y + 4)"/>

                """
        }
        let more: Markup = gap.map { "<text x=\"4\" y=\"\(50 + 24 * Self.begun)\">\($0)</text>\n" } ?? ""
        return """
            <svg role="img" viewBox="0 0 \(width) \(height + 8)" fill="none"
              style="max-width: \(width)px">
            <title>A sequence of calls, by threads</title>
            <text x="4" y="16">thread</text>
            \(names)\(lines)\(more)</svg>

            """
    }
}
