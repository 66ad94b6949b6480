import TextFormats

/// The characters that a display draws with: Unicode, or ASCII if the locale has nothing else.
package struct Glyphs: Sendable {
    let rule: Character
    /// The first character of the rule above the part that keys scroll.
    let chosen: Character
    let full: Character
    /// The parts of a full cell, from an eighth to seven eighths.
    let parts: [Character]
    let empty: Character
    let reorder: Character
    let low: Character
    /// The heights of a sparkline, from the least to the most.
    let spark: [Character]
    let cut: Character
    let times: String
    /// A customer in the queue.
    let person: Character
    let isASCII: Bool

    package static let unicode = Glyphs(
        rule: "─", chosen: "▸", full: "█", parts: Array("▏▎▍▌▋▊▉"), empty: "·", reorder: "╎", low: "┃",
        spark: Array("▁▂▃▄▅▆▇█"), cut: "…", times: "×", person: "☻", isASCII: false)

    package static let ascii = Glyphs(
        rule: "-", chosen: ">", full: "#", parts: [], empty: ".", reorder: "|", low: "!", spark: Array("_.-=+*#@"),
        cut: ">", times: "x", person: "o", isASCII: true)

    /// Text as the terminal can show it: in ASCII, one character for each column.
    func showable(_ text: String) -> String {
        guard isASCII, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.map { character in
            if character.isASCII { return String(character) }
            if character == "×" { return times }
            if let arrow = Self.arrows[character] { return arrow }
            return String(repeating: "?", count: TextWidth.columns(of: character))
        }.joined()
    }

    /// A fruit in two columns, on its colour: its picture, or the first letter if the terminal can't show that.
    func face(_ shelf: StandView.Shelf) -> StyledText {
        let face = shelf.entry.face
        let picture = face.plainPicture.visible
        let text = TextWidth.columns(of: picture) == 2 && !isASCII ? picture : String(shelf.name.prefix(1)).uppercased()
        // The cube of 6 × 6 × 6 colours begins at 16.
        let colour = face.components.reduce(0) { $0 * 6 + ($1 * 5 + 127) / 255 } + 16
        let style = TextStyle.face(colour, isDark: face.labelColour == "#ffffff")
        return StyledText(showable(text).left(2, mark: " "), style)
    }

    private static let arrows: [Character: String] = ["→": "->", "↑": "Up", "↓": "Down"]

    /// A share from 0 to 1; 0 for a NaN.
    private static func bounded(_ share: Double) -> Double { share > 0 ? min(share, 1) : 0 }

    /// A bar of `width` cells, filled to `share`, with marks at other shares.
    func bar(_ share: Double, width: Int, reorder: Double?, low: Double?, _ style: TextStyle) -> StyledText {
        let eighths = Int((Self.bounded(share) * Double(width) * 8).rounded())
        // A short bar has no marks, because they could hardly be told apart.
        func cell(_ share: Double?) -> Int? {
            guard width >= 10, let share else { return nil }
            return min(width - 1, Int(Self.bounded(share) * Double(width)))
        }
        let reorderCell = cell(reorder)
        let lowCell = cell(low)
        var line = StyledText()
        for column in 0..<width {
            if column == lowCell {
                line.append(String(self.low), .bad)
            } else if column == reorderCell {
                line.append(String(self.reorder), .warning)
            } else if eighths >= 8 * (column + 1) || (parts.isEmpty && eighths > 8 * column) {
                line.append(String(full), style)
            } else if eighths > 8 * column {
                line.append(String(parts[eighths - 8 * column - 1]), style)
            } else {
                line.append(String(empty), .dim)
            }
        }
        return line
    }

    /// One character for each sample, as high as its share of `most`.
    func sparkline(_ samples: [Double?], most: Double) -> String {
        String(
            samples.map { sample in
                guard let sample else { return " " }
                let share = most > 0 ? Self.bounded(sample / most) : 0
                return spark[min(spark.count - 1, Int(share * Double(spark.count)))]
            })
    }
}
