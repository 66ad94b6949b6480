/// Text in columns: tables, paragraphs of a given width, and readable numbers.
package enum Columns {
    /// `text`, padded on the right to `width` terminal columns.
    package static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - self.width(of: text)))
    }

    /// `text`, padded on the left to `width` terminal columns.
    package static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - self.width(of: text))) + text
    }

    /// The width of the widest text in terminal columns; 0 for no texts.
    package static func width(of texts: some Sequence<String>) -> Int {
        texts.reduce(0) { max($0, width(of: $1)) }
    }

    /// The width of a text in terminal columns. Printing escapes hidden characters, so the escapes count.
    package static func width(of text: String) -> Int { TextWidth.columns(of: text.visibleLines) }

    /// Rows of cells in columns, each row indented and ended by a line feed.
    ///
    /// - Parameter texts: The number of columns that are aligned on the left. The columns after them have figures.
    package static func table(_ rows: [[String]], texts: Int = 1) -> String {
        table(rows, texts: Set(0..<texts), margin: "  ").map { $0 + "\n" }.joined()
    }

    /// Rows of cells in columns, as lines without spaces at their ends.
    ///
    /// - Parameters:
    ///   - rows: All rows, with equal numbers of cells.
    ///   - texts: The number of columns that are aligned on the left; nil for all. The columns after them have figures.
    ///   - width: The most terminal columns. A wider table goes on below, with its first column again.
    package static func table(
        _ rows: [[String]], texts: Set<Int>?, margin: String = "", width: Int = .max
    ) -> [String] {
        guard let first = rows.first else { return [] }
        let widths = first.indices.map { column in self.width(of: rows.map { $0[column] }) }
        var lines: [String] = []
        var rest = widths.indices.dropFirst()
        repeat {
            var columns = [0]
            var total = margin.count + widths[0]
            while let next = rest.first, columns == [0] || total + 2 + widths[next] <= width {
                total += 2 + widths[next]
                columns.append(rest.removeFirst())
            }
            lines += rows.map { row in
                let cells = columns.map {
                    texts?.contains($0) ?? true ? left(row[$0], widths[$0]) : right(row[$0], widths[$0])
                }
                let line = margin + cells.joined(separator: "  ")
                return String(line.prefix(through: line.lastIndex { $0 != " " } ?? line.startIndex))
            }
        } while !rest.isEmpty
        return lines
    }

    /// The words of a paragraph in lines of at most `width` columns; a longer word has a line of its own.
    ///
    /// - Parameters:
    ///   - first: The beginning of the first line, such as a name.
    ///   - rest: The beginning of every other line.
    package static func flow(
        _ text: some StringProtocol, width: Int = 80, first: String = "", rest: String = ""
    ) -> [String] {
        var lines: [String] = []
        var line = first
        var hasWord = false
        for word in text.split(separator: " ") {
            if hasWord, self.width(of: line) + 1 + self.width(of: String(word)) > width {
                lines.append(line)
                line = rest
                hasWord = false
            }
            line += (hasWord ? " " : "") + word
            hasWord = true
        }
        return hasWord || !first.isEmpty ? lines + [line] : lines
    }

    /// A whole number with its digits grouped: `21,293`.
    package static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var groups: [Substring] = []
        var end = digits.endIndex
        while let start = digits.index(end, offsetBy: -3, limitedBy: digits.startIndex), start > digits.startIndex {
            groups.insert(digits[start..<end], at: 0)
            end = start
        }
        groups.insert(digits[..<end], at: 0)
        return (number < 0 ? "-" : "") + groups.joined(separator: ",")
    }

    /// A whole number with leading zeros up to `width` digits: `007`.
    package static func zeroPadded(_ number: some BinaryInteger, _ width: Int, radix: Int = 10) -> String {
        let digits = String(number, radix: radix)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// A whole number and its noun: `1 order`, `2,000 orders`.
    ///
    /// - Parameter plural: The plural of `noun`; nil adds an s.
    package static func counted(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
        counted(Double(number), noun, plural)
    }

    /// A mean and its noun: `1 order`, `1.5 orders`. Unlike in a column, zeros at the end of the decimals are left out.
    package static func counted(_ number: Double, _ noun: String, _ plural: String? = nil) -> String {
        "\(factor(number)) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    /// A number for people: whole numbers grouped, others with six significant digits.
    package static func readable(_ number: Double) -> String {
        if number == number.rounded(), abs(number) < 1e15 { return grouped(Int(number)) }
        return significant(number, decimals: 5, least: 1)
    }

    /// A measured number for people: whole numbers grouped, others with three significant digits.
    package static func rounded(_ number: Double) -> String {
        number == number.rounded() ? readable(number) : significant(number, decimals: 2, least: 0)
    }

    /// - Parameters:
    ///   - decimals: The decimals of a number from 1 to 10. A smaller number has more, a larger one fewer.
    ///   - least: The fewest decimals.
    private static func significant(_ number: Double, decimals: Int, least: Int) -> String {
        guard abs(number) >= 1e-6, abs(number) < 1e9 else { return plain(number) }
        var decimals = decimals
        var size = abs(number)
        while size < 1 {
            size *= 10
            decimals += 1
        }
        while size >= 10, decimals > least {
            size /= 10
            decimals -= 1
        }
        return fixed(number, decimals: decimals)
    }

    /// A share in per cent: `12.5%`.
    package static func percent(_ share: Double, decimals: Int = 1) -> String {
        fixed(100 * share, decimals: decimals) + "%"
    }

    /// The half-width, or 0 if it is only a rounding error of its mean.
    package static func withoutNoise(_ halfWidth: Double, beside mean: Double) -> Double {
        halfWidth > 1e-12 * max(1, abs(mean)) ? halfWidth : 0
    }

    /// A factor without trailing zeros: `2`, `0.5`, `1,048,576`, `0.001`.
    package static func factor(_ number: Double) -> String {
        var text = readable(number)
        guard text.contains("."), !text.contains("e") else { return text }
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }

    /// The shortest decimal number that gives this `Double`; a word for an infinite one or a NaN.
    private static func plain(_ number: Double) -> String {
        if number.isNaN { return "no number" }
        return number.isFinite ? "\(number)" : number < 0 ? "-infinite" : "infinite"
    }

    /// A number with exactly `decimals` decimals, rounded to nearest. A number with too many digits is written with an
    /// exponent, and an infinite one or a NaN as a word.
    package static func fixed(_ number: Double, decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (abs(number) * scale).rounded()
        guard scaled < 0x1p63 else { return plain(number) }
        let whole = (scaled / scale).rounded(.down)
        let sign = number < 0 && scaled > 0 ? "-" : ""
        let head = sign + grouped(Int(whole))
        guard decimals > 0 else { return head }
        return head + "." + zeroPadded(Int(scaled - whole * scale), decimals)
    }
}
