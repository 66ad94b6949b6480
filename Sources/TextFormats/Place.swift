/// Where something stands in a text.
package struct Place: Hashable, Sendable {
    /// The file's name, or what stands in for it, such as `--set makers=3`.
    package var source: String
    /// Counted from 1; 0 where the source has no lines.
    package var line: Int
    /// Counted from 1 in Unicode scalars; means nothing where there is no line.
    package var column: Int

    package init(source: String, line: Int = 0, column: Int = 0) {
        self.source = source
        self.line = line
        self.column = column
    }
}

// MARK: - CustomStringConvertible

extension Place: CustomStringConvertible {
    /// `FILE:LINE:COLUMN`, or the source alone where there is no line.
    package var description: String {
        line == 0 ? source : "\(source):\(line):\(column)"
    }
}
