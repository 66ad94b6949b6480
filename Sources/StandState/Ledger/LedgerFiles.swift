import Platform
import TextFormats

/// The files of a ledger: the one that is written, and those that were rotated or moved away.
package enum LedgerFiles {
    /// Opens a ledger for appending.
    static func open(_ path: String) throws(FileError) -> DiskFile {
        try DiskFile(path, .appending, mode: 0o644, followsLink: true)
    }

    /// Opens a ledger for appending, and locks it until it is closed.
    ///
    /// - Throws: ``FileError``, also if another process writes it.
    static func openLocked(_ path: String) throws(FileError) -> DiskFile {
        let file = try open(path)
        try file.lockOrThrow()
        return file
    }

    /// The name of a rotated file. It holds the number of the first line, so that names sort.
    package static func rotated(_ path: String, first: UInt64) -> String {
        "\(path).\(Columns.zeroPadded(first, 16))"
    }

    /// The rotated files, oldest first.
    package static func rotated(_ path: String) throws(FileError) -> [String] {
        try siblings(path).filter { name in
            UInt64(name.dropFirst(path.count + 1)).map { rotated(path, first: $0) == name } ?? false
        }.sorted()
    }

    /// Of the files beside the ledger whose names begin with its name, the one with the last line.
    package static func lastMovedAway(_ path: String) throws(FileError) -> LedgerReading? {
        var latest: LedgerReading?
        for sibling in try siblings(path) {
            do throws(FileError) {
                let reading = try LedgerReading(sibling)
                if reading.last ?? 0 > latest?.last ?? 0 { latest = reading }
            } catch {
                // Not a ledger: a compressed one, for example.
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
