import JuiceStand
import Platform

/// A ledger's file as it lies on the disk: lines in the order of their sequence numbers.
package struct LedgerReading {
    private static let block = 1 << 13

    package let file: DiskFile
    /// Bytes up to the end of the last whole line.
    package private(set) var length = 0
    /// Bytes of a torn line behind it.
    package private(set) var torn = 0
    /// The sequence number of the first line; nil where there is no whole line.
    package private(set) var first: UInt64?
    package private(set) var last: UInt64?

    /// - Parameter file: A regular one, open for reading.
    /// - Throws: ``FileError`` where it can't be read or is no ledger.
    package init(_ file: DiskFile) throws(FileError) {
        self.file = file
        let size = try file.size()
        length = try Self.endOfLastLine(in: file, size: size)
        torn = size - length
        guard length > 0 else { return }
        first = try sequence(at: 0)
        last = try sequence(at: startOfLine(endingAt: length))
    }

    /// The number that a line begins with: `{"seq":N,`.
    package static func sequence(_ line: some Sequence<UInt8>) -> UInt64? {
        var number: UInt64?
        var prefix = "{\"seq\":".utf8.makeIterator()
        var isInPrefix = true
        for byte in line {
            if isInPrefix, let expected = prefix.next() {
                guard byte == expected else { return nil }
                continue
            }
            isInPrefix = false
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else {
                return byte == UInt8(ascii: ",") ? number : nil
            }
            let (product, overflow) = (number ?? 0).multipliedReportingOverflow(by: 10)
            guard !overflow, product < .max - 9 else { return nil }
            number = product + UInt64(byte - UInt8(ascii: "0"))
        }
        return nil
    }

    private func sequence(at offset: Int) throws(FileError) -> UInt64 {
        guard let number = Self.sequence(try file.read(at: offset, count: 40)) else {
            throw FileError(path: file.path, reason: "byte \(offset): must be a line of a ledger")
        }
        return number
    }

    private static func endOfLastLine(in file: DiskFile, size: Int) throws(FileError) -> Int {
        var end = size
        while end > 0 {
            let start = max(0, end - block)
            let bytes = try file.read(at: start, count: end - start)
            if let place = bytes.lastIndex(of: UInt8(ascii: "\n")) { return start + place + 1 }
            end = start
        }
        return 0
    }

    private func startOfLine(endingAt end: Int) throws(FileError) -> Int {
        try Self.endOfLastLine(in: file, size: end - 1)
    }

    /// Where the line of that number begins; ``length`` where the file ends before it, 0 where it begins after it.
    ///
    /// - Complexity: O(log *n*) reads for *n* bytes
    package func offset(of sequence: UInt64) throws(FileError) -> Int {
        guard let first, let last, sequence > first else { return 0 }
        guard sequence <= last else { return length }
        // The line wanted begins in low..<high; low is the beginning of a line.
        var (low, high) = (0, length)
        while true {
            let middle = try Self.endOfLastLine(in: file, size: low + (high - low) / 2)
            guard middle > low else { break }
            if try self.sequence(at: middle) <= sequence { low = middle } else { high = middle }
        }
        // What is left is short, or one long line.
        while try self.sequence(at: low) < sequence { low = try endOfLine(at: low) }
        return low
    }

    /// The last whole line without its line feed; empty where there is none.
    package func lastLine() throws(FileError) -> [UInt8] {
        guard length > 0 else { return [] }
        let start = try startOfLine(endingAt: length)
        return try file.read(at: start, count: length - 1 - start)
    }

    private func endOfLine(at start: Int) throws(FileError) -> Int {
        var offset = start
        while offset < length {
            let bytes = try file.read(at: offset, count: min(Self.block, length - offset))
            if let place = bytes.firstIndex(of: UInt8(ascii: "\n")) { return offset + place + 1 }
            offset += bytes.count
        }
        return length
    }

    /// Whole lines from `offset` on: at most `limit` bytes, but at least one line.
    package func lines(at offset: Int, limit: Int) throws(FileError) -> [UInt8] {
        let bytes = try file.read(at: offset, count: min(limit, length - offset))
        if let place = bytes.lastIndex(of: UInt8(ascii: "\n")) { return Array(bytes[...place]) }
        guard offset < length else { return [] }
        return try file.read(at: offset, count: endOfLine(at: offset) - offset)
    }
}

/// All the files of one ledger.
package enum LedgerFiles {
    /// What a file is called once it has been rotated: its first line's number is part of it, so that names sort.
    package static func rotated(_ path: String, first: UInt64) -> String {
        let digits = String(first)
        return "\(path).\(String(repeating: "0", count: max(0, 16 - digits.count)) + digits)"
    }

    /// The rotated files, oldest first.
    package static func rotated(_ path: String) throws(FileError) -> [String] {
        try siblings(path).filter { name in
            UInt64(name.dropFirst(path.count + 1)).map { rotated(path, first: $0) == name } ?? false
        }.sorted()
    }

    /// Of the files beside the ledger that begin with its name, whoever moved them there, the one with the last line.
    package static func lastMovedAway(_ path: String) throws(FileError) -> LedgerReading? {
        var latest: LedgerReading?
        for sibling in try siblings(path) {
            do throws(FileError) {
                let reading = try LedgerReading(DiskFile(sibling, .reading))
                if reading.last ?? 0 > latest?.last ?? 0 { latest = reading }
            } catch {
                // No ledger, such as a packed one.
                continue
            }
        }
        return latest
    }

    private static func siblings(_ path: String) throws(FileError) -> [String] {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return try Folder.names(in: folder(ofFile: path)).filter { $0.hasPrefix("\(name).") }.map {
            path.dropLast(name.count) + $0
        }
    }
}
