/// A date, a time of day or both, read without knowing the format.
///
/// It knows the usual forms: `2016-10-30 09:58:11`, `30.10.16 9.58`, `10/30/2016 9:58 PM`, `30 Oct 2016`, `20161030`,
/// and seconds or milliseconds since 1970. A date such as `03/04/2019` stays undecided: see ``Form``. An offset from
/// UTC is skipped, because the hour on the wall clock counts.
package struct DateGuess: Equatable, Sendable {
    /// The order of a date's parts. Dates of one form in one file have one order.
    package enum Form: Hashable, Sendable {
        /// The year comes first, or the month is a word. `first` is the month and `second` the day.
        case certain
        /// Day and month in an unknown order, with the byte between them.
        case numbers(separator: UInt8)
    }

    package internal(set) var form: Form?
    package internal(set) var year = 0
    /// The month of a certain date; otherwise the first number.
    package internal(set) var first = 0
    /// The day of a certain date; otherwise the second number.
    package internal(set) var second = 0
    /// Nil if the text has no time of day.
    package internal(set) var nanosecondsOfDay: Int64?
    /// Whether the time of day has seconds.
    package internal(set) var hasSeconds = false
    /// Whether the text is seconds or milliseconds since 1970. The time of day is then in UTC.
    package internal(set) var isEpoch = false

    /// The date of a form, with its numbers.
    package init(form: Form? = nil, year: Int = 0, first: Int = 0, second: Int = 0) {
        (self.form, self.year, self.first, self.second) = (form, year, first, second)
    }

    /// The days from 1970 to the date; nil if there is no date, or no such date in the calendar.
    ///
    /// - Parameter isDayFirst: The order of a date of an uncertain form.
    package func day(isDayFirst: Bool) -> Int? {
        guard let form else { return nil }
        let isSwapped = form != .certain && isDayFirst
        return CalendarTime(year: year, month: isSwapped ? second : first, day: isSwapped ? first : second)?.days
    }

    package static func == (a: Self, b: Self) -> Bool {
        a.form == b.form && a.year == b.year && a.first == b.first && a.second == b.second
            && a.nanosecondsOfDay == b.nanosecondsOfDay
    }
}

/// Reads texts into ``DateGuess``. It keeps its memory from text to text.
package struct DateGuesser {
    private enum Token {
        case number(Int, digits: Int)
        case month(Int)
        case half(isAfternoon: Bool)
        case weekday
        case utc
    }

    private var tokens: [Token] = []
    /// The byte before each token: the first that is not a space, or a space, or 0.
    private var gaps: [UInt8] = []

    package init() {}

    /// What `text` says; nil if it is neither a date nor a time of day.
    package mutating func read(_ text: String) -> DateGuess? {
        guard split(text), !tokens.isEmpty else { return nil }
        var guess = DateGuess()
        var next = 0
        if isTime(at: 0) {
            next = readTime(at: 0, &guess)
        } else {
            if case .weekday = tokens[0] { next = 1 }
            guard let end = readDate(at: next, &guess) else { return nil }
            next = end
            if next < tokens.count {
                guard guess.nanosecondsOfDay == nil, isTime(at: next) else { return nil }
                next = readTime(at: next, &guess)
            }
        }
        return next == tokens.count && next > 0 ? guess : nil
    }
}

// MARK: - Tokens

extension DateGuesser {
    private static let words: [String: Token] = {
        var words: [String: Token] = ["am": .half(isAfternoon: false), "pm": .half(isAfternoon: true), "z": .utc]
        words["utc"] = .utc
        words["gmt"] = .utc
        for name in Weekday.short { words[name] = .weekday }
        // English, German, French, Spanish, Italian, Portuguese and Dutch, by their first three letters.
        let months = [
            "jan ene gen", "feb fev fév", "mar mär mrt", "apr abr avr", "may mai mag mei", "jun giu", "jul lug",
            "aug ago aou aoû", "sep set", "oct okt ott out", "nov", "dec dez dic déc",
        ]
        for (index, names) in months.enumerated() {
            for name in names.split(separator: " ") { words[String(name)] = .month(index + 1) }
        }
        return words
    }()

