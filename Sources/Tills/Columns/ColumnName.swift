import TextFormats

/// The name of a column, or another short text, as words that can be compared with those of tills.
struct ColumnName {
    /// The letters and digits, in lower case.
    let plain: String
    /// The words of a name such as `Lineitem quantity`, `transaction_qty` or `orderDate`, in lower case.
    let words: [String]

    init(_ name: String) {
        plain = String(name.lowercased().filter { $0.isLetter || $0.isNumber })
        var words = [""]
        var wasLower = false
        for character in name {
            let isPart = character.isLetter || character.isNumber
            if !isPart || wasLower && character.isUppercase { words.append("") }
            if isPart { words[words.count - 1] += character.lowercased() }
            wasLower = character.isLowercase
        }
        self.words = words.filter { !$0.isEmpty }
    }

    /// Whether the name has a word of a list: as a whole, or as a part if it is long.
    func has(_ list: WordList) -> Bool {
        list.list.contains { words.contains($0) || $0.utf8.count > 3 && plain.contains($0) }
    }

    /// Whether the name has a word: as a whole, or at the end in languages that join words.
    func says(_ word: String) -> Bool { words.contains(word) || word.utf8.first! >= 0x80 && plain.hasSuffix(word) }

    func says(_ list: WordList) -> Bool { list.list.contains(where: says) }
}

extension String {
    /// The text without differences of spelling: in lower case, with single spaces.
    package var plain: String { spaced.lowercased() }

    /// The text with single spaces.
    var spaced: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
