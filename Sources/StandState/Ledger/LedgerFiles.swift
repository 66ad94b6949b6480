import Platform

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
            let (isNamed, isOtherNamed) = ($0.isNamed(after: path), $1.isNamed(after: path))
            return isNamed == isOtherNamed ? $0.last! > $1.last! : isNamed
        }
    }
}

extension LedgerReading {
    /// Whether the file's name begins with the name of that ledger.
    func isNamed(after path: String) -> Bool { file.path.hasPrefix(path) }
}