    /// Splits `text` into tokens. Returns false for a word that dates do not have.
    private mutating func split(_ text: String) -> Bool {
        tokens.removeAll(keepingCapacity: true)
        gaps.removeAll(keepingCapacity: true)
        var number = 0
        var digits = 0
        var gap: UInt8 = 0
        var word: [UInt8] = []
        func endNumber() {
            if digits > 0 { add(.number(number, digits: digits), &gap) }
            (number, digits) = (0, 0)
        }
        func endWord() -> Bool {
            defer { word.removeAll(keepingCapacity: true) }
            return word.isEmpty || take(word, &gap)
        }
        for byte in text.utf8 {
            if ASCII.isDigit(byte) {
                guard endWord(), digits < 18 else { return false }
                number = number * 10 + Int(byte - ASCII.zero)
                digits += 1
                continue
            }
            endNumber()
            if Self.isLetter(byte) {
                word.append(byte)
            } else if byte == ASCII.point, !word.isEmpty {
                // A point ends an abbreviation, as in "p.m." and "Okt.".
                guard Self.isHalf(word) || endWord() else { return false }
            } else {
                guard endWord() else { return false }
                if gap == 0 || gap == ASCII.space { gap = byte }
            }
        }
        endNumber()
        return endWord()
    }

    private static func isLetter(_ byte: UInt8) -> Bool { byte >= 0x80 || (0x41...0x5A).contains(byte & 0xDF) }

    private static func isHalf(_ word: [UInt8]) -> Bool {
        word.count == 1 && [UInt8(ascii: "a"), UInt8(ascii: "p")].contains(word[0] | 0x20)
    }

    private mutating func add(_ token: Token, _ gap: inout UInt8) {
        tokens.append(token)
        gaps.append(gap)
        gap = 0
    }

    /// Takes a word. `T` and `h` between numbers, and words outside ASCII such as those for year and month, are gaps.
    private mutating func take(_ word: [UInt8], _ gap: inout UInt8) -> Bool {
        let text = String(decoding: word, as: UTF8.self).lowercased()
        if text == "t" || text == "h" || text == "de" || text == "uhr" {
            gap = text == "h" ? UInt8(ascii: ":") : ASCII.space
            return true
        }
        if let token = Self.words[text] ?? Self.words[String(text.prefix(3))], word[0] < 0x80 {
            add(token, &gap)
            return true
        }
        switch text {
        case "年", "月", "년", "월": gap = ASCII.minus
        case "日", "일": gap = ASCII.space
        case "時", "시", "分", "분": gap = UInt8(ascii: ":")
        case "秒", "초": gap = 0
        case "오전", "上午", "午前": add(.half(isAfternoon: false), &gap)
        case "오후", "下午", "午後": add(.half(isAfternoon: true), &gap)
        default: return false
        }
        return true
    }
}

// MARK: - Dates

extension DateGuesser {
    /// Seconds since 1970 of plausible tills: 2001 to 2100.
    package static let epochs = 978_307_200...4_102_444_800

    /// Reads a date. Returns the index of the token behind it.
    private func readDate(at start: Int, _ guess: inout DateGuess) -> Int? {
        guard start < tokens.count else { return nil }
        switch tokens[start] {
        case .number(let number, let digits) where digits >= 8: return readDigits(number, digits, at: start, &guess)
        case .number(let number, let digits):
            return digits == 4 ? readYearFirst(number, at: start, &guess) : readNumber(number, at: start, &guess)
        case .month(let month):
            // Oct 30, 2016
            guard let (day, _) = number(at: start + 1), let (year, digits) = number(at: start + 2), digits == 4 else {
                return nil
            }
            guess.set(.certain, year, month, day)
            return start + 3
        case .half, .weekday, .utc: return nil
        }
    }

    /// `20161030`, `20161030095811` or an epoch time with or without a fraction.
    private func readDigits(_ number: Int, _ digits: Int, at start: Int, _ guess: inout DateGuess) -> Int? {
        if digits == 8 || digits == 12 || digits == 14 {
            var time = 0
            var date = number
            if digits > 8 {
                let unit = digits == 14 ? 1_000_000 : 10_000
                (date, time) = (number / unit, number % unit)
                if digits == 12 { time *= 100 }
                guard time / 10000 < 24, time / 100 % 100 < 60, time % 100 < 60 else { return nil }
                guess.setTime(hour: time / 10000, minute: time / 100 % 100, second: time % 100)
                guess.hasSeconds = digits == 14
            }
            let year = date / 10000
            guard (1900...2200).contains(year) else { return nil }
            guess.set(.certain, year, date / 100 % 100, date % 100)
            return start + 1
        }
        let seconds = digits == 13 ? number / 1000 : number
        guard digits == 9 || digits == 10 || digits == 13, Self.epochs.contains(seconds) else { return nil }
        var nanoseconds = Int64(seconds) * DurationText.second
        if digits == 13 { nanoseconds += Int64(number % 1000) * 1_000_000 }
        var next = start + 1
        if self.number(at: next) != nil, gaps[next] == ASCII.point { next += 1 }
        guard next == tokens.count, start == 0 else { return nil }
        let (year, month, day) = CalendarTime(nanosecondsSinceEpoch: nanoseconds).yearMonthDay
        guess.set(.certain, year, month, day)
        guess.nanosecondsOfDay = nanoseconds % CalendarTime.day
        guess.hasSeconds = true
        guess.isEpoch = true
        return next
    }

