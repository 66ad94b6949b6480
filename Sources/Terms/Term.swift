import EmbeddedFiles

/// A text in each language of the program.
///
/// `terms.tsv` has all of them: those of the page, of the terminal and of the command line.
package struct Term: Sendable {
    package let key: String
    package let english: String
    package let korean: String
    /// Whether the page uses the text.
    package let isOnPage: Bool

    /// All terms, in the order of the list. A line that begins with `#` says where the terms below it are used.
    package static let all: [Term] = {
        var terms: [Term] = []
        var isOnPage = false
        for line in EmbeddedFile("terms.tsv").text.split(separator: "\n") {
            guard !line.hasPrefix("#") else {
                isOnPage = line.hasPrefix("# Page")
                continue
            }
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            precondition(parts.count == 3, "a term needs a key, English and Korean: \(line)")
            terms.append(Term(key: parts[0], english: parts[1], korean: parts[2], isOnPage: isOnPage))
        }
        return terms
    }()

    private static let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })

    package static func has(_ key: String) -> Bool { byKey[key] != nil }

    package static subscript(key: String) -> Term {
        guard let term = byKey[key] else { preconditionFailure("terms.tsv has no \(key)") }
        return term
    }
}
