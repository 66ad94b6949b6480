import Foundation
import JuiceStand
import Reports
import StandExperiments
import Testing
import TextFormats

@Suite(.timeLimit(.minutes(60)))
struct ReportTests {
    /// A short experiment over several settings with what plots need.
    private func result(
        _ json: String = "{}", vary key: String? = nil, _ values: [JSONValue] = [], replications: Int = 3,
        hours: Double = 2, warmUp: Double = 0
    ) throws -> SimulationResult {
        let base = try settings(json)
        let varied: [Experiment.Setting]? = try key.map { key in
            try values.map { value in
                let override = StandConfiguration.Override(
                    source: "test", keyPath: key, value: SimulationResult.plain(value))
                let settings = try StandConfiguration(
                    Array(json.utf8), source: "test.json", overrides: [override]
                ).settings
                return .init(set: [.init(key: key, value: value)], settings: settings)
            }
        }
        let experiment = Experiment(
            base: base, settings: varied, replications: replications, horizon: SimulationTime(seconds: hours * 3600),
            warmUp: .fixed(SimulationTime(seconds: warmUp)), includesTiming: false, drawsCharts: true)
        return experiment.run(.init())
    }

    /// Restocks, so that levels have reorder points.
    private static let restocked = """
        {"stand": "corner", "fruits": {"kiwi": {"initial": 30, "restock": {"orderUpTo": {"reorderPoint": 12, "level": 40,
          "leadTime": "10m"}}, "costs": {"unit": 0.5, "order": 2}}, "ice": {"initial": "unlimited"}},
         "menu": {"kiwi juice": {"recipe": {"kiwi": 3, "ice": 1}, "price": 4, "preparation": {"exponential": {"mean": 30}}}}}
        """

    private func expectations(_ texts: String...) throws -> [StandExperiments.Expectation] {
        try texts.map { try #require(Expectation($0)) }
    }

    private func read(_ result: SimulationResult, _ verdicts: [Verdict] = []) throws -> PageReading {
        var report = result.report()
        report.verdicts = verdicts
        return try #require(PageReading(report.html()), "not well-formed")
    }

    @Test func `the page is well-formed and self-contained`() throws {
        let result = try result(Self.restocked, vary: "makers", [1, 2])
        let reading = try read(result)
        let policies = reading.all("meta").filter { $0.attributes["http-equiv"] == "Content-Security-Policy" }
        #expect(
            policies.map { $0.attributes["content"] } == [
                "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
            ])
        let allowed: Set = [
            "html", "head", "meta", "title", "style", "body", "main", "header", "section", "h1", "h2", "h3", "p", "ul",
            "li", "dl", "div", "dt", "dd", "small", "table", "caption", "thead", "tbody", "tr", "th", "td", "details",
            "summary", "pre", "figure", "figcaption", "span", "svg", "desc", "g", "path", "rect", "text", "script",
        ]
        #expect(Set(reading.elements.map(\.name)).subtracting(allowed).isEmpty)
        for element in reading.elements {
            let risky = element.attributes.keys.filter { $0.hasPrefix("on") || ["src", "href", "style"].contains($0) }
            #expect(risky.isEmpty, "\(element)")
        }
        let script = reading.all("script").map(\.text).joined()
        #expect(script.contains("ariaSort") && !script.contains("import") && !script.contains("fetch"))
        let style = reading.all("style").map(\.text).joined()
        #expect(!style.contains("url(") && !style.contains("@import"))
        #expect(style.contains("prefers-color-scheme: dark") && style.contains("@media print"))
    }

