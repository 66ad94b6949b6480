import StandService

/// What a shell can offer at one place of a command line.
enum Suggestion: Equatable {
    case nothing
    case files
    case folders
    case words([String])

    /// What a placeholder such as `FILE.html`, `DIR` or `text|json` stands for.
    init(placeholder: String) {
        let words = placeholder.split { !$0.isLetter || !$0.isASCII }.map(String.init).filter { $0 == $0.lowercased() }
        if placeholder == "PATH" || ["TARGET", "FILE", ".json"].contains(where: { placeholder.contains($0) }) {
            self = .files
        } else if placeholder == "DIR" {
            self = .folders
        } else if placeholder.contains("|"), words.contains(where: { $0.count > 1 }) {
            self = .words(words.filter { $0.count > 1 })
        } else {
            self = .nothing
        }
    }
}

/// The completions of the program, made of the tables of commands and options.
enum Completions {
    /// A command as a shell completes it.
    struct Entry {
        var name: String
        var summary: String
        var options: [Option]
        var operands: Suggestion
    }

    static var entries: [Entry] {
        let commands = Program.commands.map { command in
            Entry(
                name: command.name, summary: command.summary(.english), options: command.options + [.help],
                operands: Suggestion(placeholder: command.operands))
        }
        let topics = Program.commands.map { $0.name } + HelpTopic.all.map(\.name)
        return commands + [
            Entry(name: "help", summary: "prints help about a command or topic", options: [], operands: .words(topics))
        ]
    }
}

extension Option {
    /// What its value can be; nil for a flag.
    var suggestion: Suggestion? {
        guard let value else { return nil }
        return choices.isEmpty ? Suggestion(placeholder: value) : .words(choices)
    }

    /// The help text without what depends on this machine.
    var portableHelp: String {
        help.description.replacing(StandServer.standardSocket, with: "$XDG_RUNTIME_DIR/juicestand.sock")
    }

    /// Whether it may be given several times.
    var isRepeatable: Bool { help.description.contains("repeatable") }
}

// MARK: - bash

extension Completions {
    static var bash: String {
        var lines = [
            "# Completions of juicestand for bash, made by: juicestand completions bash",
            "_juicestand() {",
            "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}",
            "    local options= operands=@nothing values= IFS=$' \\t\\n'",
            "    # Bash splits --name=value at the equals sign.",
            "    if [[ $word == = ]]; then",
            "        word=",
            "    elif [[ $before == = ]]; then",
            "        before=${COMP_WORDS[COMP_CWORD - 2]}",
            "    fi",
            "    if ((COMP_CWORD == 1)); then",
            "        operands='\(entries.map(\.name).joined(separator: " "))'",
            "    else",
            "        case ${COMP_WORDS[1]} in",
        ]
        for entry in entries {
            lines.append("            \(entry.name))")
            lines.append("                options='\(entry.options.map(\.name).joined(separator: " "))'")
            lines.append("                operands='\(inBash(entry.operands))'")
            let valued = entry.options.filter { $0.value != nil }
            if !valued.isEmpty {
                lines.append("                case $before in")
                for option in valued {
                    lines.append("                    \(option.name)) values='\(inBash(option.suggestion!))' ;;")
                }
                lines.append("                esac")
            }
            lines.append("                ;;")
        }
        lines += [
            "        esac",
            "    fi",
            "    local offered=${values:-$operands}",
            "    if [[ -z $values && $word == -* ]]; then offered=$options; fi",
            "    case $offered in",
            "        @nothing) COMPREPLY=() ;;",
            "        @files | @folders)",
            "            local kind=-f",
            "            if [[ $offered == @folders ]]; then kind=-d; fi",
            "            compopt -o filenames 2>/dev/null",
            "            IFS=$'\\n'",
            "            COMPREPLY=($(compgen $kind -- \"$word\"))",
            "            ;;",
            "        *) COMPREPLY=($(compgen -W \"$offered\" -- \"$word\")) ;;",
            "    esac",
            "}",
            "complete -F _juicestand juicestand",
        ]
        return lines.map { $0 + "\n" }.joined()
    }

