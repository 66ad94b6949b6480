import JuiceStand

/// Horizontal bars with their names above them, as inline SVG that ``HTMLPage`` styles.
package struct BarChart {
    package struct Bar: Equatable, Sendable {
        package var name: String
        package var value: Double
        /// The interval around the value; nil draws none.
        package var interval: ClosedRange<Double>?
        /// The text after the name.
        package var label: String

        package init(name: String, value: Double, interval: ClosedRange<Double>? = nil, label: String) {
            self.name = name
            self.value = value
            self.interval = interval
            self.label = label
        }
    }

    package var title: String
    package var description: String
    package var caption: String
    /// The measured quantity and its unit.
    package var unit: String
    package var bars: [Bar]

    private static let width = 440.0
    private static let row = 34.0
    private static let top = 4.0
    private static let margin = 8.0
    /// The number of characters that fit above a bar, including its label.
    private static let room = 58

    package init(_ title: String, description: String, caption: String = "", unit: String, bars: [Bar]) {
        self.title = title
        self.description = description
        self.caption = caption
        self.unit = unit
        self.bars = bars
    }

    /// A figure of a page.
    package func markup() -> Markup {
        let ends = bars.flatMap { [$0.interval?.lowerBound ?? $0.value, $0.interval?.upperBound ?? $0.value] }
        let axis = Axis(unit, min(0, ends.min() ?? 0)...max(0, ends.max() ?? 0), ticks: 5)
        let bottom = Self.top + Self.row * Double(bars.count)
        let ticks = axis.ticks.map { tick -> Markup in
            let x = Plot.number(Self.across(tick.value, axis))
            return """
                <path class="grid" d="M\(x) \(Plot.number(Self.top))V\(Plot.number(bottom + 4))"/>\
                <text x="\(x)" y="\(Plot.number(bottom + 17))" \
                text-anchor="\(Self.anchor(tick, axis))">\(tick.label)</text>

                """
        }
        let rows = bars.enumerated().map { Self.draw($1, axis, top: Self.top + Self.row * Double($0)) }
        return Plot.figure(
            title, description: description, caption: caption, width: Self.width, height: bottom + 38,
            """
            \(ticks)\(rows)<text x="\(Plot.number(Self.width / 2))" y="\(Plot.number(bottom + 34))" \
            text-anchor="middle">\(unit)</text>

            """)
    }

    /// The alignment that keeps the first and last labels within the drawing.
    private static func anchor(_ tick: Axis.Tick, _ axis: Axis) -> String {
        tick == axis.ticks.first ? "start" : tick == axis.ticks.last ? "end" : "middle"
    }

    private static func across(_ value: Double, _ axis: Axis) -> Double {
        margin + axis.fraction(of: value) * (width - 2 * margin)
    }

    private static func draw(_ bar: Bar, _ axis: Axis, top: Double) -> Markup {
        let (zero, end) = (across(0, axis), across(bar.value, axis))
        let most = max(8, room - bar.label.count)
        let name = bar.name.count > most ? bar.name.prefix(most - 1) + "…" : bar.name
        let whisker: Markup =
            bar.interval.map { interval in
                let y = Plot.number(top + 23)
                let (low, high) = (across(interval.lowerBound, axis), across(interval.upperBound, axis))
                let (up, down) = (Plot.number(top + 19), Plot.number(top + 27))
                let (from, to) = (Plot.number(low), Plot.number(high))
                return
                    "<path class=\"whisker s0\" d=\"M\(from) \(up)V\(down)M\(from) \(y)H\(to)M\(to) \(up)V\(down)\"/>"
            } ?? ""
        return """
            <g><title>\(bar.name): \(bar.label)</title>\
            <text class="label" x="\(Plot.number(margin))" y="\(Plot.number(top + 13))">\(name)</text>\
            <text x="\(Plot.number(width - margin))" y="\(Plot.number(top + 13))" text-anchor="end">\(bar.label)</text>\
            <rect class="bar s0" x="\(Plot.number(min(zero, end)))" y="\(Plot.number(top + 18))" \
            width="\(Plot.number(abs(end - zero)))" height="10"/>\(whisker)</g>

            """
    }
}
