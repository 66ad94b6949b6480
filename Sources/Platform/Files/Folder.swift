/// Folders and the names in them; every call is checked.
package enum Folder {
    /// Makes a folder and its missing parents, which only this user may enter.
    ///
    /// The names of new folders are on the disk when it returns.
    package static func make(_ path: String, on disk: any Disk = SystemDisk()) throws(FileError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
            if disk.makeFolder(made) == 0 {
                try synchronize(folder(ofFile: made), on: disk)
            } else if errno != EEXIST {
                throw FileError(lastErrorAt: made)
            }
        }
    }

    /// Checks that other users cannot put files into a folder.
    ///
    /// - Throws: ``FileError`` if another user owns it, or if its mode lets others write.
    package static func checkIsPrivate(_ path: String) throws(FileError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw FileError(lastErrorAt: path) }
        guard status.st_uid == geteuid() else {
            throw FileError(
                path: path,
                reason: "belongs to user \(status.st_uid), but user \(geteuid()) runs this program; "
                    + "name a directory of your own, or change the owner with chown")
        }
        guard status.st_mode & 0o022 == 0 else {
            let mode = String(status.st_mode & 0o7777, radix: 8)
            throw FileError(
                path: path, reason: "other users can write there (mode \(mode)); take that right away with chmod go-w")
        }
    }

    /// The names of its entries, unordered.
    package static func names(in path: String) throws(FileError) -> [String] {
        guard let folder = unsafe opendir(path) else { throw FileError(lastErrorAt: path) }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    package static func rename(_ old: String, to new: String, on disk: any Disk = SystemDisk()) throws(FileError) {
        guard disk.rename(old, to: new) == 0 else { throw FileError(lastErrorAt: new) }
    }

    /// Gives a file a second name, which must be free.
    package static func link(_ old: String, as new: String) throws(FileError) {
        guard systemLink(old, new) == 0 else { throw FileError(lastErrorAt: new) }
    }

    /// Removes a file, if it is there.
    package static func remove(_ path: String, on disk: any Disk = SystemDisk()) throws(FileError) {
        guard disk.remove(path) == 0 || errno == ENOENT else { throw FileError(lastErrorAt: path) }
    }

    /// Returns when names made, changed or removed in a folder are on the disk.
    ///
    /// - Throws: ``FileError``, but not if the file system can't synchronize folders.
    package static func synchronize(_ path: String, on disk: any Disk = SystemDisk()) throws(FileError) {
        guard disk.synchronizeFolder(path) == 0 else { throw FileError(lastErrorAt: path) }
    }
}

// MARK: - Paths

/// The folder a file lies in.
package func folder(ofFile path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// `path` from the root, whatever the current folder will be.
package func absolutePath(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(folder) }
    return unsafe String(cString: folder) + "/" + path
}

// MARK: - The system's calls, where a method hides their names

private func systemLink(_ old: String, _ new: String) -> Int32 { unsafe link(old, new) }
