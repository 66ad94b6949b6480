/// The completions that a shell can offer at one place of a command line.
enum Suggestion: Equatable {
    case nothing
    case files
    case folders
    case words([String])

    /// What a placeholder such as `FILE.html`, `DIR` or `text|json` stands for.
    init(placeholder: String) {
        let words = placeholder.split { !$0.isLetter || !$0.isASCII }.map(String.init).filter {
            $0 == $0.lowercased()
        }
        if placeholder == "PATH"
            || ["TARGET", "FILE", ".json"].contains(where: { placeholder.contains($0) })
        {
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
