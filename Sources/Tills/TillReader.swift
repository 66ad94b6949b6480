import Platform
import TextFormats

/// Reads a till: CSV with any usual separator, JSON Lines, or a stand's own ledger.
package struct TillReader {
    let file: String
    let columns: TillColumns
    let timeFormat: String?
    /// Called every few thousand lines with the number of lines read.
    private let progress: (Int) -> Void

    /// - Parameters:
    ///   - columns: The columns that the user named. The others are found.
    ///   - timeFormat: The format of all times, in the conversions of ``TimeReader``; nil to find it.
    package init(
        file: String, columns: TillColumns = TillColumns(), timeFormat: String? = nil,
        progress: @escaping (Int) -> Void = { _ in }
    ) {
        self.file = file
        self.columns = columns
        self.timeFormat = timeFormat
        self.progress = progress
    }

    /// - Throws: ``TillError``.
    package func read() throws(TillError) -> Till {
        let pieces = try FilePieces(of: file)
        do throws(TillError) {
            let till = try read(pieces)
            guard let failure = pieces.failure else { return till }
            throw .unreadable(path: file, reason: failure.reason)
        } catch {
            throw pieces.failure.map { TillError.unreadable(path: file, reason: $0.reason) } ?? error
        }
    }

    /// Reads a till that is in memory.
    ///
    /// - Throws: ``TillError``.
    package func read(_ bytes: [UInt8]) throws(TillError) -> Till {
        try read(FilePieces(file, bytes.count) { offset, count in Array(bytes[offset...].prefix(count)) })
    }

    private func read(_ pieces: FilePieces) throws(TillError) -> Till {
        let size = pieces.size
        let beginning = try begin(pieces.next)
        let (start, names) = (beginning.bytes, beginning.names)
        guard !names.isEmpty else {
            // A fault of the header says more.
            let fault = DelimitedReader(start, source: file, acceptsLatin1: true).forEachRecord(of: [], most: 1) { _ in
            }
            if let fault = fault.first, start.contains(where: { $0 > ASCII.space }) { throw .badTill(fault) }
            throw problem("expected a header line with the names of the columns")
        }
        if beginning.isJSONLines, Set(["seq", "at", "event"]).isSubset(of: names) {
            return try LedgerTill(file: file, progress: progress).read(beginning.reader)
        }
        var guesser = DateGuesser()
        if !beginning.isJSONLines, names.contains(where: { guesser.read($0)?.form != nil }) {
            throw problem("expected a header line with the names of the columns, found an order")
        }
        let rows = try sample(start, isWhole: start.count == size, names)
        let found = try ColumnFinder(file: file, names: names, rows: rows).columns(columns)
        let count = rows.count * size / max(start.count, 1)
        var lines = try TillLines(
            columns: found, timeFormat: timeFormat, purpose: .fit, count: count + count / 16)
        var read = 0
        var unreadable: TextProblem?
        beginning.reader.forEachRecord(of: lines.wanted) { (record) throws(TextProblem) in
            read += 1
            if read % 65_536 == 0 { progress(read) }
            _ = try lines.read(record)
        } report: { problem in
            if unreadable == nil { unreadable = problem }
            lines.skip(problem.place.line, problem.message)
            return true
        }
        if read == 0, let unreadable { throw .badTill(unreadable) }
        var till = try lines.till(file, read: lines.lines.count + lines.skipped.count)
        till.notes.append("The text is \(pieces.encoding.name).")
        return till
    }

    /// The beginning of a file, and a reader of the whole.
    struct Beginning {
        let bytes: [UInt8]
        let names: [String]
        let isJSONLines: Bool
        let reader: DelimitedReader
    }

    /// Reads the first piece and the names of the columns in it.
    func begin(_ pieces: @escaping () -> [UInt8]) throws(TillError) -> Beginning {
        let start = pieces()
        if let zero = start.prefix(4096).firstIndex(of: 0) {
            throw problem("expected text, found a zero byte at position \(zero + 1); export the till as CSV")
        }
        let marks = start.lazy.filter { $0 > ASCII.space && !ASCII.byteOrderMark.contains($0) }.prefix(2)
        if Array(marks) == [UInt8(ascii: "["), ASCII.openBrace] {
            throw problem("expected CSV or JSON Lines, found a JSON array; write one object a line, without brackets")
        }
        // The columns are found in the beginning, which is read again with the rest.
        let (names, isJSONLines) = DelimitedReader(start, source: file, acceptsLatin1: true).readColumns()
        var unread: [UInt8]? = start
        let reader = DelimitedReader(source: file, acceptsLatin1: true) {
            defer { unread = nil }
            return unread ?? pieces()
        }
        return Beginning(bytes: start, names: names, isJSONLines: isJSONLines, reader: reader)
    }

    /// The first records with the texts of all columns. A column whose name occurs twice is left out.
    private func sample(_ bytes: [UInt8], isWhole: Bool, _ names: [String]) throws(TillError) -> [[String]] {
        var start = bytes
        if !isWhole, let end = start.lastIndex(of: ASCII.lineFeed) { start.removeSubrange(end...) }
        var rows: [[String]] = []
        let unique = names.filter { name in names.count { $0 == name } == 1 }
        let reader = DelimitedReader(start, source: file, acceptsLatin1: true)
        let problems = reader.forEachRecord(of: unique, most: .max) { record in
            var next = 0
            rows.append(
                names.map { name in
                    guard unique.contains(name) else { return "" }
                    next += 1
                    return record[next - 1] ?? ""
                })
        }
        guard !rows.isEmpty else {
            if let first = problems.first { throw .badTill(first) }
            throw problem("expected orders below the header, found none")
        }
        return rows
    }

    private func problem(_ message: String) -> TillError {
        .badTill(TextProblem(place: Place(source: file, line: 1, column: 1), message: message))
    }
}
