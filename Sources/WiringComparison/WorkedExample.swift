import JuiceStand

/// A small program in one wiring's idiom: what it takes to use it, and what the compiler thinks of a misspelt one.
///
/// Its text is that of several programs, told apart by marks at the ends of lines: a line that ends with `// + observer` is
/// there only where one more observer is, one that ends with `// - observer` only where it is not; `fact` likewise, and
/// `// + observer + fact` asks for both. A line `// file: NAME` begins a file; its marks are those of the whole file. In a
/// line that ends with `// ~ RIGHT WRONG` the first `RIGHT` becomes `WRONG` for the compiler.
package struct WorkedExample: Sendable {
    private let text: String

    package init(text: String) {
        self.text = text
    }

    /// What a program may have one more of.
    package enum Addition: String, CaseIterable, Sendable {
        case observer
        case fact
    }

    package struct File: Equatable, Sendable {
        package var name: String
        package var lines: [String]

        package init(name: String, lines: [String] = []) {
            self.name = name
            self.lines = lines
        }
    }

    /// The program with these additions and without the others.
    package func files(with additions: Set<Addition>) -> [File] {
        var files: [File] = []
        var isFileThere = true
        for line in text.split(separator: "\n") {
            let (code, isThere) = Self.read(line, additions)
            if code.hasPrefix("// file: ") {
                isFileThere = isThere
                if isThere { files.append(File(name: String(code.dropFirst(9)))) }
            } else if isFileThere, isThere {
                files[files.count - 1].lines.append(String(code))
            }
        }
        return files
    }

    /// A line without its marks, and whether it is there.
    private static func read(_ line: Substring, _ additions: Set<Addition>) -> (code: Substring, isThere: Bool) {
        guard let marks = line.firstMatch(of: #/ // ([+-] .*)/#) else { return (line, true) }
        let words = marks.1.split(separator: " ")
        let isThere = stride(from: 0, to: words.count, by: 2).allSatisfy { place in
            additions.contains { $0.rawValue == words[place + 1] } == (words[place] == "+")
        }
        return (line[..<marks.range.lowerBound], isThere)
    }

    /// What one more takes of somebody who has the program without it.
    package func effort(of addition: Addition) -> Effort {
        let before = files(with: [])
        var effort = Effort()
        for file in files(with: [addition]) {
            let old = before.first { $0.name == file.name }?.lines ?? []
            let difference = file.lines.difference(from: old)
            effort.lines += difference.insertions.count
            if !difference.isEmpty { effort.files += 1 }
        }
        return effort
    }

    /// The program with everything, misspelt, and the lines that are: a file and a number from 1 each.
    func misspelt() -> (files: [File], lines: [(file: String, number: Int)]) {
        var found: [(file: String, number: Int)] = []
        let files = files(with: Set(Addition.allCases)).map { file in
            var file = file
            for (index, line) in file.lines.enumerated() {
                guard let mark = line.firstMatch(of: #/(.*)// ~ (\S+) (\S+)/#),
                    let right = mark.1.firstRange(of: mark.2)
                else { continue }
                file.lines[index] = String(mark.1[..<right.lowerBound] + mark.3 + mark.1[right.upperBound...])
                found.append((file.name, index + 1))
            }
            return file
        }
        return (files, found)
    }
}

/// Lines to be written or written anew, and files to be touched: what a comparison of two programs that compile finds.
package struct Effort: Equatable, Sendable {
    package var lines: Int
    package var files: Int

    package init(lines: Int = 0, files: Int = 0) {
        self.lines = lines
        self.files = files
    }
}
