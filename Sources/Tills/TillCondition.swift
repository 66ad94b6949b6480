import TextFormats

/// What a line must have in a column to count: `COLUMN=VALUE` or `COLUMN!=VALUE`.
package struct TillCondition: Equatable, Sendable {
    package let text: String
    package let column: String
    private let value: String
    private let isEqual: Bool

    /// What a condition looks like, in the words of an error message.
    package static let expectation = "COLUMN=VALUE or COLUMN!=VALUE"

    /// Returns nil if the text has no column or no sign.
    package init?(_ text: String) {
        guard let sign = text.firstIndex(of: "=") else { return nil }
        isEqual = !text[..<sign].hasSuffix("!")
        column = TillLines.spaced(String(isEqual ? text[..<sign] : text[..<sign].dropLast()))
        value = TillLines.plain(String(text[text.index(after: sign)...]))
        self.text = text
        guard !column.isEmpty else { return nil }
    }

    /// Whether a line with this text in the column counts. Upper and lower case are equal.
    func holds(_ text: String) -> Bool { (TillLines.plain(text) == value) == isEqual }
}

/// Recognises lines that are void, refunded or cancelled.
enum VoidLines {
    /// Whether a column says which lines are: by its name, as `Void?`, or as the status of the order.
    static func isColumn(_ name: String, _ texts: [String]) -> Bool {
        func isNamed(_ known: [String]) -> Bool {
            let words = ColumnNames.words(of: name)
            return known.contains { word in
                words.contains(word) || word.utf8.first! >= 0x80 && words.contains { $0.hasSuffix(word) }
            }
        }
        if isNamed(ColumnNames.status) || isNamed(ColumnNames.type) && texts.contains(where: says) {
            return texts.allSatisfy { $0.contains(where: \.isLetter) }
        }
        let isOther = ["amount", "reason", "by", "qty", "quantity", "policy"] + ColumnNames.money
        guard ColumnNames.has(ColumnNames.void, name), !ColumnNames.has(isOther, name) else { return false }
        var reader = TimeReader()
        return texts.allSatisfy { text in
            isYes(text) || isNo(text) || says(text) || reader.read(text)?.hasDate == true
        }
    }

    /// Whether a text in such a column marks its line.
    static func isMarked(_ text: String, in column: String) -> Bool {
        if says(text) { return true }
        guard ColumnNames.has(ColumnNames.void, column) else { return false }
        return !text.isEmpty && !isNo(text) && !ColumnNames.has(ColumnNames.notVoid, text)
    }

    /// Whether a text has a word such as "Cancelled", and none such as "not" or "partially".
    private static func says(_ text: String) -> Bool {
        let words = ColumnNames.words(of: text)
        let isTurned = words.contains { word in
            ColumnNames.notVoid.contains(word) || ColumnNames.notVoidParts.contains(where: word.contains)
                || ["un", "non", "partial"].contains(where: word.hasPrefix) && ColumnNames.has(ColumnNames.void, word)
        }
        return !isTurned && ColumnNames.has(ColumnNames.void, text)
    }

    private static let yes: Set<String> = [
        "true", "yes", "y", "1", "x", "t", "ja", "j", "oui", "o", "si", "sí", "sì", "s", "sim", "tak", "ano", "evet",
        "да",
        "예", "네", "是", "はい", "○", "✓",
    ]
    private static let no: Set<String> = [
        "", "false", "no", "n", "0", "f", "nein", "nee", "nej", "nei", "non", "não", "nao", "nie", "ne", "hayır", "нет",
        "아니오", "아니요", "否", "いいえ", "×", "none", "null", "-", "n/a", "nan",
    ]

    private static func isYes(_ text: String) -> Bool { yes.contains(TillLines.plain(text)) }
    private static func isNo(_ text: String) -> Bool { no.contains(TillLines.plain(text)) }
}
