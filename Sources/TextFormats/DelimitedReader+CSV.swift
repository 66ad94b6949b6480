extension DelimitedReader {
    func readCSV(
        _ columns: [String], _ body: (DelimitedRecord) throws(TextProblem) -> Void, _ report: (TextProblem) -> Bool
    ) {
        var scanner = CSVScanner(text, from: start, separator: layout.separator)
        for _ in 0..<layout.recordsBefore { _ = scanner.next() }
        guard scanner.next() else {
            _ = report(TextProblem(place: place(1), message: "expected a header line, found no text"))
            return
        }
        let width = scanner.fields.count
        guard let indices = header(&scanner, columns, report) else { return }
        var record = DelimitedRecord(place: place(scanner.line))
        while scanner.next() {
            record.place.line = scanner.line
            record.bytes = scanner.bytes
            record.start = scanner.start
            do throws(TextProblem) {
                if let fault = scanner.fault {
                    throw TextProblem(place: record.place(at: fault.position), message: fault.message)
                }
                let fields = scanner.fields
                record.isEmpty = fields.allSatisfy { $0.start == $0.end }
                // Some programs end each line with a separator.
                guard
                    fields.count == width || record.isEmpty
                        || fields.count > width && fields[width...].allSatisfy({ $0.start == $0.end })
                else {
                    let message = "expected \(width) fields as in the header, found \(fields.count)"
                    throw TextProblem(place: record.place, message: message)
                }
                record.removeFields()
                for index in indices {
                    record.fields.append(index < fields.count ? scanner.field(fields[index], &record.own) : nil)
                }
                try body(record)
            } catch {
                guard report(error) else { return }
            }
        }
    }

    private func place(_ line: Int) -> Place { Place(source: source, line: line, column: 1) }

    /// The positions of the wanted columns in the header just read; nil if one is missing or occurs twice.
    private func header(_ scanner: inout CSVScanner, _ columns: [String], _ report: (TextProblem) -> Bool) -> [Int]? {
        let place = place(scanner.line)
        if let fault = scanner.fault {
            var record = DelimitedRecord(place: place)
            (record.bytes, record.start) = (scanner.bytes, scanner.start)
            _ = report(TextProblem(place: record.place(at: fault.position), message: fault.message))
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
