/// What is wrong at one place of a text, and what would be right.
package struct TextProblem: Error, Equatable, Sendable {
    package var place: Place
    /// Says what was expected and what was found, without the place.
    package var message: String

    package init(place: Place, message: String) {
        self.place = place
        self.message = message
    }
}

// MARK: - CustomStringConvertible

extension TextProblem: CustomStringConvertible {
    /// One line: `FILE:LINE:COLUMN: MESSAGE`.
    package var description: String {
        "\(place): \(message)"
    }
}
