extension DelimitedReader {
    func readCSV(
        _ text: PiecedText, from start: Int, _ columns: [String], problems: inout [TextProblem],
        _ body: (DelimitedRecord) throws(TextProblem) -> Void
    ) {
        var scanner = CSVScanner(text, from: start)
        guard scanner.next() else {
            problems.append(TextProblem(place: place(1), message: "expected a header line, found no text"))
            return
        }
        let width = scanner.fields.count
        let headerPlace = place(scanner.line)
        guard let indices = header(&scanner, columns, problems: &problems) else { return }
        var record = DelimitedRecord(place: headerPlace)
        while problems.count < Self.mostProblems, scanner.next() {
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
                    guard let text = scanner.text(of: field) else {
                        let message = "expected UTF-8 in column \(column.inQuotes)"
                        throw TextProblem(place: record.place(of: record.starts.count - 1), message: message)
                    }
                    record.fields.append(text)
                }
                try body(record)
            } catch {
                problems.append(error)
            }
        }
    }

    private func place(_ line: Int) -> Place { Place(source: source, line: line, column: 1) }

    /// The positions of the wanted columns in the header just read; nil if one is missing or occurs twice.
    private func header(
        _ scanner: inout CSVScanner, _ columns: [String], problems: inout [TextProblem]
    ) -> [Int]? {
        let place = place(scanner.line)
        if let fault = scanner.fault {
            problems.append(TextProblem(place: place, message: fault.message))
            return nil
        }
        let names = scanner.fields.compactMap { scanner.text(of: $0) }
        guard names.count == scanner.fields.count else {
            problems.append(TextProblem(place: place, message: "expected UTF-8 in the header"))
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
            let message =
                found.isEmpty
                ? "expected a column \(column.inQuotes); \(hint)"
                : "expected one column \(column.inQuotes), found \(found.count)"
            problems.append(TextProblem(place: place, message: message))
        }
        return indices.count == columns.count ? indices : nil
    }
}
