import TextFormats

/// Decides which lines count, by their texts in a column.
struct RowFilter {
    let column: String
    private let counts: (String) -> Bool
    private var known = Memo<Bool>()

    /// - Parameter counts: Whether a line with a text counts.
    init(column: String, counts: @escaping (String) -> Bool) {
        self.column = column
        self.counts = counts
    }

    /// Whether a line with this text counts.
    mutating func accepts(_ text: ArraySlice<UInt8>) -> Bool { known.value(of: text, counts) }
}

/// A condition that lines must meet to count: `COLUMN=VALUE` or `COLUMN!=VALUE`.
package struct TillCondition: Equatable, Sendable {
    package let text: String
    package let column: String
    private let value: String
    private let isEqual: Bool

    /// The forms of a condition, in the words of an error message.
    package static let expectation = "COLUMN=VALUE or COLUMN!=VALUE"

    /// Returns nil if the text has no column or no sign.
    package init?(_ text: String) {
        guard let sign = text.firstIndex(of: "=") else { return nil }
        isEqual = !text[..<sign].hasSuffix("!")
        column = String(isEqual ? text[..<sign] : text[..<sign].dropLast()).spaced
        value = String(text[text.index(after: sign)...]).plain
        self.text = text
        guard !column.isEmpty else { return nil }
    }

    /// Whether a line with this text in the column counts. Upper and lower case are equal.
    func holds(_ text: String) -> Bool { (text.plain == value) == isEqual }
}

extension RowFilter {
    /// Leaves out the lines that are void, refunded or cancelled according to a column.
    init(void column: String) {
        let isVoid = ColumnName(column).has(.void)
        self.init(column: column) { text in
            !Self.isVoid(text) && (!isVoid || text.isEmpty || WordList.no.contains(text.plain) || Self.isTurned(text))
        }
    }

    /// Whether a column says which lines are void: by its name, as `Void?`, or as the status of the order.
    static func isVoid(_ name: ColumnName, _ texts: [String]) -> Bool {
        if name.says(.status) || name.says(.type) && texts.contains(where: isVoid) {
            return texts.allSatisfy { $0.contains(where: \.isLetter) }
        }
        guard name.has(.void), !name.has(.noVoid), !name.has(.money) else { return false }
        var reader = TimeReader()
        return texts.allSatisfy { text in
            WordList.yes.contains(text.plain) || WordList.no.contains(text.plain) || isVoid(text)
                || reader.read(text)?.hasDate == true
        }
    }

    /// Whether a text has a word such as "Cancelled", and none such as "not" or "partially".
    private static func isVoid(_ text: String) -> Bool { ColumnName(text).has(.void) && !isTurned(text) }

    private static func isTurned(_ text: String) -> Bool {
        ColumnName(text).words.contains { word in
            WordList.notVoid.contains(word) || WordList.notVoidPart.list.contains(where: word.contains)
                || ["un", "non", "partial"].contains(where: word.hasPrefix) && ColumnName(word).has(.void)
        }
    }
}
