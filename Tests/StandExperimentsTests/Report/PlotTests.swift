import Reports
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PlotTests {
    private func plot(title: String = "Levels", series: [String] = [], to most: Double = 100) -> Plot {
        Plot(
            title, description: "from 10 to 90", caption: "pieces", series: series,
            x: Axis("hours", 0...8, isExtended: false), y: Axis("pieces", 0...most))
    }

    private func read(_ plot: Plot) throws -> PageReading {
        try #require(PageReading(HTMLPage.source(title: "", body: plot.markup())))
    }

    /// The numbers in the path of the only mark of a class.
    private func path(_ name: String, of plot: Plot) throws -> [Double] {
        let paths = try read(plot).all("path").filter { $0.attributes["class"]?.hasPrefix(name) ?? false }
        let path = try #require(paths.first?.attributes["d"])
        #expect(paths.count == 1)
        return path.split { !$0.isNumber && $0 != "." && $0 != "-" }.compactMap { Double($0) }
    }

    @Test func `a line goes through its points in proportion`() throws {
        var plot = plot()
        plot.addLine([(0, 0), (4, 50), (8, 100)])
        let numbers = try path("line", of: plot)
        #expect(numbers.count == 6)
        #expect(abs(numbers[2] - (numbers[0] + numbers[4]) / 2) <= 0.1)
        #expect(abs(numbers[3] - (numbers[1] + numbers[5]) / 2) <= 0.1)
        #expect(numbers[0] < numbers[4] && numbers[1] > numbers[5], "right and up")
    }

    @Test func `values outside the axes are drawn at the edge`() throws {
        var plot = plot()
        plot.addLine([(-10, -1e300), (100, 1e300)])
        let numbers = try path("line", of: plot)
        var inside = self.plot()
        inside.addLine([(0, 0), (8, 100)])
        #expect(try path("line", of: inside) == numbers)
    }

    @Test func `crowded steps show their highest and lowest values`() throws {
        var levels = Array(repeating: 50.0, count: 100_000)
        levels[31_007] = 0
        levels[77_123] = 100
        var plot = plot()
        plot.addSteps(levels, step: 8 / 100_000)
        var edge = self.plot()
        edge.addLine([(0, 0), (8, 100)])
        let corners = try path("line", of: edge)
        let numbers = try path("line thin", of: plot)
        #expect(numbers.contains(corners[1]) && numbers.contains(corners[3]))
        #expect(numbers.count < 20)
    }

    @Test func `the size of the markup is bounded for any number of steps`() {
        var plot = plot()
        plot.addSteps((0..<200_000).map { Double($0 % 101) }, step: 8 / 200_000)
        #expect(plot.markup().source.utf8.count < 30_000)
    }

    @Test func `an interval is symmetrical`() throws {
        var plot = plot()
        plot.addPoint((4, 50), interval: 25...75, label: "")
        let numbers = try path("whisker", of: plot)
        // M from low H to, M x low V high, M from high H to.
        var edge = self.plot()
        edge.addLine([(0, 25), (4, 75)])
        let ends = try path("line", of: edge)
        #expect(numbers[1] == ends[1] && numbers[4] == ends[1])
        #expect(numbers[5] == ends[3] && numbers[7] == ends[3])
        #expect(numbers[3] == ends[2])
    }

    @Test func `a bar stands on the axis and reaches its value`() throws {
        var plot = plot()
        plot.addBar(2...6, to: 50, label: "half")
        plot.addLine([(2, 0), (6, 50)])
        let reading = try read(plot)
        let bar = try #require(reading.all("rect").first)
        let places = try ["x", "y", "width", "height"].map { try #require(Double(bar.attributes[$0] ?? "")) }
        let line = try path("line", of: plot)
        #expect(places[0] == line[0] && abs(places[0] + places[2] - line[2]) <= 0.11)
        #expect(places[1] == line[3] && abs(places[1] + places[3] - line[1]) <= 0.11)
        #expect(reading.all("title").contains { $0.text == "half" })
    }

    @Test func `a plot has a title, a description, and names for its axes and series`() throws {
        var plot = plot(title: "<b>", series: ["makers=1", "makers=2"])
        plot.addPoint((1, 1), label: "one", style: 1)
        let reading = try read(plot)
        let drawing = try #require(reading.all("svg").first { $0.attributes["role"] == "img" })
        #expect(Array(reading.children(of: drawing).map(\.text).prefix(2)) == ["<b>", "from 10 to 90"])
        #expect(Array(reading.children(of: drawing).map(\.name).prefix(2)) == ["title", "desc"])
        #expect(reading.all("text").map(\.text).suffix(2) == ["hours", "pieces"])
        #expect(reading.all("li").map(\.text) == ["makers=1", "makers=2"])
    }

    @Test func `series differ by more than their colour`() throws {
        let series = (0..<Plot.styles).map { "\($0)" }
        let reading = try read(plot(series: series))
        let shapes = reading.all("path").filter { $0.attributes["class"]?.hasPrefix("mark") ?? false }
        #expect(Set(shapes.compactMap { $0.attributes["d"] }).count == Plot.styles)
    }
}

@Suite(.timeLimit(.minutes(60)))
struct BarTests {
    @Test func `the bars of a column have one scale, start at 0, and negative ones extend to the left`() throws {
        var report = Report(title: "")
        let bars: [Report.Bar] = [(100, 90...110), (50, nil), (-50, nil)]
        report.add("", [.table(.init(columns: ["", "cost"], rows: bars.map { .init(["x", .init("y", bar: $0)]) }))])
        let reading = try #require(PageReading(report.html()))
        let places = reading.all("rect").filter { $0.attributes["class"] == "bar s0" }.map { bar in
            ["x", "width"].map { Double(bar.attributes[$0] ?? "") ?? .nan }
        }
        #expect(places.count == 3)
        #expect(places[0][0] == places[1][0])
        #expect(abs(places[0][1] - 2 * places[1][1]) <= 0.2)
        #expect(abs(places[2][0] + places[2][1] - places[0][0]) <= 0.11)
        #expect(abs(places[2][1] - places[1][1]) <= 0.11)
        let whisker = try #require(reading.all("path").first { $0.attributes["class"] == "whisker s0" })
        let ends = try #require(whisker.attributes["d"]).matches(of: /[MH]([\d.]+)/).compactMap { Double($0.1) }
        // From 90 to 110, of a scale from -50 to 110.
        #expect(ends == [87.5, 87.5, 100, 100], "\(ends)")
        #expect(reading.all("path").count == 1)
    }

    @Test func `a column of bars that are all 0 has none`() throws {
        var report = Report(title: "")
        report.add("", [.table(.init(columns: ["cost"], headings: 0, rows: [.init([.init("0", bar: (0, nil))])]))])
        #expect(try #require(PageReading(report.html())).all("rect").isEmpty)
    }
}
