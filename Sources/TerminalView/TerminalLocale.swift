import Platform

/// What the terminal's user has set about language and signs: the variables of POSIX.
package struct TerminalLocale: Equatable, Sendable {
    /// Such as `ko`; nil in the locale of C.
    package let language: String?
    /// Whether signs beyond ASCII can be shown.
    package let isUTF8: Bool

    package init(_ variable: (String) -> String? = Self.variable) {
        func first(_ names: [String]) -> String { names.lazy.compactMap(variable).first { !$0.isEmpty } ?? "C" }
        let messages = first(["LC_ALL", "LC_MESSAGES", "LANG"]).prefix { $0 != "_" && $0 != "." && $0 != "@" }
        language = messages == "C" || messages == "POSIX" ? nil : String(messages)
        let set = first(["LC_ALL", "LC_CTYPE", "LANG"]).lowercased()
        isUTF8 = set.contains("utf-8") || set.contains("utf8")
    }

    private static func variable(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
