import Platform

/// When a ledger's file is full, and how many full ones are kept.
package struct LedgerRotation: Equatable, Sendable {
    /// Bytes.
    package var size: Int?
    /// Seconds; files end at whole multiples of it since 1970.
    package var age: Int?
    /// nil keeps all.
    package var keep: Int?

    package init() {}
}

extension LedgerFile {
    func isFull(_ state: State, adding bytes: Int) -> Bool {
        guard state.whole > 0 else { return false }
        if let size = rotation.size, state.whole + bytes > size { return true }
        return rotation.age.map { now() / $0 != state.span } ?? false
    }

    /// Renames the full file and begins another one.
    ///
    /// A crash on the way leaves the file with two names, or the old name free, and never a line in two files.
    func rotate(_ state: inout State) -> FileError? {
        let name = LedgerFiles.rotated(path, first: state.first)
        do throws(FileError) {
            if let there = try Self.identity(path) {
                let own = try state.file.status().identity
                guard there == own else { return FileError(path: path, reason: "is another file") }
                if try Self.identity(name) != own { try link(as: name) }
                try Folder.remove(path)
            }
            begin(try LedgerFiles.openLocked(path), &state)
        } catch {
            return error
        }
        guard let keep = rotation.keep else { return nil }
        // Until the new file has a line, only the old one tells a start where the ledger goes on.
        state.isLastToGo = keep == 0
        return remove(keeping: max(keep, 1))
    }

    private func link(as name: String) throws(FileError) {
        do throws(FileError) { try Folder.link(path, as: name) } catch {
            // The name was given to another file while this one was looked up.
            throw error.isMissing ? FileError(path: path, reason: "is another file") : error
        }
    }

    /// Removes the oldest of the full files.
    func remove(keeping most: Int) -> FileError? {
        do throws(FileError) {
            for old in try LedgerFiles.rotated(path).dropLast(most) { try Folder.remove(old) }
            return nil
        } catch {
            return error
        }
    }

    /// nil if there is no such file.
    private static func identity(_ path: String) throws(FileError) -> DiskFile.Identity? {
        do { return try DiskFile(path, .reading, followsLink: true).status().identity } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// Goes on in the file that has the ledger's name now, after the old one was moved away; a new file is created.
    ///
    /// - Returns: why it goes on in the old file; nil if it does not have to.
    package func reopen() -> FileError? {
        state.withLock { state in
            do throws(FileError) {
                let file = try LedgerFiles.open(path)
                let status = try file.status()
                guard try status.identity != state.file.status().identity else { return nil }
                try file.lockOrThrow()
                guard status.size == 0 else {
                    return FileError(path: path, reason: "is not empty; the ledger goes on in the file of before")
                }
                begin(file, &state)
                return nil
            } catch {
                return error
            }
        }
    }

    private func begin(_ file: DiskFile, _ state: inout State) {
        if hasState { state.unsynchronized.append(state.file) }
        state.file = file
        state.whole = 0
        state.first = state.last + 1
        state.span = rotation.age.map { now() / $0 } ?? 0
    }
}