    @Test func `names of the configuration are shown verbatim everywhere`() throws {
        let name = "<script>alert('&amp;')</script>\"><b x='"
        let json = """
            {"stand": \(JSONValue.string(name).compact()), "currency": \(JSONValue.string(name).compact()),
             "fruits": {\(JSONValue.string(name).compact()): {"initial": 20}},
             "menu": {"juice": {"recipe": {\(JSONValue.string(name).compact()): 1}}}}
            """
        var result = try result(json)
        result.notes = ["\(name)"]
        result.faults = ["\(name)"]
        result.runs = ["1", name].map { value in
            let run = result.runs[0]
            return .init(
                set: [.init(key: name, value: .string(value))], names: run.names, juices: run.juices,
                outcomes: run.outcomes)
        }
        let reading = try read(result, [Verdict(try #require(Expectation("wait.p95<1")), found: nil, setting: name)])
        #expect(reading.all("h1").map(\.text) == [name])
        #expect(reading.all("script").count == 1 && reading.all("b").isEmpty)
        #expect(reading.all("td").isEmpty == false)
        #expect(reading.all("pre").contains { $0.text == result.config.pretty() })
        #expect(reading.all("figcaption").contains { $0.text == name })
        #expect(reading.all("p").filter { ["✗ \(name)", "Note: \(name)"].contains($0.text) }.count == 2)
        #expect(reading.all("li").contains { $0.text.contains(name) })
    }

    @Test(arguments: ["a\rb", "a\nb", "a\r\nb", "a\tb", "a\u{1b}[2Jb", "a,\"b\""])
    func `a field of CSV is one field of one line`(value: String) throws {
        var result = try result(vary: "stand", [.string("odd"), .string("plain")], replications: 2, hours: 0.1)
        result.runs = result.runs.map { run in
            let name = run.set[0].value == .string("odd") ? .string(value) : run.set[0].value
            return .init(
                set: [.init(key: "stand", value: name)], names: run.names, juices: run.juices, outcomes: run.outcomes)
        }
        let csv = result.csv()
        #expect(csv.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F })
        let lines = csv.split(separator: "\n")
        let plain = try #require(lines.last)
        // Commas between quotation marks belong to the field.
        let counts = lines.map { line in line.replacing(#/"[^"]*"/#, with: "").count { $0 == "," } }
        #expect(Set(counts) == [plain.count { $0 == "," }], "\(lines[1])")
    }

    @Test func `every figure is the same in page, text, JSON and CSV`() throws {
        let result = try result(Self.restocked, vary: "makers", [1, 2])
        let reading = try read(result)
        let text = result.report().text(width: 200, isVerbose: true).split(separator: "\n")
        let lines = result.csv().split(separator: "\n").dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        /// Whether a figure for people is the number of the CSV, rounded to the decimals shown.
        func agrees(_ shown: Substring, _ number: String, _ scale: Double) throws -> Bool {
            let digits = shown.filter { $0 != "," && $0 != "%" }
            let decimals = digits.split(separator: ".").dropFirst().first?.count ?? 0
            let exact = try #require(Double(number)) * scale
            return abs(try #require(Double(digits)) - exact) <= 0.500001 * pow(10, -Double(decimals))
        }
        var compared = 0
        for (index, run) in result.runs.enumerated() {
            let setting = "makers=\(index + 1)"
            let table = try #require(reading.table("Every figure of \(setting)"))
            let ofRun = lines.filter { $0[0] == "\(index + 1)" }
            try #require(table.count == run.metrics.count + 1 && ofRun.count == run.metrics.count)
            let from = try #require(text.firstIndex { $0 == "\(setting):" })
            let json = result.json()["runs"]?.elements[index]["metrics"]?.members ?? []
            try #require(json.count == run.metrics.count)
            for (((row, line), metric), member) in zip(zip(zip(table.dropFirst(), ofRun), run.metrics), json) {
                // CSV: the key's value, metric, mean, halfWidth, confidence, n.
                #expect(row[0] == line[1] && row[2] == line[5])
                #expect(metric.name == line[1] && member.key == line[1])
                #expect((member.value["mean"]?.compact() ?? "") == (line[2].isEmpty ? "null" : line[2]))
                #expect((member.value["halfWidth"]?.compact() ?? "") == (line[3].isEmpty ? "null" : line[3]))
                let words = text[from...].first { $0.hasPrefix("  \(metric.name) ") }
                #expect(words?.contains("  \(row[1])") == true, "\(row), \(words ?? "")")
                #expect(index == 0 || row[3].isEmpty || words?.contains(row[3]) == true, "\(row), \(words ?? "")")
                guard !line[2].isEmpty else {
                    #expect(row[1] == "no observations")
                    continue
                }
                let figures = row[1].matches(of: /-?[\d.,]+%?/).map(\.output)
                let scale =
                    row[1].hasSuffix("%") || row[1].hasSuffix("%)") ? 100.0 : row[1].hasSuffix("an hour") ? 3600 : 1
                #expect(try agrees(figures[0], line[2], scale), "\(row), \(line)")
                if row[1].contains("±") { #expect(try agrees(figures[1], line[3], scale), "\(row), \(line)") }
                #expect(row[1].contains("±") || row[1].contains("(") || Double(line[3]) ?? 0 < 1e-9, "\(row), \(line)")
                compared += 1
            }
        }
        #expect(compared > 80)
    }

    @Test func `a spreadsheet takes no text of a CSV file for a formula, and numbers stay numbers`() throws {
        for name in ["=1+1", "+a", "-a", "@a"] {
            let csv = try result(vary: "stand", [.string(name), .string("plain")], replications: 2, hours: 0.1).csv()
            #expect(csv.contains("\n'\(name),"), "\(name)")
            #expect(csv.contains("\nplain,"))
        }
    }

    @Test func `a sweep ends on one screen, with the best setting and the columns that differ`() throws {
        let result = try result(Self.restocked, vary: "makers", [1, 2, 3], replications: 6)
        let text = result.report().text()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let best = try #require(result.runs.max { $0.metric("profit")?.mean ?? 0 < $1.metric("profit")?.mean ?? 0 })
        let name = SimulationResult.describe(best.set)
        #expect(text.contains("\n\(name) is best by profit: \(best.metric("profit")?.rounded("EUR").prefix(3) ?? "?")"))
        #expect(lines.filter { $0.hasPrefix("▸ ") }.allSatisfy { $0.hasPrefix("▸ \(name)  ") }, "\(text)")
        let table = try #require(read(result).table("Settings, means with 95% confidence intervals"))
        #expect(table[0].prefix(5) == ["makers", "profit", "served", "fill rate", "95% wait within"])
        #expect((6...7).contains(table[0].count), "and at most two in which they differ most: \(table[0])")
        let difference = try #require(
            result.runs[1].differences(from: result.runs[0]).first { $0.name == "wait.p95" })
        let change = try #require(difference.mean)
        let shown = try #require(table[2][4].firstMatch(of: /([+-][\d.]+) ± ([\d.]+) s$/))
        #expect(try abs(#require(Double(shown.1)) - change) < 0.06 * #require(difference.halfWidth))
    }

    @Test func `any sweep ends on one screen of 80 columns and 24 lines, unless it is verbose`() throws {
        let swept = try result(Self.restocked, vary: "makers", [1, 2, 3], replications: 3, hours: 1)
        let expectations = try expectations(
            "wait.p95<1", "fillRate>99%", "customers.served>1", "profit>1000000", "queue.max<0", "stay.mean>0")
        let keys = ["makers", "fruits.kiwi.restock.orderUpTo.reorderPoint", "queue.limit"]
        for settings in 2...40 {
            var result = swept
            result.notes = [
                "with fewer than 10 replications, the intervals assume that the values are normally distributed",
                "the interval of wait.p95 is wider than asked for",
            ].dropLast(settings % 3)
            result.runs = (0..<settings).map { place in
                var run = swept.runs[place % 3]
                run.set = keys.prefix(1 + settings % 3).map { .init(key: $0, value: .integer(Int64(place))) }
                return run
            }
            for count in [settings % 7, 6] {
                let report = result.report(Array(expectations.prefix(count)))
                let text = report.text()
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                // The prompt follows, after a line on standard error if an expectation failed.
                let most = report.verdicts.allSatisfy(\.isMet) ? 23 : 22
                #expect(lines.count - 1 <= most && lines.allSatisfy { $0.count <= 80 }, "\(text)")
                #expect(text.replacing("\n", with: " ").contains(report.headline) && text.contains("\n▸ "), "\(text)")
                let table = try #require(report.sections.first { $0.audience == .terminal })
                guard case .table(let table)? = table.blocks.first else {
                    Issue.record("no table")
                    return
                }
                for word in table.columns.flatMap({ $0.split(separator: " ") }) {
                    #expect(text.contains(word.split(separator: ".").last ?? word), "\(word): \(text)")
                }
                #expect(text.contains("more settings; --verbose lists all") == (table.rows.count > Self.rows(of: text)))
            }
            let verbose = result.report(expectations).text(isVerbose: true)
            #expect(result.report(expectations).verdicts.allSatisfy { verbose.contains($0.message.prefix(40)) })
            #expect(Self.rows(of: verbose) >= settings && !verbose.contains("--verbose"))
        }
    }

    @Test(arguments: [40, 80, 120], [12, 24, 50])
    func `a sweep fits the terminal, and is as short as it can be on a low one`(width: Int, height: Int) throws {
        var result = try result(Self.restocked, vary: "makers", [1, 2, 3], replications: 6)
        result.notes = []
        let report = result.report()
        let text = report.text(width: width, height: height)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        // The prompt takes a line. Below 24 lines, title, headline and table may need more than there are.
        #expect(lines.count < max(24, height), "\(text)")
        #expect(lines.allSatisfy { $0.count <= width }, "\(text)")
        #expect(text.replacing("\n", with: " ").contains(report.headline) && text.contains("\n▸ "), "\(text)")
        if height < 24 {
            let higher = report.text(width: width, height: 24)
            #expect(lines.count <= higher.count { $0 == "\n" }, "\(text)")
        }
    }

    /// The rows of the table of settings; a row that goes on below counts once.
    private static func rows(of text: String) -> Int {
        Set(text.matches(of: /(?m)^(?:  |▸ |✗ )(makers=\d+)[, ]/).map(\.1)).count
    }

    @Test func `a sweep tells how many settings fail each expectation, and which`() throws {
        let result = try result(Self.restocked, vary: "makers", [1, 2, 3, 4], replications: 6)
        let least = try #require(result.runs[1].metric("makers.onDuty.hours")?.mean)
        let expectations = try expectations(
            "makers.onDuty.hours<=\(least)", "customers.served>0", "revenue>0", "fillRate<0")
        let text = result.report(expectations).text()
        #expect(text.contains("\n  ✗ makers.onDuty.hours <= \(Int(least)) h: 2 of 4 settings fail\n"), "\(text)")
        #expect(text.contains(" fail\n  ✗ fillRate < 0%: 4 of 4 settings fail\n  ✓ 10 of 16 hold\n"), "\(text)")
        let two = result.report(Array(expectations.prefix(2))).text()
        #expect(two.contains(" 2 of 4 settings fail\n  ✓ 6 of 8 hold\n"), "\(two)")
        #expect(two.contains("\n✗ makers=3 ") && two.contains("\n✗ makers=4 ") && !two.contains("\n✗ makers=1 "))
        let twice = result.report(Array(repeating: expectations[0], count: 3)).text()
        #expect(twice.contains("\n  ✗ makers.onDuty.hours <= \(Int(least)) h: 2 of 4 settings fail\n"), "\(twice)")
    }

    @Test func `text that leaves anything out says where all of it is`() {
        let pointer = "\n\nAll metrics: --verbose or --format json\n"
        func text(_ blocks: [Report.Block], height: Int = 24) -> String {
            var report = Report(title: "result")
            report.add("Table", [.table(.init(columns: ["a", "b"], rows: [.init(texts: ["1", "2"])]))])
            report.add("Part", blocks)
            return report.text(width: 40, height: height)
        }
        let lines = (1...50).map { "line \($0)" }
        #expect(!text([.list(["one"])]).contains(pointer))
        #expect(text([.list(lines)]).contains(" more lines; --verbose lists all\(pointer)"))
        let low = text([.list(lines)], height: 11)
        #expect(low.contains("\n… 1 more table or list; --verbose lists"), "\(low)")
        #expect(low.hasSuffix(pointer) && !low.contains("Part"), "\(low)")
        let folded = text([.folded("inside", [.list(lines)])], height: 12)
        #expect(folded.hasSuffix("inside:\n  … 50 lines; --verbose lists all\(pointer)"), "\(folded)")

        let long = String(repeating: "x", count: 18)
        let row = Report.Row([.init(long), .init("\(long) ± 1", brief: long), .init(long)])
        var table = Report.Table(columns: ["a", "b", "c"], rows: [row])
        table.extras = 1
        let narrow = text([.table(table)])
        #expect(!narrow.contains("±") && narrow.hasSuffix(pointer), "\(narrow)")
    }

    @Test func `a table grows into the room of sections that are left out`() {
        var report = Report(title: "result")
        let rows = (1...50).map { Report.Row(texts: ["row \($0)", "1"]) }
        report.add("Table", [.table(.init(columns: ["a", "b"], rows: rows))])
        report.add("Code", [.code(String(repeating: "line\n", count: 40))])
        let text = report.text()
        #expect(text.count { $0 == "\n" } == 23 && text.contains("… 1 more table or list;"), "\(text)")
        #expect(text.contains("  row 10 "), "\(text)")
    }

    @Test func `the best rows of a table that is cut stay in its order`() {
        var table = Report.Table(columns: ["a", "b"], rows: (1...50).map { .init(texts: ["row \($0)", "1"]) })
        table.ranking = Array(table.rows.indices.reversed())
        var report = Report(title: "result")
        report.add("Table", [.table(table)])
        let text = report.text(height: 12)
        let shown = text.matches(of: /row (\d+)/).compactMap { Int($0.1) }
        #expect((2..<12).contains(shown.count) && shown == Array(shown[0]...50), "\(text)")
    }

    @Test func `one setting ends on one screen: customers, losses, waits, money, fruit`() throws {
        let text = try result(Self.restocked, replications: 6, hours: 8).report().text()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 80 }, "\(text)")
        #expect(lines[0] == "corner: seed 42, 8 h of stand time, 6 replications, means with 95% intervals")
        for name in ["customers", "served", "lost", "wait", "makers", "money", "fruit"] {
            #expect(lines.contains { $0.hasPrefix("  \(name)  ") }, "\(name)")
        }
        #expect(!text.contains("stay.p50"))
    }

    @Test func `expectations choose the best setting`() throws {
        let result = try result(Self.restocked, vary: "makers", [1, 2, 3], replications: 6)
        func headline(_ text: String) throws -> String { try result.report(expectations(text)).headline }
        #expect(try headline("customers.arrived>0").hasPrefix("3 of 3 settings meet all expectations. makers="))
        let least = try #require(result.runs[0].metric("makers.onDuty.hours")?.mean)
        let one = try headline("makers.onDuty.hours<=\(least)")
        #expect(one.hasPrefix("1 of 3 settings meets all expectations. makers=1 is best by profit: "), "\(one)")
        #expect(try headline("customers.arrived<0").hasPrefix("No setting meets all expectations. "))
        let verdicts = try result.report(expectations("wait.p95 < 0")).verdicts
        #expect(verdicts.count == 3 && verdicts.allSatisfy { !$0.isMet })
    }

    @Test func `fruit that nobody restocks is named with the time at which it runs short`() throws {
        let stand = """
            {"fruits": {"kiwi": {"initial": 60}, "apple": {"initial": 60, "restock": {"orderUpTo": {"reorderPoint": 5,
              "level": 60, "leadTime": "1h"}}}}, "menu": {"juice": {"recipe": {"kiwi": 1, "apple": 1}}},
             "customers": {"arrivals": {"renewal": "1m"}}}
            """
        let result = try result(stand, replications: 1, hours: 4)
        #expect(
            result.report().notes == ["nobody restocks this fruit, which runs short: kiwi after 60 min"])
        #expect(try self.result(Self.restocked).report().notes.allSatisfy { !$0.contains("restocks") })
        #expect(result.notes.isEmpty, "JSON stays as it was")
    }

    /// 1.5 customers come for each that one maker can serve.
    @Test func `a line that grew until the end is named`() throws {
        func stand(_ more: String) -> String {
            """
            {"fruits": {"kiwi": {"initial": "unlimited"}}, "menu": {"juice": {"recipe": {"kiwi": 1}, "preparation": 30}},
             "customers": {"arrivals": {"poisson": {"perSecond": 0.05}}\(more)
            """
        }
        func notes(_ more: String) throws -> [String] {
            try result(stand(more), replications: 1, hours: 8).report().notes
        }
        let grown = try notes("}}")
        #expect(
            grown.count == 1 && grown[0].hasPrefix("the line grew until the end, when ")
                && grown[0].hasSuffix(" customers were still there: the waits of those served understate what comes"))
        #expect(try notes(#"}, "queue": {"limit": 20}}"#).isEmpty, "a full line does not grow")
        #expect(try notes(#", "patience": "10m"}}"#).isEmpty, "customers leave")
        #expect(try notes(#"}, "makers": 2}"#).isEmpty, "a stand that keeps up")
    }

    @Test func `expectations come first, then notes and faults`() throws {
        var result = try result(Self.restocked)
        result.isPartial = true
        result.faults = ["replication 0 contradicts Little's law"]
        result.notes = ["no end of the warm-up was found"]
        let found = result.runs[0].metric("customers.served")
        let verdicts = try expectations("customers.served > 0", "customers.served < 0").map {
            Verdict($0, found: found)
        }
        let reading = try read(result, verdicts)
        #expect(reading.all("h2").first?.text == "Expectations")
        #expect(reading.all("li").prefix(2).map(\.text) == verdicts.map(\.message))
        #expect(reading.all("li").prefix(2).map { $0.attributes["class"] } == ["met", "failed"])
        #expect(
            reading.all("p").prefix(4).dropFirst().map(\.text) == [
                "✗ Interrupted: this result is partial.", "✗ replication 0 contradicts Little's law",
                "Note: no end of the warm-up was found",
            ])
    }

    @Test func `the page has plots of waits, queue, levels and settings`()
        throws
    {
        let result = try result(Self.restocked, vary: "makers", [1, 2, 3], warmUp: 600)
        let reading = try read(result)
        let drawings = reading.all("svg").filter { $0.attributes["role"] == "img" }.map(reading.children)
        let titles = drawings.map { $0[0].text }
        #expect(
            titles == [
                "Profit", "Fill rate", "95% wait within", "How long customers waited",
                "Customers in the queue by the hour of the day", "kiwi", "kiwi", "kiwi",
            ])
        #expect(drawings.allSatisfy { $0[0].name == "title" && $0[1].name == "desc" && !$0[1].text.isEmpty })
        // Text in the drawing would cover the line.
        #expect(!reading.all("text").contains { $0.text.contains("reorder") })
        #expect(reading.all("figcaption").filter { $0.text == "kiwiDashed line: reorder point 12." }.count == 3)
        let hours = reading.all("text").map(\.text).filter { ["0", "1", "2", "3", "24"].contains($0) }
        #expect(!hours.contains("24") && hours.contains("2"), "an axis is as long as the day")
        let shades = reading.all("rect").filter { $0.attributes["class"] == "shade" }
        // From the left end of the plot to the right one, as the line of the reorder point.
        let line = try #require(reading.all("path").first { $0.attributes["class"] == "threshold" }?.attributes["d"])
        let ends = try #require(line.firstMatch(of: /^M([\d.]+) .*H([\d.]+)$/)).output
        let width = try #require(Double(ends.2)) - #require(Double(ends.1))
        #expect(shades.count == 3)
        for shade in shades {
            let share = try #require(shade.attributes["width"].flatMap { Double($0) }) / width
            #expect(abs(share - 600.0 / 7200) < 0.001, "the warm-up takes 10 of 120 minutes")
        }
        #expect(reading.all("path").filter { $0.attributes["class"]?.hasPrefix("whisker") ?? false }.count >= 12)
        #expect(reading.all("title").contains { $0.text.contains(/^makers=2: [\d.]+ ± [\d.]+ s$/) })
    }