    private func readYearFirst(_ year: Int, at start: Int, _ guess: inout DateGuess) -> Int? {
        guard (1900...2200).contains(year), let (day, _) = number(at: start + 2) else { return nil }
        if case .month(let month) = tokens[start + 1] {
            guess.set(.certain, year, month, day)
        } else {
            guard let (month, _) = number(at: start + 1), gaps[start + 1] != UInt8(ascii: ":") else { return nil }
            guess.set(.certain, year, month, day)
        }
        return start + 3
    }

    /// `30.10.2016`, `10/30/16` or `30 Oct 2016`.
    private func readNumber(_ first: Int, at start: Int, _ guess: inout DateGuess) -> Int? {
        guard start + 2 < tokens.count, let (year, digits) = number(at: start + 2), digits == 2 || digits == 4 else {
            return nil
        }
        let fullYear = digits == 4 ? year : CalendarTime.year(ofCentury: year)
        guard (1900...2200).contains(fullYear) else { return nil }
        if case .month(let month) = tokens[start + 1] {
            guess.set(.certain, fullYear, month, first)
            return start + 3
        }
        guard let (second, _) = number(at: start + 1), gaps[start + 1] != UInt8(ascii: ":") else { return nil }
        guess.set(.numbers(separator: gaps[start + 1]), fullYear, first, second)
        return start + 3
    }

    private func number(at index: Int) -> (Int, digits: Int)? {
        guard index < tokens.count, case .number(let number, let digits) = tokens[index] else { return nil }
        return (number, digits)
    }
}

// MARK: - Times of day

extension DateGuesser {
    /// Whether a time of day begins here: two numbers of at most two digits with a colon between them, or a point after
    /// a date.
    private func isTime(at start: Int) -> Bool {
        var start = start
        if case .half = tokens[start] { start += 1 }
        guard let (_, digits) = number(at: start), digits <= 2 else { return false }
        if let (_, minutes) = number(at: start + 1), minutes == 2 {
            return gaps[start + 1] == UInt8(ascii: ":") || (start > 0 && gaps[start + 1] == ASCII.point)
        }
        // 9 PM
        guard start + 1 < tokens.count, case .half = tokens[start + 1] else { return false }
        return true
    }

    /// Reads a time of day. Returns the index of the token behind it; 0 if there is no such time.
    private func readTime(at start: Int, _ guess: inout DateGuess) -> Int {
        var next = start
        var isAfternoon: Bool?
        if case .half(let half) = tokens[next] {
            isAfternoon = half
            next += 1
        }
        guard let (hours, _) = number(at: next) else { return 0 }
        var (hour, minute, second) = (hours, 0, 0)
        next += 1
        let separator = next < tokens.count ? gaps[next] : 0
        if let (number, digits) = number(at: next), digits == 2,
            separator == UInt8(ascii: ":") || separator == ASCII.point
        {
            minute = number
            next += 1
            if let (number, digits) = self.number(at: next), digits == 2, gaps[next] == separator {
                second = number
                guess.hasSeconds = true
                next += 1
                // The fraction of a second.
                if self.number(at: next) != nil, gaps[next] == ASCII.point || gaps[next] == ASCII.comma { next += 1 }
            }
        }
        if next < tokens.count, case .half(let half) = tokens[next] {
            isAfternoon = half
            next += 1
        }
        if let isAfternoon {
            guard (1...12).contains(hour) else { return 0 }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        }
        guard hour < 24, minute < 60, second < 60 else { return 0 }
        guess.setTime(hour: hour, minute: minute, second: second)
        return skipOffset(at: next)
    }

    private func skipOffset(at start: Int) -> Int {
        guard start < tokens.count else { return start }
        if case .utc = tokens[start] { return start + 1 }
        guard let (_, digits) = number(at: start), [ASCII.plus, ASCII.minus].contains(gaps[start]) else { return start }
        let hasMinutes = digits == 2 && number(at: start + 1) != nil && gaps[start + 1] == UInt8(ascii: ":")
        return start + (hasMinutes ? 2 : 1)
    }
}

extension DateGuess {
    fileprivate mutating func set(_ form: Form, _ year: Int, _ first: Int, _ second: Int) {
        (self.form, self.year, self.first, self.second) = (form, year, first, second)
    }

    fileprivate mutating func setTime(hour: Int, minute: Int, second: Int) {
        nanosecondsOfDay = Int64((hour * 60 + minute) * 60 + second) * DurationText.second
    }
}
