/// A line for one fact: its name, and its fields in the order of the contract.
///
/// Written by hand into bytes: ten times as fast as a general encoder, and the ledger is the hot path of a busy stand.
struct FactLine {
    enum Style {
        /// `{"seq":1,"at":0.000000000,"event":"opened"}`
        case json
        /// `at=0.000000000 event=opened`
        case text
    }

    private(set) var bytes: [UInt8] = []
    private let style: Style
    private var isFirst = true

    init(_ style: Style) {
        self.style = style
        bytes.reserveCapacity(1 << 16)
    }

    var isEmpty: Bool { bytes.isEmpty }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func begin() {
        isFirst = true
        if style == .json { bytes.append(UInt8(ascii: "{")) }
    }

    mutating func end() {
        if style == .json { bytes.append(UInt8(ascii: "}")) }
        bytes.append(UInt8(ascii: "\n"))
    }

    mutating func field(_ key: StaticString, _ value: Int) {
        begin(key)
        append(value)
    }

    mutating func field(_ key: StaticString, _ value: UInt64) {
        begin(key)
        append(value)
    }

    /// Seconds with exactly nine decimals.
    mutating func field(_ key: StaticString, _ time: SimulationTime) {
        begin(key)
        append(time)
    }

    mutating func field(_ key: StaticString, _ number: Double) {
        begin(key)
        bytes.append(contentsOf: "\(number)".utf8)
    }

    /// A word that needs no quoting in text: an event, a cause, a level.
    mutating func field(_ key: StaticString, word: StaticString) {
        begin(key)
        if style == .json { bytes.append(UInt8(ascii: "\"")) }
        append(word)
        if style == .json { bytes.append(UInt8(ascii: "\"")) }
    }

    /// A text that needs no escaping, quoted in JSON alone.
    mutating func field(_ key: StaticString, plain text: String) {
        begin(key)
        if style == .json { bytes.append(UInt8(ascii: "\"")) }
        bytes.append(contentsOf: text.utf8)
        if style == .json { bytes.append(UInt8(ascii: "\"")) }
    }

    /// A text that stands quoted in both styles, already quoted.
    mutating func field(_ key: StaticString, quoted: QuotedText) {
        begin(key)
        bytes.append(contentsOf: quoted.bytes)
    }

    /// Levels by the name of the fruit; `"unlimited"` where there is no limit.
    mutating func field(_ key: StaticString, _ levels: [Int?], names: [QuotedText]) {
        begin(key)
        bytes.append(UInt8(ascii: "{"))
        for (index, level) in levels.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: names[index].bytes)
            bytes.append(UInt8(ascii: ":"))
            if let level { append(level) } else { append("\"unlimited\"") }
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func begin(_ key: StaticString) {
        if !isFirst { bytes.append(style == .json ? UInt8(ascii: ",") : UInt8(ascii: " ")) }
        isFirst = false
        if style == .json {
            bytes.append(UInt8(ascii: "\""))
            append(key)
            bytes.append(UInt8(ascii: "\""))
            bytes.append(UInt8(ascii: ":"))
        } else {
            append(key)
            bytes.append(UInt8(ascii: "="))
        }
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ value: Int) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        append(UInt64(value.magnitude))
    }

    private mutating func append(_ value: UInt64) {
        guard value >= 10 else {
            bytes.append(UInt8(ascii: "0") + UInt8(value))
            return
        }
        let start = bytes.count
        var left = value
        while left > 0 {
            let (rest, digit) = left.quotientAndRemainder(dividingBy: 10)
            bytes.append(UInt8(ascii: "0") + UInt8(digit))
            left = rest
        }
        bytes[start...].reverse()
    }

    private mutating func append(_ time: SimulationTime) {
        let (whole, fraction) = UInt64(time.nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        append(whole)
        bytes.append(UInt8(ascii: "."))
        var unit: UInt64 = 100_000_000
        var left = fraction
        for _ in 0..<9 {
            let (digit, rest) = left.quotientAndRemainder(dividingBy: unit)
            bytes.append(UInt8(ascii: "0") + UInt8(digit))
            left = rest
            unit /= 10
        }
    }
}

/// A text as a JSON string, ready to be copied into lines.
struct QuotedText {
    let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(JSONValue.string(text).compact().utf8)
    }
}
