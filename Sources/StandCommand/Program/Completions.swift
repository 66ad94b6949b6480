import EmbeddedFiles

/// The completions of a command line, from the tables of commands and options.
struct Completions {
    /// `:files` and `:folders` ask the shell for its own completion of paths. Otherwise one candidate a line, with a tab
    /// and a description if it has one.
    private(set) var lines: [String] = []

    /// - Parameter words: The words after the program's name, of which the last is completed; it may be empty.
    init(_ words: [String]) {
        let word = words.last ?? ""
        let before = words.dropLast()
        guard let first = before.first else {
            let commands = Program.commands.map { (name: $0.name, text: $0.page.summary) }
            offer(commands + [("help", "prints help about a command or topic")], after: word)
            return
        }
        if first == "help" {
            let topics = Program.commands.map { $0.name } + HelpTopic.all.map(\.name)
            offer(.words(topics), after: word)
        } else if let command = Program.commands.first(where: { $0.name == first }) {
            complete(word, after: Array(before), of: command)
        }
    }

    /// - Parameter before: The words from the command to the one that is completed.
    private mutating func complete(_ word: String, after before: [String], of command: Command) {
        let operands = Suggestion(placeholder: command.page.operands)
        guard !before.contains("--") else { return offer(operands, after: word) }
        let options = command.options + [Options.help]
        func suggestion(_ name: some StringProtocol) -> Suggestion? { options.first { $0.name == name }?.suggestion }
        // Bash makes three words of `--name=value`, other shells one.
        if word == "=", let values = suggestion(before.last ?? "") {
            offer(values, after: "")
        } else if before.last == "=", let values = suggestion(before.dropLast().last ?? "") {
            offer(values, after: word)
        } else if let values = suggestion(before.last ?? "") {
            offer(values, after: word)
        } else if let equals = word.firstIndex(of: "="), let values = suggestion(word[..<equals]) {
            offer(values, after: String(word[equals...].dropFirst()), with: String(word[...equals]))
        } else if word.hasPrefix("-") {
            offer(options.map { ($0.name, $0.help) }, after: word)
        } else {
            offer(operands, after: word)
        }
    }

    /// - Parameter start: Stands before each candidate.
    private mutating func offer(_ suggestion: Suggestion, after word: String, with start: String = "") {
        switch suggestion {
        case .nothing: break
        case .files: lines = [":files"]
        case .folders: lines = [":folders"]
        case .words(let words): offer(words.map { (start + $0, "") }, after: start + word)
        }
    }

    private mutating func offer(_ candidates: [(name: String, text: String)], after word: String) {
        for candidate in candidates where candidate.name.hasPrefix(word) {
            lines.append(candidate.text.isEmpty ? candidate.name : "\(candidate.name)\t\(candidate.text)")
        }
    }
}

extension Completions {
    /// `juicestand __complete WORDS…`: prints what completes the last word. Shells call it; `help` does not list it.
    static let hiddenCommand = "__complete"

    static func complete(_ words: [String], _ output: Output) -> ExitStatus {
        for line in Completions(words).lines { output.print(line + "\n") }
        return .done
    }

    /// `juicestand completions SHELL`: prints what a shell runs, which asks the hidden command.
    static let command = Command("completions") { options, output throws(CommandFailure) in
        guard options.operands.count == 1, ["bash", "zsh", "fish"].contains(options.operands[0]) else {
            throw CommandFailure(.usage, "completions needs one of bash, zsh and fish, found \(options.found)")
        }
        output.print(EmbeddedFile("completions.\(options.operands[0])").text)
        return .done
    }
}
