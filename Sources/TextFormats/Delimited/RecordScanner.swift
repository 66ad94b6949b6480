/// Splits a text into lines, and into the records and fields of CSV, without copying. Positions are in ``bytes``, which
/// hold the current line or record.
///
/// Lines end with LF, CR or CR LF. A quote inside an unquoted field is part of the field. If a quote is never closed,
/// or closed in the middle of a later field, only its line is lost: the next record begins with the next line.
struct RecordScanner {
    /// The fields of the current record.
    private(set) var fields: [DelimitedRecord.Field] = []
    /// The fault of the current record and its position.
    private(set) var fault: (message: String, position: Int)?
    /// The number, from 1, of the current line, or of the line in which the current record begins.
    private(set) var line = 0
    /// The position of the current line or record.
    private(set) var start: Int

    var bytes: [UInt8] { text.bytes }

    private var text: PiecedText
    private let separator: UInt8
    /// The position behind the current line.
    private var next: Int
    /// The number of the line that ends at ``next``.
    private var lastLine = 0
    /// The most bytes between an opening and a closing quote. A longer field is an error.
    private static let longestQuoted = 1 << 20

    init(_ text: PiecedText, from start: Int, separator: UInt8 = ASCII.comma) {
        self.text = text
        self.separator = separator
        self.start = start
        next = start
    }

    /// Reads the next line. Returns the position of its end; nil at the end of the text.
    mutating func nextLine() -> Int? {
        start = next
        let end = takeLine(isFirst: true)
        line = lastLine
        return end
    }

    /// Steps over the next line and returns its end. Drops the bytes before the line if it is the first line of a
    /// record.
    private mutating func takeLine(isFirst: Bool) -> Int? {
        var end = next
        while true {
            while end < text.bytes.count, !isLineEnd(end) { end += 1 }
            // A line feed may follow a carriage return.
            if end + 1 < text.bytes.count || text.isAtEnd { break }
            let dropped = isFirst ? start : 0
            text.readOn(dropping: dropped)
            end -= dropped
            next -= dropped
            start -= dropped
        }
        guard next < text.bytes.count else { return nil }
        let isPair = end + 1 < text.bytes.count && text.bytes[end] == ASCII.carriageReturn
        next = min(end + (isPair && text.bytes[end + 1] == ASCII.lineFeed ? 2 : 1), text.bytes.count)
        lastLine += 1
        return end
    }

    private func isLineEnd(_ position: Int) -> Bool {
        text.bytes[position] == ASCII.lineFeed || text.bytes[position] == ASCII.carriageReturn
    }

    // MARK: Records of CSV

    /// Reads the next record, and skips empty lines before it. Returns false at the end of the text.
    mutating func nextRecord() -> Bool {
        var end = 0
        repeat {
            guard let found = nextLine() else { return false }
            end = found
        } while start == end
        let behindFirstLine = next
        fields.removeAll(keepingCapacity: true)
        fault = nil
        var position = start
        while true {
            fields.append(readField(&position, &end))
            guard position < end else { break }
            position += 1
        }
        if fault != nil {
            next = behindFirstLine
            lastLine = line
        }
        return true
    }

    /// Reads up to a separator or the end of the record, which may be in a later line if the field has quotes.
    private mutating func readField(_ position: inout Int, _ end: inout Int) -> DelimitedRecord.Field {
        var field = DelimitedRecord.Field(start: position, end: position)
        let isQuoted = position < end && text.bytes[position] == ASCII.quote
        if isQuoted {
            field.start += 1
            position += 1
            readQuoted(&field, &position, &end)
        }
        let closed = position
        while position < end, text.bytes[position] != separator { position += 1 }
        if !isQuoted {
            field.end = position
        } else if position > closed, fault == nil {
            let name = separator == ASCII.tab ? "a tab" : "'\(Unicode.Scalar(separator))'"
            fault = ("expected \(name) or the end of the line after a closing quote", closed)
        }
        return field
    }

    /// Reads up to the closing quote.
    private mutating func readQuoted(_ field: inout DelimitedRecord.Field, _ position: inout Int, _ end: inout Int) {
        while true {
            while position < end {
                let isQuote = text.bytes[position] == ASCII.quote
                position += 1
                guard isQuote else { continue }
                guard position < end, text.bytes[position] == ASCII.quote else {
                    field.end = position - 1
                    return
                }
                field.hasDoubledQuotes = true
                position += 1
            }
            let behind = next
            guard end - field.start < Self.longestQuoted, let later = takeLine(isFirst: false) else { break }
            position = behind
            end = later
        }
        fault = fault ?? ("expected '\"' to close the field that begins here, found none", field.start - 1)
    }
}
