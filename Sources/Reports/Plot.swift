import JuiceStand

/// A plot as inline SVG that ``HTMLPage`` styles.
///
/// Marks are drawn in the order of adding. A series has a style, counted from 0: its colour, its dashes and the shape
/// of its points. So nothing depends on colour alone.
package struct Plot {
    /// The number of styles. Further series repeat them.
    package static let styles = 6

    package var title: String
    /// The plot in words and figures, for screen readers.
    package var description: String
    /// The text below the title; may be empty.
    package var caption: String
    /// The names of the series, by style; may be empty for a single series.
    package var series: [String]
    /// An icon beside the title; may be empty.
    package var badge = Markup()
    package let x: Axis
    package let y: Axis
    private var marks = Markup()
    /// The meaning of each dashed line, for the caption.
    private var thresholds: [String] = []

    private static let width = 440.0
    private static let height = 250.0
    private let left: Double
    private let right = width - 14
    private let top = 12.0
    private let bottom = height - 40

    package init(_ title: String, description: String, caption: String = "", series: [String] = [], x: Axis, y: Axis) {
        self.title = title
        self.description = description
        self.caption = caption
        self.series = series
        self.x = x
        self.y = y
        let longest = y.ticks.map(\.label.count).max() ?? 0
        left = 26 + 7 * Double(longest)
    }

    /// The plot with its title, caption and key, as an HTML figure.
    package func markup() -> Markup {
        let key: Markup =
            series.isEmpty ? "" : "<ul class=\"key\">\(series.enumerated().map { Self.keyEntry($1, style: $0) })</ul>\n"
        let sentences = ([caption] + thresholds.map { "Dashed line: \($0)." }).filter { !$0.isEmpty }
        let explained: Markup = sentences.isEmpty ? "" : "<span>\(sentences.joined(separator: " "))</span>"
        return """
            <figure>
            \(badge)<figcaption>\(title)\(explained)</figcaption>
            \(key)<svg role="img" viewBox="0 0 \(Self.width) \(Self.height)">
            <title>\(title)</title><desc>\(description)</desc>
            \(grid)\(marks)\(frame)</svg>
            </figure>

            """
    }
}

// MARK: - Marks

extension Plot {
    package typealias Point = (x: Double, y: Double)

    package mutating func addLine(_ points: [Point], style: Int = 0) {
        guard let first = points.first else { return }
        let rest = points.dropFirst().map { "L\(place($0))" }.joined()
        marks += "<path class=\"line s\(style % Self.styles)\" d=\"M\(place(first))\(rest)\"/>\n"
    }

    /// The area between two lines, drawn more faintly than they are.
    package mutating func addBand(from low: [Point], to high: [Point]) {
        guard !low.isEmpty else { return }
        let outline = (high + low.reversed()).map(place).joined(separator: "L")
        marks += "<path class=\"band s0\" d=\"M\(outline)Z\"/>\n"
    }

    /// A step function: values from 0 on, `step` apart, each lasting until the next.
    ///
    /// If there are more values than columns, a vertical stroke shows the range of each column.
    ///
    /// - Complexity: O(*n*) for *n* values. The size of the markup is bounded by the width.
    package mutating func addSteps(_ values: [Double], step: Double) {
        guard let first = values.first else { return }
        var path = "M\(place(Point(0, first)))"
        // The column being drawn, in whole units of the drawing, and the values in it.
        var column = across(0).rounded()
        var low = first
        var high = first
        var last = first
        func finishColumn() {
            // Down, up, and back to the last value.
            if low < last || high > last { path += "V\(down(low))V\(down(high))V\(down(last))" }
        }
        for (index, value) in values.enumerated().dropFirst() {
            let next = across(Double(index) * step).rounded()
            if next > column {
                finishColumn()
                column = next
                if value != last { path += "H\(Self.number(column))V\(down(value))" }
                low = value
                high = value
                last = value
            } else {
                low = min(low, value)
                high = max(high, value)
                last = value
            }
        }
        finishColumn()
        path += "H\(Self.number(across(Double(values.count) * step)))"
        marks += "<path class=\"line thin s0\" d=\"\(path)\"/>\n"
    }

    /// A bar from 0 to `value`, with the interval around the value.
    package mutating func addBar(
        _ range: ClosedRange<Double>, to value: Double, interval: ClosedRange<Double>? = nil, label: String,
        style: Int = 0
    ) {
        let x = across(range.lowerBound)
        let y = vertical(value)
        marks += """
            <rect class="bar s\(style % Self.styles)" x="\(x)" y="\(y)" width="\(across(range.upperBound) - x)" \
            height="\(bottom - y)"><title>\(label)</title></rect>

            """
        addInterval(at: (range.lowerBound + range.upperBound) / 2, interval, style: style)
    }

