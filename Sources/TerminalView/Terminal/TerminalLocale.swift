import Platform

/// The user's language and character set, from the variables of POSIX; `JUICESTAND_LANGUAGE` goes before them.
package struct TerminalLocale: Equatable, Sendable {
    /// A language tag such as `ko`; nil in the C locale.
    package let language: String?
    /// Whether the terminal can show Unicode.
    package let isUTF8: Bool

    package init(_ variable: (String) -> String? = environmentVariable) {
        func first(_ names: [String]) -> String { names.lazy.compactMap(variable).first { !$0.isEmpty } ?? "C" }
        let messages = first(["JUICESTAND_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"])
            .prefix { $0 != "_" && $0 != "." && $0 != "@" }
        language = messages == "C" || messages == "POSIX" ? nil : String(messages)
        let set = first(["LC_ALL", "LC_CTYPE", "LANG"]).lowercased()
        isUTF8 = set.contains("utf-8") || set.contains("utf8")
    }
}
