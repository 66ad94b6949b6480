import TextFormats

/// A column with the texts of its first rows, and the kind of these texts.
struct SampledColumn {
    enum Kind {
        case dateAndTime, date, timeOfDay
        /// Unix times or dates of a spreadsheet, or other numbers that look the same.
        case number
    }

    let label: String
    let index: Int
    let name: ColumnName
    /// The texts that are not blank.
    let texts: [String]
    let different: Int
    /// The kind of most texts; nil if they are neither dates nor times.
    let kind: Kind?
    let areNumbers: Bool

    init(_ label: String, _ index: Int, _ all: [String]) {
        self.label = label
        self.index = index
        name = ColumnName(label)
        texts = all.filter { !$0.allSatisfy(\.isWhitespace) }
        different = Set(texts).count
        kind = Self.kind(of: texts, isClock: name.has(.clock))
        let quantities = QuantityReader(texts)
        areNumbers = texts.count { quantities.read($0) != nil } * 2 > texts.count
    }

    /// The number of texts that decide whether a column has times.
    private static let mostTimes = 500
    /// The search for times ends if none is among this many texts.
    private static let fewestTexts = 30

    /// - Parameter isClock: Whether the name of the column is that of a time of day.
    private static func kind(of texts: [String], isClock: Bool) -> Kind? {
        let texts = texts.prefix(mostTimes)
        var reader = TimeReader()
        var counts: [Kind: Int] = [:]
        var hasTimes = false
        for (index, text) in texts.enumerated() {
            if index == fewestTexts, counts.isEmpty { break }
            if let reading = reader.read(text) {
                let isNumber = reading.zone == .unix
                // Numbers are taken for Unix times from 2000 to 2060.
                if isNumber, !(10_957...32_872).contains(reading.day ?? 0) { continue }
                let kind: Kind =
                    isNumber ? .number : !reading.hasDate ? .timeOfDay : reading.hasTime ? .dateAndTime : .date
                counts[kind, default: 0] += 1
                hasTimes = hasTimes || reading.nanosecondsOfDay > 0
            } else if isClock, reader.read("2000-01-01 " + text) != nil {
                // "9.58" may be an amount.
                counts[.timeOfDay, default: 0] += 1
            }
        }
        guard let (kind, count) = counts.max(by: { $0.value < $1.value }), count * 2 > texts.count else {
            return TillTimes.areSerials(Array(texts)) ? .number : nil
        }
        // Midnight on every line is how spreadsheets write a date.
        return kind == .dateAndTime && !hasTimes ? .date : kind
    }

    // MARK: Texts

    /// Whether something is true of more than half of the texts.
    func mostly(_ isTrue: (String) -> Bool) -> Bool { texts.count(where: isTrue) * 2 > texts.count }

    var areWords: Bool { !areNumbers && mostly { $0.contains(where: \.isLetter) } }
    var areOrderNumbers: Bool { mostly { $0.hasPrefix("#") && $0.dropFirst().contains(where: \.isNumber) } }
    var areWeekdays: Bool { mostly { WordList.isWeekday($0.plain.filter { $0 != "." }) } }
    /// Whether texts occur twice on average, as items do, unlike customers and order numbers.
    var repeats: Bool { different * 2 <= texts.count }
    /// Whether most texts have the same ending of districts, as the districts of one city do.
    var areDistricts: Bool {
        different > 1 && WordList.district.list.contains { end in mostly { $0.hasSuffix(end) } }
    }
}
