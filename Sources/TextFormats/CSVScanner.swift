/// Splits CSV into records and fields without copying. Positions are in ``bytes``, which hold the current record.
///
/// Lines end with LF, CR or CR LF. Empty lines are skipped. A quote inside an unquoted field is part of the field.
///
/// If a quote is never closed, or closed in the middle of a later field, only its line is lost: the next record begins
/// with the next line.
struct CSVScanner {
    /// The bytes of a field, including its quotes.
    struct Field {
        var start: Int
        var end: Int
        var isQuoted: Bool
        var hasDoubledQuotes: Bool
    }

    /// The fields of the current record.
    private(set) var fields: [Field] = []
    /// The fault of the current record and its position.
    private(set) var fault: (message: String, position: Int)?
    /// The number of the line in which the current record begins.
    private(set) var line = 0
    /// The position of the current record.
    private(set) var start: Int

    var bytes: [UInt8] { text.bytes }

    private var text: PiecedText
    private let separator: UInt8
    private var position: Int
    private var nextLine = 1
    /// The most bytes between an opening and a closing quote. A longer field is an error.
    private static let longestQuoted = 1 << 20

    init(_ text: PiecedText, from start: Int, separator: UInt8 = ASCII.comma) {
        self.text = text
        self.separator = separator
        self.start = start
        position = start
    }

    /// Reads the next record. Returns false at the end.
    mutating func next() -> Bool {
        while true {
            let (begin, line) = (position, nextLine)
            let isFound = scan()
            // A record that reaches the end of what is held may go on in the next piece.
            guard position == text.bytes.count, !text.isAtEnd else {
                if fault != nil, nextLine > self.line + 1 { skipFirstLine() }
                return isFound
            }
            text.readOn(dropping: begin)
            (position, nextLine) = (0, line)
        }
    }

    /// Continues after the first line of the current record.
    private mutating func skipFirstLine() {
        position = start
        while position < text.bytes.count, !isLineEnd(text.bytes[position]) { position += 1 }
        nextLine = line
        _ = takeLineEnd()
    }

    private mutating func scan() -> Bool {
        fields.removeAll(keepingCapacity: true)
        fault = nil
        while takeLineEnd() {}
        guard position < text.bytes.count else { return false }
        line = nextLine
        start = position
        while true {
            readField()
            guard position < text.bytes.count, text.bytes[position] == separator else { break }
            position += 1
        }
        _ = takeLineEnd()
        return true
    }

    /// The bytes of a field without its quotes. Those with doubled quotes are added to `own`.
    func field(_ field: Field, _ own: inout [UInt8]) -> DelimitedRecord.Field {
        guard field.isQuoted, fault == nil else { return .init(range: field.start..<field.end) }
        guard field.hasDoubledQuotes else { return .init(range: field.start + 1..<field.end - 1) }
        let start = own.count
        var isSecond = false
        for byte in text.bytes[field.start + 1..<field.end - 1] {
            isSecond = byte == ASCII.quote && !isSecond
            if byte != ASCII.quote || isSecond { own.append(byte) }
        }
        return .init(range: start..<own.count, isOwn: true)
    }

    /// The bytes of a field without its quotes.
    func bytes(of field: Field) -> ArraySlice<UInt8> {
        var own: [UInt8] = []
        let found = self.field(field, &own)
        return found.isOwn ? own[...] : text.bytes[found.range]
    }

    private mutating func readField() {
        var field = Field(start: position, end: position, isQuoted: false, hasDoubledQuotes: false)
        if position < text.bytes.count, text.bytes[position] == ASCII.quote {
            field.isQuoted = true
            readQuoted(&field)
        }
        let end = position
        while position < text.bytes.count, !isFieldEnd(text.bytes[position]) { position += 1 }
        if field.isQuoted && position > end && fault == nil {
            let name = separator == ASCII.tab ? "a tab" : "'\(Unicode.Scalar(separator))'"
            fault = ("expected \(name) or the end of the line after a closing quote", end)
        }
        field.end = position
        fields.append(field)
    }

    /// Reads up to the closing quote.
    private mutating func readQuoted(_ field: inout Field) {
        position += 1
        while position < text.bytes.count, position - field.start < Self.longestQuoted {
            if takeLineEnd() { continue }
            let byte = text.bytes[position]
            position += 1
            guard byte == ASCII.quote else { continue }
            guard position < text.bytes.count, text.bytes[position] == ASCII.quote else { return }
            field.hasDoubledQuotes = true
            position += 1
        }
        fault = ("expected '\"' to close the field that begins here, found none", field.start)
    }

    private func isFieldEnd(_ byte: UInt8) -> Bool {
        byte == separator || isLineEnd(byte)
    }

    private func isLineEnd(_ byte: UInt8) -> Bool { byte == ASCII.lineFeed || byte == ASCII.carriageReturn }

    private mutating func takeLineEnd() -> Bool {
        guard position < text.bytes.count else { return false }
        let byte = text.bytes[position]
        guard isLineEnd(byte) else { return false }
        position += 1
        if byte == ASCII.carriageReturn, position < text.bytes.count, text.bytes[position] == ASCII.lineFeed {
            position += 1
        }
        nextLine += 1
        return true
    }
}
