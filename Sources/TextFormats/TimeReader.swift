/// Reads the dates and times of one file: in a given format, or in formats that it guesses from what it meets.
///
/// What it reads does not depend on the machine's time zone or locale. A number is no date here: what it counts depends
/// on the whole file.
package struct TimeReader: Sendable {
    /// The formats met so far.
    package private(set) var formats: [TimeFormat] = []
    private let guesses: Bool
    /// The format of the last text.
    private var last = 0
    /// A file of more formats is no till's.
    private static let mostFormats = 100

    /// Reads texts of any usual format.
    ///
    /// - Parameter first: A format that is tried before others are guessed.
    package init(tryingFirst first: TimeFormat? = nil) {
        formats = first.map { [$0] } ?? []
        guesses = true
    }

    /// Reads texts of one format.
    package init(_ format: TimeFormat) {
        formats = [format]
        guesses = false
    }

    /// What a text says, without the white space around it; nil if it is no date or time of day.
    package mutating func read(_ text: ArraySlice<UInt8>) -> TimeFormat.Reading? {
        let text = text.trimmed
        guard !text.isEmpty else { return nil }
        if last < formats.count, let reading = formats[last].read(text), reading.day != nil || !reading.hasDate {
            return reading
        }
        // A date that does not exist in one format may exist in another.
        var missing: TimeFormat.Reading?
        for (index, format) in formats.enumerated() {
            guard let reading = format.read(text) else { continue }
            guard reading.day == nil, reading.hasDate else {
                last = index
                return reading
            }
            missing = reading
        }
        guard guesses, missing == nil, formats.count < Self.mostFormats,
            let format = TimeFormat(guessedFrom: String(decoding: text, as: UTF8.self)),
            let reading = format.read(text)
        else { return missing }
        last = formats.count
        formats.append(format)
        return reading
    }

    package mutating func read(_ text: String) -> TimeFormat.Reading? { read(Array(text.utf8)[...]) }
}

extension ArraySlice<UInt8> {
    /// Without white space at its ends.
    package var trimmed: ArraySlice<UInt8> {
        guard let first, let last, first <= ASCII.space || last <= ASCII.space else { return self }
        let start = firstIndex { $0 > ASCII.space } ?? endIndex
        let end = (lastIndex { $0 > ASCII.space } ?? start - 1) + 1
        return self[start..<end]
    }
}
