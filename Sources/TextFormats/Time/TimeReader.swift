/// Reads the dates and times of one file: in a given format, or in formats that it guesses from the texts it reads.
///
/// The result does not depend on the machine's time zone or locale. A number below 100,000,000 is no date here, because
/// its unit depends on the whole file.
package struct TimeReader: Sendable {
    /// The formats met so far.
    package private(set) var formats: [TimeFormat]
    private let guesses: Bool
    /// The index of the format that read the last text, which is tried first.
    private var lastUsed = 0
    /// The most formats that are guessed; no till writes more.
    private static let mostFormats = 100

    /// - Parameters:
    ///   - format: A format that is tried first; nil for none.
    ///   - guesses: Whether other formats are guessed.
    package init(_ format: TimeFormat? = nil, guesses: Bool = true) {
        formats = format.map { [$0] } ?? []
        self.guesses = guesses
    }

    /// Reads a text without the white space around it. Returns nil if it is neither a date nor a time of day.
    package mutating func read(_ text: ArraySlice<UInt8>) -> TimeReading? {
        let text = text.trimmed
        guard !text.isEmpty else { return nil }
        // A date that does not exist in one format may exist in another.
        var missing: TimeReading?
        for index in [lastUsed] + formats.indices where index < formats.count {
            guard let reading = formats[index].read(text) else { continue }
            if reading.day != nil || !reading.hasDate {
                lastUsed = index
                return reading
            }
            missing = reading
        }
        guard guesses, missing == nil, formats.count < Self.mostFormats,
            let format = TimeFormat(guessedFrom: String(decoding: text, as: UTF8.self)),
            let reading = format.read(text)
        else { return missing }
        lastUsed = formats.count
        formats.append(format)
        return reading
    }

    package mutating func read(_ text: String) -> TimeReading? { read(Array(text.utf8)[...]) }
}

extension ArraySlice<UInt8> {
    /// The bytes without white space at the ends.
    package var trimmed: ArraySlice<UInt8> {
        var text = self
        while let first = text.first, first <= ASCII.space { text.removeFirst() }
        while let last = text.last, last <= ASCII.space { text.removeLast() }
        return text
    }
}
