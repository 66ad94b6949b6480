import TextFormats

/// A result as a document for people. ``text(width:height:isVerbose:isColored:)`` and ``html()`` render it.
///
/// The parts are in reading order: the question, reasons to distrust the answer, the answer, the details.
package struct Report: Sendable {
    package var title: String
    /// How the result was computed, in a few words.
    package var about: String
    /// The answer in a sentence or two; may be empty.
    package var headline = ""
    /// Errors of the program, and interruptions.
    package var alarms: [String] = []
    /// Remarks on how far the figures can be trusted.
    package var notes: [String] = []
    /// The results of expectations.
    package var verdicts: [Verdict] = []
    package var sections: [Section] = []
    /// The name of the data that verbose text and JSON have in full.
    package var details = "All metrics"

    package init(title: String, about: String = "") {
        self.title = title
        self.about = about
    }

    package struct Verdict: Equatable, Sendable {
        package var isMet: Bool
        /// The expectation; the same for its verdicts on several settings.
        package var subject: String
        package var message: String

        package init(isMet: Bool, subject: String, message: String) {
            self.isMet = isMet
            self.subject = subject
            self.message = message
        }
    }

    /// Where a section is shown.
    package enum Audience: Sendable {
        /// In text and on pages.
        case everybody
        /// In verbose text and on pages.
        case curious
        /// In text only, because a page has more.
        case terminal
        /// On pages only, because it has plots or is too long for a terminal.
        case page
    }

    package struct Section: Sendable {
        /// Empty for none.
        package var title: String
        package var audience: Audience
        package var blocks: [Block]
    }

    package indirect enum Block: Sendable {
        case paragraph(String)
        case list([String])
        /// A few results, the most important first.
        case figures([Figure])
        case table(Table)
        /// On pages only; small plots stand three in a row.
        case plots([Markup], areSmall: Bool = false)
        case code(String)
        /// Blocks that a page opens on a click, and that text prints below the title.
        case folded(String, isOpen: Bool = false, [Block])
        /// A target for the links of a page, by its name.
        case place(String, [Block])
    }

    package typealias Figure = (name: String, value: String)

    /// Whether some sections appear only in verbose text, however large the screen is.
    package var isShortened: Bool { sections.contains { $0.audience == .curious } }

    /// The verdicts to show. If there are more than `most`, those that failed come first.
    func verdicts(most: Int) -> [Verdict] {
        verdicts.count > most ? verdicts.filter { !$0.isMet } + verdicts.filter(\.isMet) : verdicts
    }

    /// Adds a section if it has any block.
    package mutating func add(_ title: String, for audience: Audience = .everybody, _ blocks: [Block]) {
        guard !blocks.isEmpty else { return }
        sections.append(Section(title: title, audience: audience, blocks: blocks))
    }

    /// A remark that only `shown` of `all` entries are shown; empty if all are.
    package static func leftOut(_ shown: Int, of all: Int, _ things: String, elsewhere: String) -> [Block] {
        guard shown < all else { return [] }
        let counts = "\(Columns.grouped(shown)) of \(Columns.grouped(all))"
        return [.paragraph("Only \(counts) \(things) are shown here; \(elsewhere).")]
    }
}

extension Report {
    package struct Table: Sendable {
        /// The caption on pages, also for screen readers.
        package var caption: String
        package var columns: [String]
        /// The number of leading columns that name the row.
        package var headings: Int
        /// Further columns that have texts and no figures.
        package var texts: Set<Int>
        package var rows: [Row]
        /// The plural noun for the rows, such as `settings`.
        package var things = "rows"
        /// Row indices, the most important first; empty for the order of the table. On a short screen, text shows only
        /// the first of these rows.
        package var ranking: [Int] = []
        /// The number of trailing columns that text leaves out if the table is too wide.
        package var extras = 0

        package init(
            _ caption: String = "", columns: [String], headings: Int = 1, texts: Set<Int> = [], rows: [Row] = []
        ) {
            self.caption = caption
            self.columns = columns
            self.headings = headings
            self.texts = texts
            self.rows = rows
        }

        /// Indices of the `most` best rows, in table order; of all rows if only one would be hidden.
        func places(most: Int) -> [Int] {
            // The line "… 1 more" would be as long as the row that it hides.
            guard rows.count - most > 1 else { return Array(rows.indices) }
            return (ranking.isEmpty ? Array(rows.indices) : ranking).prefix(most).sorted()
        }
    }

    package struct Row: Sendable {
        package var cells: [Cell]
        /// Whether the row is the answer.
        package var isMarked: Bool
        /// Whether text shows that the row fails an expectation.
        package var isFailed = false

        package init(_ cells: [Cell], isMarked: Bool = false) {
            self.cells = cells
            self.isMarked = isMarked
        }

        package init(texts: [String], isMarked: Bool = false) {
            self.init(texts.map { Cell($0) }, isMarked: isMarked)
        }

        /// The mark before the row in text; nil for none.
        var sign: String? { isMarked ? "▸" : isFailed ? "✗" : nil }
    }

    package struct Cell: Sendable, ExpressibleByStringLiteral {
        package var text: String
        /// A shorter text if the table would be too wide; nil keeps ``text``.
        package var brief: String?
        /// Small print below the text, on pages only; may be empty.
        package var small: String
        /// Whether the small print is statistically significant; pages show it in bold.
        package var isSure: Bool
        /// The bar below the text, on pages only.
        package var bar: Bar?
        /// The heat of a cell of a heat map, from 0 to 1; nil for other cells.
        package var heat: Double?
        /// The tooltip on pages.
        package var hint: String
        /// The name of the place on the page that the cell links to; nil for none.
        package var link: String?

        package init(
            _ text: String, brief: String? = nil, small: String = "", isSure: Bool = false, bar: Bar? = nil,
            heat: Double? = nil, hint: String = "", link: String? = nil
        ) {
            self.text = text
            self.brief = brief
            self.small = small
            self.isSure = isSure
            self.bar = bar
            self.heat = heat
            self.hint = hint
            self.link = link
        }

        package init(stringLiteral value: String) { self.init(value) }
    }

    /// A bar from 0 to a value, with the interval around the value, if any. All bars of a column share one scale.
    package typealias Bar = (value: Double, interval: ClosedRange<Double>?)
}

// MARK: - Lines of blocks

extension Report {
    /// Numbers as a line of blocks from 0 to the largest: `▁▃▅▇█`.
    package static func sparkline(_ values: [Double], mostColumns: Int = 16) -> String {
        let count = min(values.count, mostColumns)
        let most = max(values.max() ?? 0, .leastNormalMagnitude)
        let blocks = Array("▁▂▃▄▅▆▇█")
        return String(
            (0..<count).map { column in
                let value = values[count > 1 ? column * (values.count - 1) / (count - 1) : 0]
                return blocks[min(7, max(0, Int((value / most * 7).rounded())))]
            })
    }
}
