extension DelimitedReader {
    func readCSV(
        _ text: PiecedText, from start: Int, _ columns: [String],
        _ body: (DelimitedRecord) throws(TextProblem) -> Void, _ report: (TextProblem) -> Bool
    ) {
        var scanner = CSVScanner(text, from: start, separator: Self.separator(of: text.bytes[start...]))
        guard scanner.next() else {
            _ = report(TextProblem(place: place(1), message: "expected a header line, found no text"))
            return
        }
        let width = scanner.fields.count
        let headerPlace = place(scanner.line)
        guard let indices = header(&scanner, columns, report) else { return }
        var record = DelimitedRecord(place: headerPlace)
        while scanner.next() {
            record.place.line = scanner.line
            record.origin = (scanner.bytes, scanner.start)
            do throws(TextProblem) {
                if let fault = scanner.fault {
                    record.starts = [fault.position]
                    throw TextProblem(place: record.place(of: 0), message: fault.message)
                }
                guard scanner.fields.count == width else {
                    let message = "expected \(width) fields as in the header, found \(scanner.fields.count)"
                    throw TextProblem(place: record.place, message: message)
                }
                record.fields.removeAll(keepingCapacity: true)
                record.starts.removeAll(keepingCapacity: true)
                for (index, column) in zip(indices, columns) {
                    let field = scanner.fields[index]
                    record.starts.append(field.start)
                    guard let text = scanner.text(of: field, orLatin1: acceptsLatin1) else {
                        let message = "expected UTF-8 in column \(column.inQuotes)"
                        throw TextProblem(place: record.place(of: record.starts.count - 1), message: message)
                    }
                    record.fields.append(text)
                }
                try body(record)
            } catch {
                guard report(error) else { return }
            }
        }
    }

    /// The names in the header; none if there is no text or the header is faulty.
    func namesInHeader(_ text: PiecedText, from start: Int) -> [String] {
        var scanner = CSVScanner(text, from: start, separator: Self.separator(of: text.bytes[start...]))
        guard scanner.next(), scanner.fault == nil else { return [] }
        return scanner.fields.compactMap { scanner.text(of: $0, orLatin1: acceptsLatin1) }
    }

    /// The separator that the first line contains most often outside quotes; the comma if there is none.
    private static func separator(of bytes: ArraySlice<UInt8>) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes[..<(endOfFirstLine(bytes) ?? bytes.endIndex)] {
            if byte == ASCII.quote { isQuoted.toggle() }
            if !isQuoted { counts[byte, default: 0] += 1 }
        }
        // The first of equally frequent ones, so that a header of one column has commas.
        let most = separators.map { counts[$0, default: 0] }.max() ?? 0
        return separators.first { counts[$0, default: 0] == most } ?? ASCII.comma
    }

    /// The end of the first line that is not blank; nil if it is not reached.
    static func endOfFirstLine(_ bytes: ArraySlice<UInt8>) -> Int? {
        var isQuoted = false
        var hasText = false
        for (index, byte) in zip(bytes.indices, bytes) {
            if byte == ASCII.lineFeed || byte == ASCII.carriageReturn {
                if hasText && !isQuoted { return index }
            } else if byte != ASCII.space && byte != ASCII.tab {
                hasText = true
                if byte == ASCII.quote { isQuoted.toggle() }
            }
        }
        return nil
    }

    private static let separators = [ASCII.comma, UInt8(ascii: ";"), ASCII.tab, UInt8(ascii: "|")]

    private func place(_ line: Int) -> Place { Place(source: source, line: line, column: 1) }

    /// The positions of the wanted columns in the header just read; nil if one is missing or occurs twice.
    private func header(_ scanner: inout CSVScanner, _ columns: [String], _ report: (TextProblem) -> Bool) -> [Int]? {
        let place = place(scanner.line)
        if let fault = scanner.fault {
            var record = DelimitedRecord(place: place)
            (record.origin, record.starts) = ((scanner.bytes, scanner.start), [fault.position])
            _ = report(TextProblem(place: record.place(of: 0), message: fault.message))
            return nil
        }
        let names = scanner.fields.compactMap { scanner.text(of: $0, orLatin1: acceptsLatin1) }
        guard names.count == scanner.fields.count else {
            _ = report(TextProblem(place: place, message: "expected UTF-8 in the header"))
            return nil
        }
        var indices: [Int] = []
        for column in columns {
            let found = names.indices.filter { names[$0] == column }
            if found.count == 1 {
                indices.append(found[0])
                continue
            }
            let known = names.prefix(20).map(\.inQuotes).joined(separator: ", ")
            let hint = nearest(column, among: names).map { "did you mean \($0.inQuotes)?" } ?? "found \(known)"
            let message: String =
                found.isEmpty
                ? "expected a column \(column.inQuotes); \(hint)"
                : "expected one column \(column.inQuotes), found \(found.count)"
            guard report(TextProblem(place: place, message: message)) else { return nil }
        }
        return indices.count == columns.count ? indices : nil
    }
}
