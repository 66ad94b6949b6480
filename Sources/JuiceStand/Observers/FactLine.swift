import TextFormats

/// Writes facts as lines, as JSON or as text.
///
/// It writes raw bytes, ten times as fast as a general encoder: the ledger is a hot path. Every write first calls
/// `reserve(_:)`, so none runs past the end of the buffer.
@safe
package struct FactLine: ~Copyable {
    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
    /// Bytes written so far.
    private(set) var count = 0
    private let isJSON: Bool
    private var isFirst = true
    /// The key for the level of a fruit. Log lines use `level` for their severity.
    let fruitLevel: StaticString

    /// - Parameter isJSON: Whether lines are like `{"seq":1,"at":0.000000000,"event":"opened"}`, and not like
    ///   `at=08:00:00 event=opened`.
    init(isJSON: Bool, fruitLevel: StaticString) {
        self.isJSON = isJSON
        self.fruitLevel = fruitLevel
    }

    deinit { unsafe buffer.deallocate() }

    /// All lines written since ``removeAll()``.
    func withBytes(_ body: (RawSpan) -> Void) { body(unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count]).bytes) }

    mutating func removeAll() { count = 0 }

    /// - Parameter lead: A prefix before the line.
    mutating func begin(after lead: StaticString = "") {
        put(lead)
        isFirst = true
        if isJSON { put("{") }
    }

    mutating func end() {
        if isJSON { put("}") }
        put("\n")
    }
}

// MARK: - Fields

extension FactLine {
    mutating func field(_ key: StaticString, _ value: Int) {
        begin(key)
        put(value)
    }

    mutating func field(_ key: StaticString, _ value: UInt64) {
        begin(key)
        put(value)
    }

    /// Seconds with exactly nine decimals.
    mutating func field(_ key: StaticString, _ time: SimulationTime) {
        begin(key)
        let (whole, fraction) = UInt64(time.nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        put(whole)
        put(".")
        putDigits(fraction, 9)
    }

    mutating func field(_ key: StaticString, _ number: Double) {
        begin(key)
        put(Array("\(number)".utf8))
    }

    /// A word that needs no quotes in text style: an event, a cause, a level.
    mutating func field(_ key: StaticString, word: StaticString) {
        begin(key)
        if isJSON { put("\"") }
        put(word)
        if isJSON { put("\"") }
    }

    /// A text that needs no escaping; quoted in JSON only.
    mutating func field(_ key: StaticString, plain text: String) {
        begin(key)
        if isJSON { put("\"") }
        put(Array(text.utf8))
        if isJSON { put("\"") }
    }

    /// A text with quotes in both styles.
    mutating func field(_ key: StaticString, quoted: QuotedText) {
        begin(key)
        put(quoted.bytes)
    }

    /// Levels by fruit name; `"unlimited"` for an unlimited fruit.
    mutating func field(_ key: StaticString, _ levels: [Int?], names: [QuotedText]) {
        begin(key)
        guard isJSON else {
            let members = zip(names, levels).map { name, level in
                JSONValue.Member(key: name.text, value: level.map { .whole($0) } ?? "unlimited")
            }
            return put(Array(JSONValue.object(members).field.utf8))
        }
        put("{")
        for (index, level) in levels.enumerated() {
            if index > 0 { put(",") }
            put(names[index].bytes)
            put(":")
            if let level { put(level) } else { put("\"unlimited\"") }
        }
        put("}")
    }

    /// Writes `,"key":` or ` key=`; the first field of a line has nothing before it.
    private mutating func begin(_ key: StaticString) {
        let length = key.utf8CodeUnitCount
        reserve(length + 4)
        if !isFirst { add(isJSON ? "," : " ") }
        isFirst = false
        if isJSON { add("\"") }
        unsafe (buffer.baseAddress! + count).copyMemory(from: key.utf8Start, byteCount: length)
        count += length
        if isJSON { add("\"") }
        add(isJSON ? ":" : "=")
    }
}

// MARK: - Bytes

extension FactLine {
    private mutating func put(_ value: Int) {
        if value < 0 { put("-") }
        put(UInt64(value.magnitude))
    }

    private mutating func put(_ value: UInt64) {
        var digits = 1
        var left = value
        while left >= 10 {
            left /= 10
            digits += 1
        }
        putDigits(value, digits)
    }

    /// The last `digits` decimal digits of `value`.
    @inline(__always)
    private mutating func putDigits(_ value: UInt64, _ digits: Int) {
        reserve(digits)
        var left = value
        var place = count + digits
        count = place
        for _ in 0..<digits {
            let (rest, digit) = left.quotientAndRemainder(dividingBy: 10)
            place -= 1
            unsafe buffer[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
            left = rest
        }
    }

    /// A byte for which there is room.
    @inline(__always)
    private mutating func add(_ character: Unicode.Scalar) {
        unsafe buffer[count] = UInt8(ascii: character)
        count += 1
    }

    @inline(__always)
    private mutating func put(_ text: StaticString) {
        reserve(text.utf8CodeUnitCount)
        unsafe (buffer.baseAddress! + count).copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        count += text.utf8CodeUnitCount
    }

    private mutating func put(_ bytes: [UInt8]) {
        reserve(bytes.count)
        unsafe bytes.withUnsafeBytes {
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: $0)
        }
        count += bytes.count
    }

    /// Makes room for `more` bytes.
    @inline(__always)
    private mutating func reserve(_ more: Int) { if unsafe count + more > buffer.count { grow(more) } }

    private mutating func grow(_ more: Int) {
        let larger = unsafe UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(buffer.count * 2, count + more), alignment: 16)
        unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        unsafe buffer.deallocate()
        unsafe buffer = larger
    }
}

/// A text as a JSON string, encoded once and copied into many lines.
struct QuotedText: Sendable {
    let text: String
    let bytes: [UInt8]

    init(_ text: String) {
        self.text = text
        bytes = Array(JSONValue.string(text).compact().utf8)
    }
}
