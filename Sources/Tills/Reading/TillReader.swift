import Platform
import TextFormats

/// Reads a till, for a fit and for a trace alike: CSV with any usual separator, JSON Lines, or a stand's own ledger.
package struct TillReader {
    private let request: TillRequest
    /// Called every few thousand lines with the number of lines read.
    private let progress: (Int) -> Void

    package init(_ request: TillRequest, progress: @escaping (Int) -> Void = { _ in }) {
        self.request = request
        self.progress = progress
    }

    /// Reads the orders of a till to fit.
    ///
    /// - Throws: ``TillError``.
    package func till() throws(TillError) -> Till { try Till(lines()) }

    /// Reads the lines that count, in the order of their times.
    ///
    /// - Parameters:
    ///   - onPiece: Called with each piece of the file.
    ///   - keeps: Called with the item of each line that counts, and with its place. Returns false to leave the line
    ///     out.
    /// - Throws: ``TillError``.
    package func lines(
        onPiece: @escaping ([UInt8]) -> Void = { _ in },
        keeps: @escaping (_ item: String, _ place: () -> Place) -> Bool = { _, _ in true }
    ) throws(TillError) -> TillLines {
        let pieces = try FilePieces(of: request.file, onPiece: onPiece)
        do throws(TillError) {
            let lines = try lines(pieces, keeps)
            guard let failure = pieces.failure else { return lines }
            throw .unreadable(path: request.file, reason: failure.reason)
        } catch {
            throw pieces.failure.map { .unreadable(path: request.file, reason: $0.reason) } ?? error
        }
    }

    private func lines(
        _ pieces: FilePieces, _ keeps: @escaping (_ item: String, _ place: () -> Place) -> Bool
    ) throws(TillError) -> TillLines {
        var reader = DelimitedReader(source: request.file, pieces: pieces.next)
        try check(reader)
        let isLedger = reader.isJSONLines && Set(["seq", "at", "event"]).isSubset(of: reader.names)
        let finder = ColumnFinder(file: request.file, names: reader.names, rows: isLedger ? [] : reader.sample)
        guard request.isTrace || isLedger || !reader.sample.isEmpty else {
            if let fault = firstFault(reader) { throw .badTill(fault) }
            throw problem("expected orders below the header, found none")
        }
        if !request.isTrace { try checkOptions(reader.names) }
        let columns = isLedger ? LedgerTill.columns : try finder.find(request.columns)
        var lines = TillLines(request, columns, finder, isLedger: isLedger, keeps: keeps)
        var ledger = LedgerTill()
        var record = DelimitedRecord(source: request.file)
        do throws(TextProblem) { try reader.select(isLedger ? LedgerTill.wanted : lines.wanted) } catch {
            throw .badTill(error)
        }
        var read = 0
        var unreadable: TextProblem?
        while true {
            do throws(TextProblem) {
                guard try reader.next(&record) else { break }
                read += 1
                if read % 65_536 == 0 { progress(read) }
                if isLedger {
                    ledger.read(record, into: &lines)
                } else {
                    lines.read(record)
                }
            } catch {
                unreadable = unreadable ?? error
                lines.skip(error.place.line, error.message)
            }
        }
        if read == 0, let unreadable { throw .badTill(unreadable) }
        if isLedger { lines.notes += ledger.notes }
        if case .utf8 = pieces.encoding {
            lines.notes.append("The text is \(pieces.encoding.name).")
        } else {
            lines.surprises.append("The text is read as \(pieces.encoding.name).")
        }
        try lines.settle()
        return lines
    }

    // MARK: The beginning

    /// - Throws: ``TillError`` if the file is no text with names of columns.
    private func check(_ reader: DelimitedReader) throws(TillError) {
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
            if !marks.isEmpty, let fault = firstFault(reader) { throw .badTill(fault) }
            throw problem(names)
        }
        var times = TimeReader()
        if !reader.isJSONLines, reader.names.contains(where: { times.read($0)?.hasDate ?? false }) {
            throw problem("\(names), found an order")
        }
    }

    /// The fault of the header or of the first record.
    private func firstFault(_ reader: DelimitedReader) -> TextProblem? {
        var reader = reader
        var record = DelimitedRecord(source: request.file)
        do throws(TextProblem) {
            try reader.select([])
            _ = try reader.next(&record)
            return nil
        } catch {
            return error
        }
    }

    private func checkOptions(_ names: [String]) throws(TillError) {
        var named: [(String, String)] = []
        for role in TillColumns.Role.allCases {
            named += request.columns[role].map { ("\(role)", $0) }
        }
        named += request.conditions.map { ("where", $0.column) }
        for (option, column) in named where !names.contains(column) {
            let hint = hint(column, among: names)
            let known = "; its columns are \(names.prefix(20).map { "\"\($0)\"" }.joined(separator: ", "))"
            throw .badOption("--\(option): \(request.file) has no column \"\(column)\"\(hint == "" ? known : hint)")
        }
        if let format = request.timeFormat, TimeFormat(format) == nil {
            throw .badOption(
                "--time-format must be a format of strptime such as \"%d.%m.%Y %H:%M\", found \"\(format)\"")
        }
    }

    private func problem(_ message: String) -> TillError { .badTill(request.file, line: 1, message) }
}
