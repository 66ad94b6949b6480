import Platform
import TextFormats

/// Reads a till, for a fit and for a trace alike: CSV with any usual separator, JSON Lines, or a stand's own ledger.
package struct TillReader {
    private let request: TillRequest
    /// Called every few thousand lines with the number of lines read.
    private let progress: (Int) -> Void
    /// A file of more bytes is refused.
    private static let mostBytes = 4 << 30

    package init(_ request: TillRequest, progress: @escaping (Int) -> Void = { _ in }) {
        self.request = request
        self.progress = progress
    }

    /// Reads the orders of a till to fit.
    ///
    /// - Parameter bytes: The text, if it is in memory.
    /// - Throws: ``TillError``.
    package func till(_ bytes: [UInt8]? = nil) throws(TillError) -> Till {
        try Till(lines(bytes))
    }

    /// Reads the lines that count, in the order of their times.
    ///
    /// - Parameters:
    ///   - bytes: The text, if it is in memory.
    ///   - onPiece: Called with each piece of the file.
    ///   - accepts: Called with each line that counts, and the names of the items. Returns false to leave the line out.
    ///     What it throws is listed in ``TillLines/problems``.
    /// - Throws: ``TillError``.
    package func lines(
        _ bytes: [UInt8]? = nil, onPiece: @escaping ([UInt8]) -> Void = { _ in },
        accepts: TillLines.Acceptance = { _, _ in true }
    ) throws(TillError) -> TillLines {
        let pieces =
            if let bytes {
                try FilePieces(request.file, bytes.count) { offset, count in Array(bytes[offset...].prefix(count)) }
            } else {
                try FilePieces(of: request.file, most: Self.mostBytes, onPiece: onPiece)
            }
        do throws(TillError) {
            let lines = try lines(pieces, accepts)
            guard let failure = pieces.failure else { return lines }
            throw .unreadable(path: request.file, reason: failure.reason)
        } catch {
            throw pieces.failure.map { TillError.unreadable(path: request.file, reason: $0.reason) } ?? error
        }
    }

    private func lines(_ pieces: FilePieces, _ accepts: TillLines.Acceptance) throws(TillError) -> TillLines {
        let reader = DelimitedReader(source: request.file, pieces: pieces.next)
        try checkForm(of: reader)
        let isLedger = reader.isJSONLines && Set(["seq", "at", "event"]).isSubset(of: reader.names)
        let rows = isLedger ? [] : try sample(reader)
        let finder = ColumnFinder(file: request.file, names: reader.names, rows: rows)
        if !request.isTrace { try checkOptions(reader.names) }
        let columns = isLedger ? LedgerTill.columns : try finder.find(request.columns)
        let quantities = QuantityReader(columns.quantity.map(finder.texts) ?? [])
        let newlines = reader.beginning.count { $0 == ASCII.lineFeed }
        let count = newlines * pieces.size / max(reader.beginning.count, 1)
        var lines = TillLines(
            request, columns, quantities, times: finder.times(columns.time), isLedger: isLedger,
            count: count + count / 16)
        var ledger = LedgerTill()
        var read = 0
        var unreadable: TextProblem?
        reader.forEachRecord(of: isLedger ? LedgerTill.wanted : lines.wanted) { (record) throws(TextProblem) in
            read += 1
            if read % 65_536 == 0 { progress(read) }
            if isLedger {
                try ledger.read(record, into: &lines, accepts)
            } else {
                try lines.read(record, accepts)
            }
        } report: { problem in
            if unreadable == nil { unreadable = problem }
            lines.skip(problem.place.line, problem.message)
            return true
        }
        if read == 0, let unreadable { throw .badTill(unreadable) }
        lines.decisions.notes += isLedger ? ledger.notes : []
        if case .utf8 = pieces.encoding {
            lines.decisions.notes.append("The text is \(pieces.encoding.name).")
        } else {
            lines.decisions.warnings.append("The text is read as \(pieces.encoding.name).")
        }
        try lines.settle()
        return lines
    }

    // MARK: The beginning

    private func checkForm(of reader: DelimitedReader) throws(TillError) {
        let start = reader.beginning
        if let zero = start.prefix(4096).firstIndex(of: 0) {
            throw problem("expected text, found a zero byte at position \(zero + 1); export the till as CSV")
        }
        let marks = start.lazy.filter { $0 > ASCII.space && !ASCII.byteOrderMark.contains($0) }.prefix(2)
        if Array(marks) == [UInt8(ascii: "["), ASCII.openBrace] {
            throw problem("expected CSV or JSON Lines, found a JSON array; write one object a line, without brackets")
        }
        let names = "expected a header line with the names of the columns"
        guard !reader.names.isEmpty else {
            // A fault of the header says more.
            let fault = reader.sample.forEachRecord(of: [], most: 1) { _ in }
            if let fault = fault.first, start.contains(where: { $0 > ASCII.space }) { throw .badTill(fault) }
            throw problem(names)
        }
        var times = TimeReader()
        if !reader.isJSONLines, reader.names.contains(where: { times.read($0)?.hasDate ?? false }) {
            throw problem("\(names), found an order")
        }
    }

    private func checkOptions(_ names: [String]) throws(TillError) {
        let columns = request.columns
        let conditions = request.conditions.map { ("where", $0.column) }
        for (role, column) in columns.named.map({ ($0.role, $0.column) }) + conditions {
            for part in role == "time" ? columns.time : [column] where !names.contains(part) {
                let known = names.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ")
                let hint = hint(part, among: names)
                let end = hint == "" ? "; its columns are \(known)" : hint
                throw .badOption("--\(role): \(request.file) has no column \"\(part)\"\(end)")
            }
        }
        if let format = request.timeFormat, TimeFormat(format) == nil {
            throw .badOption(
                "--time-format must be a format of strptime such as \"%d.%m.%Y %H:%M\", found \"\(format)\"")
        }
    }

    /// The first records with the texts of all columns. A column whose name occurs twice is left out.
    private func sample(_ reader: DelimitedReader) throws(TillError) -> [[String]] {
        var rows: [[String]] = []
        let unique = reader.names.filter { name in reader.names.count { $0 == name } == 1 }
        let problems = reader.sample.forEachRecord(of: unique, most: .max) { record in
            guard !record.isEmpty, rows.count < ColumnFinder.mostRows else { return }
            var next = 0
            rows.append(
                reader.names.map { name in
                    guard unique.contains(name) else { return "" }
                    next += 1
                    return record[next - 1] ?? ""
                })
        }
        if rows.isEmpty, !request.isTrace {
            if let first = problems.first { throw .badTill(first) }
            throw problem("expected orders below the header, found none")
        }
        return rows
    }

    private func problem(_ message: String) -> TillError {
        .badTill(TextProblem(place: Place(source: request.file, line: 1, column: 1), message: message))
    }
}
