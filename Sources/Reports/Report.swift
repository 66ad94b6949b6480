import TextFormats

/// What a result says to people. ``text(width:height:isVerbose:isColored:)`` and ``html()`` render it.
///
/// The order is that of reading: what was asked, what speaks against trusting it, the answer, then the details.
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
    /// What verbose text and JSON have in full.
    package var details = "All metrics"

    package init(title: String, about: String = "") {
        self.title = title
        self.about = about
    }

    package struct Verdict: Equatable, Sendable {
        package var isMet: Bool
        /// What is expected. Verdicts on several settings have it in common.
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
        /// What a page shows on a click, and text below the title.
        case folded(String, isOpen: Bool = false, [Block])
        /// What links of a page lead to by its name.
        case place(String, [Block])
    }

    package typealias Figure = (name: String, value: String)

    /// Whether text that is not verbose leaves out sections, however large the screen is.
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

    /// A remark that only some are shown; nothing if all are.
    package static func leftOut(_ shown: Int, of all: Int, _ things: String, elsewhere: String) -> [Block] {
        guard shown < all else { return [] }
        let counts = "\(Columns.grouped(shown)) of \(Columns.grouped(all))"
        return [.paragraph("Only \(counts) \(things) are shown here; \(elsewhere).")]
    }
}

extension Report {
    package struct Table: Sendable {
        /// What the table shows, on pages and for screen readers.
        package var caption: String
        package var columns: [String]
        /// The number of leading columns that name the row.
        package var headings: Int
        /// Further columns that have texts and no figures.
        package var texts: Set<Int>
        package var rows: [Row]
        /// What the rows are.
        package var things = "rows"
        /// The places of the rows, the most important first; empty for their own order. Where the screen is too short for
        /// all rows, text shows the first of them.
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

        /// The places of about as many rows as `most`, in the order of the table.
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

        /// What stands before the row in text; nil for nothing.
        var sign: String? { isMarked ? "▸" : isFailed ? "✗" : nil }
    }

    package struct Cell: Sendable, ExpressibleByStringLiteral {
        package var text: String
        /// The text where the table would be too wide; nil for the same.
        package var brief: String?
        /// On pages below the text, in small print; may be empty.
        package var small: String
        /// Whether the small print is more than chance.
        package var isSure: Bool
        /// On pages below the text.
        package var bar: Bar?
        /// From 0 to 1, for a cell of a heat map; nil for none.
        package var heat: Double?
        /// On pages where the reader points at it.
        package var hint: String
        /// The name of the place on the page to which it leads; nil for none.
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

    /// A bar from 0 to a value, with the interval around it; nil for none. All bars of a column have one scale.
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
