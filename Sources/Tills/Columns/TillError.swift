import TextFormats

/// Why a till cannot be read or fitted.
package enum TillError: Error, Equatable {
    case unreadable(path: String, reason: String)
    /// The file is there, but its text is not a till that can be read.
    case badTill(TextProblem)
    /// An option names a column or a format that does not fit the file.
    case badOption(String)

    /// The error for a faulty line of a till.
    static func badTill(_ file: String, line: Int, _ message: String) -> Self {
        .badTill(TextProblem(place: Place(source: file, line: line, column: 1), message: message))
    }
}
