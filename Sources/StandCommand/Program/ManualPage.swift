import StandClient
import TextFormats

/// The manual page juicestand(1) in the macros of man(7), made of the tables of commands and options.
enum ManualPage {
    static let command = Command("man") { _, output throws(CommandFailure) in
        output.print(text)
        return .done
    }

    private static var text: String {
        var lines = [
            ".TH JUICESTAND 1 \(Program.released) \"juicestand \(Program.version)\" \"User Commands\"",
            ".SH NAME", "juicestand \\- runs and simulates a juice stand under load",
            ".SH SYNOPSIS", ".B juicestand", ".I COMMAND", ".RI [ OPTIONS ]",
            ".SH DESCRIPTION",
        ]
        lines += paragraphs(Program.notes)
        lines += [".SH COMMANDS"]
        for command in Program.commands { lines += section(command) }
        lines += [
            ".SS juicestand help [COMMAND|TOPIC]", "Prints the options and examples of a command, or a guide:",
        ]
        lines += HelpTopic.all.flatMap { [".TP", ".B \(escaped($0.name))", escaped($0.title)] }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func section(_ command: Command) -> [String] {
        let page = command.page
        var lines = [".SS \(escaped("juicestand \(page.usage)"))"] + filled(sentence(page.summary))
        if !page.discussion.isEmpty { lines += [".PP"] + paragraphs(page.discussion) }
        for option in command.options {
            lines.append(".TP")
            let name = ".BR \(escaped(option.name))"
            lines.append(option.placeholder.map { "\(name) \" \\fI\(escaped($0))\\fR\"" } ?? name)
            lines += filled(option.portableHelp)
        }
        for example in page.examples {
            lines +=
                [".PP"] + filled(sentence(example.purpose)) + [".PP", ".EX", escaped("    " + example.line), ".EE"]
        }
        return lines
    }

    /// Paragraphs and tables of a help text; see ``HelpText/lines(of:)``.
    private static func paragraphs(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            if line.isEmpty { return [".PP"] }
            guard line.hasPrefix(" ") else { return filled(String(line)) }
            let parts = line.split(separator: " ", maxSplits: 1)
            return [".TP", ".B \(escaped(String(parts[0])))"] + filled(String(parts.dropFirst().first ?? ""))
        }
    }

    /// The text with a capital letter and a full stop.
    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix("?") ? "" : ".")
    }

    /// Lines of text, which roff joins again.
    private static func filled(_ text: String) -> [String] {
        Columns.flow(escaped(text), width: 78).map { $0.hasPrefix(".") ? "\\&" + $0 : $0 }
    }

    /// The text escaped for roff, in ASCII.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "'": escaped += "\\(aq"
            case "`": escaped += "\\(ga"
            case "\"": escaped += "\\(dq"
            case "^": escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            case "…": escaped += "..."
            case "±": escaped += "\\(+-"
            case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
            default: escaped += "\\[u\(String(scalar.value, radix: 16, uppercase: true))]"
            }
        }
        return escaped
    }
}

extension CommandOption {
    /// The help text without what depends on this machine.
    fileprivate var portableHelp: String {
        help.replacing(StandSocket.standardPath, with: "$XDG_RUNTIME_DIR/juicestand.sock")
    }
}
