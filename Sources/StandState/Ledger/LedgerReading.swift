import JuiceStand
import Platform

/// A file of a ledger, for reading: lines in the order of their sequence numbers.
package struct LedgerReading {
    private static let block = 1 << 13

    package let file: DiskFile
    /// Bytes up to the end of the last whole line.
    package private(set) var length = 0
    /// Bytes of a torn line after it.
    package private(set) var torn = 0
    /// The sequence numbers of the first and the last line; nil if there is no whole line.
    package private(set) var first: UInt64?
    package private(set) var last: UInt64?
    /// The place of the last whole line.
    private(set) var startOfLastLine = 0

    /// - Throws: ``FileError`` if the file can't be read or is not a ledger.
    package init(_ path: String, on disk: any Disk = SystemDisk()) throws(FileError) {
        file = try DiskFile(path, .reading, followsLink: true, on: disk)
        let size = try file.size()
        // A long file that is no ledger is not searched for the end of a line.
        guard Self.isBeginning(try file.read(at: 0, count: LedgerLine.beforeSequence.count)) else {
            throw FileError(path: path, reason: "byte 0: must be a line of a ledger")
        }
        length = try Self.endOfLastLine(in: file, size: size)
        torn = size - length
        guard length > 0 else { return }
        first = try sequence(at: 0)
        startOfLastLine = try Self.endOfLastLine(in: file, size: length - 1)
        last = try sequence(at: startOfLastLine)
    }

    /// Whether a file that begins with these bytes may be a ledger: it is empty, or its first line was torn and the
    /// rest may be zeros.
    private static func isBeginning(_ bytes: [UInt8]) -> Bool {
        LedgerLine.beforeSequence.starts(with: bytes.prefix { $0 != 0 })
            && bytes.drop { $0 != 0 }.allSatisfy { $0 == 0 }
    }

    /// Whether the file's name begins with the name of that ledger.
    func isNamed(after path: String) -> Bool { file.path.hasPrefix(path) }

    /// The bytes of the torn line, without the zeros that a power cut may leave in place of unwritten bytes.
    func tornLine() throws(FileError) -> [UInt8] {
        let bytes = try file.read(at: length, count: torn)
        return Array(bytes[..<((bytes.lastIndex { $0 != 0 } ?? -1) + 1)])
    }

    private func sequence(at offset: Int) throws(FileError) -> UInt64 {
        guard let number = LedgerLine.sequence(try file.read(at: offset, count: 40)) else {
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

    /// Where the line with that number begins; ``length`` if the file ends before it, 0 if the file begins after it.
    ///
    /// - Complexity: O(log *n*) reads for *n* bytes
    package func offset(of sequence: UInt64) throws(FileError) -> Int {
        guard let first, let last, sequence > first else { return 0 }
        guard sequence <= last else { return length }
        // The line wanted begins in low..<high; low is the beginning of a line.
        var low = 0
        var high = length
        while true {
            let middle = try Self.endOfLastLine(in: file, size: low + (high - low) / 2)
            guard middle > low else { break }
            if try self.sequence(at: middle) <= sequence { low = middle } else { high = middle }
        }
        // The rest is short, or one long line.
        while try self.sequence(at: low) < sequence { low = try endOfLine(at: low) }
        return low
    }

    /// A line without its line feed; nil if the file does not have it.
    func line(_ sequence: UInt64) throws(FileError) -> String? {
        guard let first, let last, first <= sequence, sequence <= last else { return nil }
        return String(decoding: try lines(at: offset(of: sequence), limit: 1).dropLast(), as: UTF8.self)
    }

    /// The last whole line without its line feed; empty if there is none.
    package func lastLine() throws(FileError) -> [UInt8] {
        guard length > 0 else { return [] }
        return try file.read(at: startOfLastLine, count: length - 1 - startOfLastLine)
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

/// The files of a ledger: the one that is written, and older ones that were moved away.
enum LedgerFiles {
    /// Opens a ledger for appending.
    static func open(_ path: String, on disk: any Disk) throws(FileError) -> DiskFile {
        try DiskFile(path, .appending, mode: 0o644, followsLink: true, on: disk)
    }

    /// Opens a ledger for appending, and locks it until it is closed.
    ///
    /// - Throws: ``FileError``, also if another process writes it.
    static func openLocked(_ path: String, on disk: any Disk) throws(FileError) -> DiskFile {
        let file = try open(path, on: disk)
        try file.lockOrThrow()
        return file
    }

    /// The other files in a ledger's folder that begin with a line of a ledger, whatever their names; compressed ones
    /// do not. Files that are named after the ledger come first, and among these the latest.
    static func beside(_ path: String, on disk: any Disk) throws(FileError) -> [LedgerReading] {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var found: [LedgerReading] = []
        for other in try Folder.names(in: folder(ofFile: path)) where other != name {
            // Not a regular file, not a ledger, or moved on at this instant.
            do throws(FileError) {
                found.append(try LedgerReading(path.dropLast(name.count) + other, on: disk))
            } catch {}
        }
        return found.filter { $0.first != nil }.sorted {
            let isNamed = $0.isNamed(after: path)
            let isOtherNamed = $1.isNamed(after: path)
            return isNamed == isOtherNamed ? $0.last! > $1.last! : isNamed
        }
    }
}
