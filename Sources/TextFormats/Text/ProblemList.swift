/// Lists the first hundred problems and counts the rest.
package struct ProblemList {
    private static let most = 100

    private var problems: [TextProblem] = []
    private var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// - Parameter problem: Evaluated only if it may be listed.
    package mutating func add(_ problem: @autoclosure () -> TextProblem) {
        count += 1
        // Keeps more than are listed, because they may not come in the order of the file.
        if count <= 10 * Self.most { problems.append(problem()) }
    }

    /// The problems in the order of the file. The last one counts those left out.
    package var listed: [TextProblem] {
        let sorted = problems.enumerated().sorted {
            ($0.element.place.line, $0.element.place.column, $0.offset)
                < ($1.element.place.line, $1.element.place.column, $1.offset)
        }.map(\.element)
        guard count > Self.most else { return sorted }
        let place = Place(source: sorted[0].place.source)
        return sorted.prefix(Self.most) + [TextProblem(place: place, message: "\(count - Self.most) more problems")]
    }
}