    private static func inBash(_ suggestion: Suggestion) -> String {
        switch suggestion {
        case .nothing: "@nothing"
        case .files: "@files"
        case .folders: "@folders"
        case .words(let words): words.joined(separator: " ")
        }
    }
}

// MARK: - zsh

extension Completions {
    static var zsh: String {
        var lines = [
            "#compdef juicestand",
            "# Completions of juicestand for zsh, made by: juicestand completions zsh",
            "_juicestand() {",
            "    local -a commands=(",
        ]
        lines += entries.map { "        \(quoted("\($0.name):\($0.summary)"))" }
        lines += [
            "    )",
            "    if ((CURRENT == 2)); then",
            "        _describe command commands",
            "        return",
            "    fi",
            "    shift words",
            "    ((CURRENT--))",
            "    case $words[1] in",
        ]
        for entry in entries {
            let specifications =
                entry.options.map { option in
                    let text = option.portableHelp.replacing("[", with: "\\[").replacing("]", with: "\\]")
                    let value = option.suggestion.map { inZsh($0, option.value!) } ?? ""
                    let name = option.name + (option.value == nil ? "" : "=")
                    return (option.isRepeatable ? "*" : "") + "\(name)[\(text)]\(value)"
                } + (entry.operands == .nothing ? [] : ["*" + inZsh(entry.operands, "operand")])
            lines.append("        \(entry.name))")
            lines.append("            _arguments \\")
            lines.append(specifications.map { "                \(quoted($0))" }.joined(separator: " \\\n"))
            lines.append("            ;;")
        }
        lines += [
            "    esac",
            "}",
            "# Also when the shell reads this as a script.",
            "if [[ $funcstack[1] == _juicestand ]]; then",
            "    _juicestand \"$@\"",
            "else",
            "    compdef _juicestand juicestand",
            "fi",
        ]
        return lines.map { $0 + "\n" }.joined()
    }

    /// The part of a specification of `_arguments` that describes a value.
    private static func inZsh(_ suggestion: Suggestion, _ placeholder: String) -> String {
        let action =
            switch suggestion {
            case .nothing: " "
            case .files: "_files"
            case .folders: "_files -/"
            case .words(let words): "(\(words.joined(separator: " ")))"
            }
        return ":\(placeholder.replacing(":", with: "\\:")):\(action)"
    }

    /// A word of the shell, also with quotation marks in it.
    private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: #"'\''"#))'" }
}

// MARK: - fish

extension Completions {
    static var fish: String {
        var lines = [
            "# Completions of juicestand for fish, made by: juicestand completions fish",
            "complete -c juicestand -f",
        ]
        for entry in entries {
            let about = quotedForFish(entry.summary)
            lines.append("complete -c juicestand -n __fish_use_subcommand -a \(entry.name) -d \(about)")
        }
        for entry in entries {
            let line = "complete -c juicestand -n '__fish_seen_subcommand_from \(entry.name)'"
            for option in entry.options {
                let value = option.suggestion.map { inFish($0, requires: true) } ?? ""
                lines.append("\(line) -l \(option.name.dropFirst(2))\(value) -d \(quotedForFish(option.portableHelp))")
            }
            if entry.operands != .nothing { lines.append(line + inFish(entry.operands, requires: false)) }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func inFish(_ suggestion: Suggestion, requires: Bool) -> String {
        switch suggestion {
        case .nothing: " -x"
        case .files: requires ? " -r -F" : " -F"
        case .folders: (requires ? " -x" : "") + " -a '(__fish_complete_directories)'"
        case .words(let words): (requires ? " -x" : "") + " -a '\(words.joined(separator: " "))'"
        }
    }

    private static func quotedForFish(_ text: String) -> String {
        "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }
}
