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
        let first =
            HTMLPage.table(
                caption: "Nanoseconds of a post; a click on a heading sorts", columns: header, texts: [4],
                rows: zip(wirings, tables.overview).map { wiring, cells in
                    [link(wiring.choice)] + cells.dropFirst().map(Markup.init(text:))
                })
            + HTMLPage.remark(ComparisonTables.legend)
        let others = tables.all.map { table in
            HTMLPage.section(
                table.title,
                HTMLPage.table(
                    caption: table.note, columns: table.header, texts: table.texts,
                    rows: table.rows.map { $0.map(Markup.init(text:)) })
                    + table.remarks.map { HTMLPage.remark("\($0.name): \($0.why)") }.joined())
        }
        let tree = HTMLPage.table(
            caption: "The first yes is the answer", columns: ["question", "yes", "no"], texts: [1, 2],
            rows: Advice.questions.map { question in
                [Markup(text: question.text), link(question.yes), question.no.map(link) ?? "go on"]
            })
        let code = wirings.map { wiring -> Markup in
            let profile = wiring.choice.profile
            return """
                <h3 id="\(wiring.choice.rawValue)">\(wiring.choice.rawValue)</h3>
                \(HTMLPage.remark(profile.configuration))<pre>\(profile.code)</pre>

                """
        }
        let common: Markup = "<h3>what each of them needs</h3>\n<pre>\(Profile.commonCode)</pre>\n"
        return HTMLPage(
            title: "Ways to notify observers",
            body:
                "<header>\n<h1>\(wirings.count) ways to notify observers</h1>\n"
                + "<p class=\"about\">\(machine.message)</p>\n\(missing)</header>\n"
                + HTMLPage.section("Which one?", tree) + HTMLPage.section("What each costs", first) + others.joined()
                + HTMLPage.section("Properties", HTMLPage.remark("\(Finding.legend)") + groupBoxes + groups.joined())
                + HTMLPage.section("The code that is measured", code.joined() + common),
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

    /// Leads to the code of a wiring that was compared; any other is text.
    private func link(_ choice: WiringChoice) -> Markup {
        wirings.contains { $0.choice == choice }
            ? "<a href=\"#\(choice.rawValue)\">\(choice.rawValue)</a>" : "\(choice.rawValue)"
    }

    /// A table for each group, whose cells lead to the evidence below: `#PROPERTY-WIRING`.
    private var groups: [Markup] {
        shownGroups.map { group in
            let rows = rows.filter { $0.group == group }
            let cells = rows.map { row in
                [Markup(text: row.wholeTitle)]
                    + wirings.map { wiring -> Markup in
                        guard let finding = wiring.findings[row] else { return "" }
                        return """
                            <a href="#\(row.rawValue)-\(wiring.choice.rawValue)" title="\(finding.wholeEvidence)">\
                            \(finding.mark)</a>
                            """
                    }
            }
            let table = HTMLPage.table(
                caption: group.rawValue, columns: ["property"] + wirings.map(\.choice.rawValue), rows: cells)
            return "<div data-group=\"\(group.rawValue)\">\n\(table)\(rows.map(evidence))</div>\n"
        }
    }

    /// What was seen of a property under each wiring; a counter-example that several share is shown once.
    private func evidence(_ row: Property) -> Markup {
        var shown: [String] = []
        let paragraphs = wirings.compactMap { wiring -> Markup? in
            guard let finding = wiring.findings[row] else { return nil }
            let name = wiring.choice.rawValue
            var program: Markup = ""
            if let text = finding.counterExample, shown.contains(text) {
                program = HTMLPage.remark("the same program as above")
            } else if let text = finding.counterExample {
                shown.append(text)
                program = "<pre>\(text)</pre>\n"
            }
            return """
                <p id="\(row.rawValue)-\(name)">\(finding.mark) <a href="#\(name)">\(name)</a>: \(finding.wholeEvidence)</p>
                \(program)
                """
        }
        return HTMLPage.details("evidence: \(row.wholeTitle)", paragraphs.joined())
    }

    private static let script: Markup = """
        const reveal = () => {
          const target = document.getElementById(location.hash.slice(1));
          for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
          target?.scrollIntoView();
        };
        addEventListener("hashchange", reveal);
        reveal();
        for (const box of document.querySelectorAll("input")) {
          box.onchange = () => {
            for (const group of document.querySelectorAll("[data-group]"))
              if (group.dataset.group === box.value) group.hidden = !box.checked;
          };
        }

        """
}