    private mutating func addInterval(at x: Double, _ interval: ClosedRange<Double>?, style: Int) {
        guard let interval else { return }
        let x = across(x)
        let low = vertical(interval.lowerBound)
        let high = vertical(interval.upperBound)
        marks += """
            <path class="whisker s\(style % Self.styles)" \
            d="M\(x - 4) \(low)H\(x + 4)M\(x) \(low)V\(high)M\(x - 4) \(high)H\(x + 4)"/>

            """
    }

    /// A value with its mark and the interval around it.
    package mutating func addPoint(
        _ point: Point, interval: ClosedRange<Double>? = nil, label: String, style: Int = 0
    ) {
        addInterval(at: point.x, interval, style: style)
        marks += """
            <path class="mark s\(style % Self.styles)" transform="translate(\(place(point)))" \
            d="\(Self.shape(style))"><title>\(label)</title></path>

            """
    }

    /// A dashed horizontal line, which the caption explains: a label beside the line would cover data.
    package mutating func addThreshold(_ value: Double, label: String) {
        marks += "<path class=\"threshold\" d=\"M\(left) \(vertical(value))H\(right)\"/>\n"
        thresholds.append(label)
    }

    /// A grey background for part of the plot.
    package mutating func addShade(_ range: ClosedRange<Double>, label: String) {
        let x = across(range.lowerBound)
        marks += """
            <rect class="shade" x="\(x)" y="\(top)" width="\(across(range.upperBound) - x)" height="\(bottom - top)">\
            <title>\(label)</title></rect>

            """
    }
}

// MARK: - Places

extension Plot {
    /// A horizontal coordinate within the frame.
    private func across(_ x: Double) -> Double { left + clamped(self.x.fraction(of: x)) * (right - left) }

    /// A vertical coordinate within the frame.
    private func vertical(_ y: Double) -> Double { bottom - clamped(self.y.fraction(of: y)) * (bottom - top) }

    private func down(_ y: Double) -> String { Self.number(vertical(y)) }
    private func place(_ point: Point) -> String { "\(Self.number(across(point.x))) \(down(point.y))" }
    private func clamped(_ fraction: Double) -> Double { min(max(fraction, 0), 1) }

    /// A coordinate to a tenth, in its shortest form.
    static func number(_ value: Double) -> String {
        let tenths = Int(nearest: value * 10)
        guard tenths % 10 != 0 else { return "\(tenths / 10)" }
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}

// MARK: - Frame and key

extension Plot {
    private var grid: Markup {
        let rows = y.ticks.map { tick -> Markup in
            let place = vertical(tick.value)
            return """
                <path class="grid" d="M\(left) \(place)H\(right)"/>\
                <text x="\(left - 6)" y="\(place)" dy="4" text-anchor="end">\(tick.label)</text>

                """
        }
        let columns = x.ticks.map { tick -> Markup in
            let place = across(tick.value)
            return """
                <path class="frame" d="M\(place) \(bottom)v4"/>\
                <text x="\(place)" y="\(bottom + 17)" text-anchor="middle">\(tick.label)</text>

                """
        }
        return "\(rows)\(columns)"
    }

    private var frame: Markup {
        // Longer titles do not fit beside the axis.
        let title = y.title.count > 34 ? y.title.prefix(33) + "…" : y.title
        return """
            <path class="frame" d="M\(left) \(top)V\(bottom)H\(right)"/>
            <text x="\((left + right) / 2)" y="\(Self.height - 6)" text-anchor="middle">\(x.title)</text>
            <text transform="translate(12 \((top + bottom) / 2)) rotate(-90)" text-anchor="middle">\(title)</text>

            """
    }

    /// The outline of a point's mark: circle, square, triangle, diamond, cross, bar.
    private static func shape(_ style: Int) -> String {
        switch style % styles {
        case 0: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z"
        case 1: "M-3.5 -3.5h7v7h-7z"
        case 2: "M0 -4.5L4.5 3.5H-4.5z"
        case 3: "M0 -5L5 0L0 5L-5 0z"
        case 4: "M-1.5 -4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z"
        default: "M-5 -2h10v4h-10z"
        }
    }

    private static func keyEntry(_ name: String, style: Int) -> Markup {
        """
        <li><svg viewBox="0 0 36 12" aria-hidden="true"><path class="line s\(style % styles)" d="M0 6H36"/>\
        <path class="mark s\(style % styles)" transform="translate(18 6)" d="\(shape(style))"/></svg>\(name)</li>
        """
    }
}
