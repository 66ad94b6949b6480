import JuiceStand

/// A small program in one wiring's idiom: what it takes to use it, and what the compiler thinks of a misspelt one.
///
/// Its text is marked: `// file: NAME` begins a file; lines that end with `// + observer` or `// + fact` are what one more
/// observer or one more fact takes, and so is every line of a file whose first line ends like that; in a line that
/// ends with `// ~ RIGHT WRONG` the first `RIGHT` becomes `WRONG` for the compiler.
struct WorkedExample {
    let text: String

    /// Lines written and files touched.
    struct Change: Equatable, Sendable {
        var lines = 0
        var files = 0
    }

    /// What one more observer, or one more fact, takes: counted over the marks.
    func change(_ what: String) -> Change {
        var change = Change()
        var file = 0
        var touched: Set<Int> = []
        var isWholeFile = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("// file:") {
                file += 1
                isWholeFile = line.hasSuffix("// + \(what)")
            } else if isWholeFile || line.hasSuffix("// + \(what)") {
                change.lines += 1
                touched.insert(file)
            }
        }
        change.files = touched.count
        return change
    }

    /// The program as one text, and the lines of it that are misspelt, from 1.
    func source(misspelt: Bool) -> (text: String, lines: [Int]) {
        var lines: [Int] = []
        var output = ""
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let mark = line.firstRange(of: "// ~ ") else {
                output += line + "\n"
                continue
            }
            let words = line[mark.upperBound...].split(separator: " ")
            lines.append(number + 1)
            let code = line[..<mark.lowerBound]
            guard misspelt, words.count == 2, let right = code.firstRange(of: words[0]) else {
                output += code + "\n"
                continue
            }
            output += code[..<right.lowerBound] + words[1] + code[right.upperBound...] + "\n"
        }
        return (output, lines)
    }
}

/// What it takes to add an observer and to add a fact, counted over a worked example.
package struct Effort: Equatable, Sendable {
    package var observerLines: Int
    package var observerFiles: Int
    package var factLines: Int
    package var factFiles: Int

    init(_ example: WorkedExample) {
        let (observer, fact) = (example.change("observer"), example.change("fact"))
        observerLines = observer.lines
        observerFiles = observer.files
        factLines = fact.lines
        factFiles = fact.files
    }
}