    @Test func `the headline names the best setting, its interval and what may be as good`() throws {
        let swept = try result(Self.restocked, vary: "makers", [1, 2], replications: 6, hours: 4)
        let headline = swept.report().headline
        let found = try #require(
            headline.firstMatch(
                of: /^(makers=\d) is best by profit: ([\d.,]+) EUR \(95% interval ([\d.,]+) to ([\d.,]+) EUR\)/),
            "\(headline)")
        let mean = try #require(Double(found.2))
        let low = try #require(Double(found.3))
        let high = try #require(Double(found.4))
        #expect(low < mean && mean < high)
        #expect(try read(swept).all("p").contains { $0.attributes["class"] == "headline" && $0.text == headline })
        var same = swept
        same.runs = [1, 2].map {
            .init(
                set: [.init(key: "seed", value: .integer($0))], names: swept.runs[0].names, juices: [],
                outcomes: swept.runs[0].outcomes)
        }
        #expect(same.report().headline.contains("seed=2 may be as good: the difference of 0.00 EUR may be chance."))
        let single = try result(Self.restocked, vary: "makers", [1, 2], replications: 1).report().headline
        #expect(single.hasSuffix("One replication gives no interval: the differences may be chance."), "\(single)")
    }

    @Test func `non-numeric keys give bars and several keys give lines`() throws {
        let bars = try read(
            try result(Self.restocked, vary: "customers.whenSoldOut", ["leave", "substitute", "wait"]))
        let table = try #require(bars.table("Settings, means with 95% confidence intervals"))
        #expect(table.dropFirst().map { $0[0] } == ["leave", "substitute", "wait"])
        #expect(bars.all("rect").count { $0.attributes["class"] == "bar s0" } >= 3 * 3)

        var lines = try result(Self.restocked, vary: "makers", [1, 2])
        lines.runs = ["10s", "1m"].flatMap { patience in
            lines.runs.map { run in
                .init(
                    set: run.set + [.init(key: "customers.patience", value: .string(patience))], names: run.names,
                    juices: run.juices,
                    outcomes: run.outcomes)
            }
        }
        let reading = try read(lines)
        let keys = reading.all("ul").filter { $0.attributes["class"] == "key" }.map {
            reading.children(of: $0).map(\.text)
        }
        // As many makers as patiences: the first of the two keys is the axis.
        #expect(keys.first == ["patience=10s", "patience=1m"])
        #expect(reading.all("text").contains { $0.text == "makers" })
    }

    @Test(arguments: [
        ([[1, 1], [1, 2], [2, 1], [2, 2]] as [[JSONValue]], Optional("a")), ([[1, 10], [2, 20], [2, 30]], "b"),
        ([["1m", "x"], ["30s", "y"]], "a"),
        ([["x"], ["y"]], nil), ([[1], [1]], nil), ([[true], [false]], nil), ([[1], ["unlimited"]], nil), ([[]], nil),
    ])
    func `settings are plotted against the key with the most numbers`(values: [[JSONValue]], key: String?) {
        let sets = values.map { zip(["a", "b"], $0).map { JSONValue.Member(key: $0, value: $1) } }
        #expect(SweepAxis(sets, names: Array(["a", "b"].prefix(values[0].count)))?.key == key)
    }

    @Test func `a result without observations is still a page`() throws {
        let nobody = try read(
            try result(#"{"customers": {"arrivals": {"poisson": {"perSecond": 1e-9}}}}"#, replications: 1))
        let table = try #require(nobody.table("Every figure of stand"))
        #expect(table.first { $0[0] == "wait.mean" } == ["wait.mean", "no observations", "0"])
        var bare = try result(Self.restocked)
        bare.runs = [.init(set: [], names: bare.runs[0].names, juices: [], outcomes: [])]
        #expect(try read(bare).all("svg").isEmpty)
        bare.runs = []
        #expect(try read(bare).all("svg").isEmpty)
    }

    @Test func `two pages of one result are the same bytes`() throws {
        let pages = try (0..<2).map { _ in try result(Self.restocked, vary: "makers", [1, 2]).report().html() }
        #expect(pages[0] == pages[1])
    }

    @Test(arguments: [(100, 5), (2, 64), (10_000, 2)])
    func `the page stays small and says what it leaves out`(settings: Int, fruits: Int) throws {
        let names = (0..<fruits).map { "fruit \($0)" }
        let json = """
            {"fruits": {\(names.map { "\"\($0)\": {\"initial\": 1000}" }.joined(separator: ","))},
             "menu": {"all": {"recipe": {\(names.map { "\"\($0)\": 1" }.joined(separator: ","))}}}}
            """
        var result = try result(json, replications: 2, hours: 8)
        var outcomes = result.runs[0].outcomes
        var charts = try #require(outcomes[0].charts)
        // Levels that are as long to draw as they can be.
        let looked = try #require(charts.levels).fruits
        charts.levels?.fruits = looked.map { fruit in
            var fruit = fruit
            fruit.reorderPoint = 500
            fruit.levels = (0..<1200).map { $0 * 7919 % 1000 }
            return fruit
        }
        outcomes[0].charts = charts
        var run = SimulationResult.Run(set: [], names: result.runs[0].names, juices: [], outcomes: outcomes)
        result.runs = (0..<settings).map {
            run.set = [.init(key: "makers", value: .integer(Int64($0)))]
            return run
        }
        let verdicts = try result.runs.map {
            Verdict(try #require(Expectation("wait.p95 < 0")), found: $0.metric("wait.p95"), setting: "x")
        }
        var report = result.report()
        report.verdicts = verdicts
        let page = report.html()
        #expect(page.utf8.count < 4_000_000)
        let reading = try #require(PageReading(page))
        let remarks = reading.all("p").map(\.text).filter { $0.hasPrefix("Only ") }
        #expect(remarks.contains { $0.contains("plots of levels") })
        #expect(remarks.contains { $0.contains("settings") } == (settings > Plot.styles))
        #expect(reading.all("svg").filter { $0.attributes["role"] == "img" }.count <= 30)
    }
}
