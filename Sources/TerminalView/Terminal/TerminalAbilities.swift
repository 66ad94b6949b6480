import Platform

/// The abilities of the terminal of standard output.
package enum TerminalAbilities {
    /// The smallest screen of a live display.
    private static let least = TerminalScreen.Size(columns: 20, rows: 5)

    /// Why a live display cannot run here; nil if it can.
    package static var obstacle: String? {
        guard isTerminal(1) else { return "standard output is not a terminal" }
        if environmentVariable("TERM") == "dumb" { return "the terminal cannot move its cursor (TERM=dumb)" }
        let size = TerminalScreen.size(1)
        guard size.columns >= least.columns, size.rows >= least.rows else {
            return "the terminal has \(size.columns) columns and \(size.rows) rows; "
                + "it needs at least \(least.columns) and \(least.rows)"
        }
        return nil
    }

    /// Whether `NO_COLOR` is unset or empty: see no-color.org.
    package static var hasColor: Bool { environmentVariable("NO_COLOR")?.isEmpty ?? true }

    /// Whether the terminal is known to make links of text (OSC 8). Others may show the address in the text instead.
    ///
    /// - Parameter variable: The value of a variable of the environment.
    package static func hasLinks(_ variable: (String) -> String? = environmentVariable) -> Bool {
        let kind = variable("TERM") ?? ""
        let program = variable("TERM_PROGRAM") ?? ""
        // Multiplexers stand between the program and the terminal, and pass on the terminal's variables.
        if kind.hasPrefix("screen") || kind.hasPrefix("tmux") || program == "tmux" {
            return program == "tmux" && atLeast(3, 4, variable("TERM_PROGRAM_VERSION"))
        }
        if ["alacritty", "contour", "foot", "ghostty", "kitty", "wezterm"].contains(where: { kind.contains($0) }) {
            return true
        }
        if ["iTerm.app", "WezTerm", "vscode", "ghostty", "rio", "Hyper"].contains(program) { return true }
        return ["WT_SESSION", "KONSOLE_VERSION", "DOMTERM"].contains { variable($0) != nil }
            || (variable("VTE_VERSION").flatMap { Int($0) } ?? 0) >= 5000
    }

    /// Whether a version such as `3.4a` is at least that one.
    private static func atLeast(_ major: Int, _ minor: Int, _ version: String?) -> Bool {
        let parts = (version ?? "").split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
        return parts.count > 1 && (parts[0], parts[1]) >= (major, minor)
    }
}
