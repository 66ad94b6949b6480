/// An open file of which every operation is checked; closed with its release.
///
/// The system's calls about files that last, and about their folders, are all here.
package final class DiskFile: Sendable {
    package let path: String
    private let descriptor: Int32

    /// How a file is opened.
    package enum Use {
        case reading
        /// Made where it is missing; every write goes to the end.
        case appending
        case readingAndAppending
        /// Made, or made empty.
        case writingAnew
    }

    /// - Throws: ``FileError`` with the system's reason.
    package init(_ path: String, _ use: Use, mode: mode_t = 0o600) throws(FileError) {
        self.path = path
        let flags =
            switch use {
            case .reading: O_RDONLY
            case .appending: O_WRONLY | O_CREAT | O_APPEND
            case .readingAndAppending: O_RDWR | O_CREAT | O_APPEND
            case .writingAnew: O_WRONLY | O_CREAT | O_TRUNC | O_APPEND
            }
        descriptor = retrying { unsafe open(path, flags | O_CLOEXEC, mode) }
        guard descriptor >= 0 else {
            throw FileError(path: path, reason: reasonOfLastError(), isMissing: errno == ENOENT)
        }
    }

    deinit {
        close(descriptor)
    }

    /// Writes all of `bytes` at the end.
    ///
    /// - Throws: ``FileError``; some of the bytes may then be in the file.
    package func append(_ bytes: [UInt8]) throws(FileError) {
        if let failure = unsafe bytes.withUnsafeBytes({ unsafe append($0).failure }) { throw failure }
    }

    /// - Returns: how many bytes were written, and why not all.
    package func append(_ bytes: UnsafeRawBufferPointer) -> (written: Int, failure: FileError?) {
        var written = 0
        while written < bytes.count {
            let count = retrying { unsafe write(descriptor, bytes.baseAddress! + written, bytes.count - written) }
            if count < 0 || (count == 0 && bytes.count > 0) { return (written, error()) }
            written += count
        }
        return (written, nil)
    }

    /// Up to `count` bytes from `offset` on; fewer at the end of the file.
    package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let more = unsafe bytes.withUnsafeMutableBytes { buffer in
                retrying {
                    unsafe pread(descriptor, buffer.baseAddress! + filled, count - filled, off_t(offset + filled))
                }
            }
            if more < 0 { throw error() }
            if more == 0 { break }
            filled += more
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    /// What the file is like now.
    package func status() throws(FileError) -> (size: Int, isRegular: Bool, changed: Int, identity: Identity) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw error() }
        return (
            Int(status.st_size), status.st_mode & S_IFMT == S_IFREG, modificationTime(of: status), Identity(status)
        )
    }

    /// One and the same file, whatever it is called.
    package struct Identity: Equatable {
        private let device: UInt64
        private let number: UInt64

        fileprivate init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    package func size() throws(FileError) -> Int { try status().size }

    /// Returns when everything written is on the disk.
    package func synchronize() throws(FileError) {
        guard retrying({ synchronizeData(descriptor) }) == 0 else { throw error() }
    }

    /// Returns when everything written to some files is on the disk, and their names are.
    package static func synchronize(_ files: [DiskFile]) throws(FileError) {
        for file in files { try file.synchronize() }
        for folder in Set(files.map { Platform.folder(ofFile: $0.path) }) { try synchronizeFolder(folder) }
    }

    package func truncate(to size: Int) throws(FileError) {
        guard retrying({ Int(ftruncate(descriptor, off_t(size))) }) == 0 else { throw error() }
    }

    /// Keeps others from locking the file until it is closed, however this process ends.
    ///
    /// - Returns: whether it could be locked.
    package func lock() throws(FileError) -> Bool {
        if retrying({ Int(flock(descriptor, LOCK_EX | LOCK_NB)) }) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw error() }
        return false
    }

    /// Lets others lock it.
    package func unlock() { _ = flock(descriptor, LOCK_UN) }

    private func error() -> FileError { FileError(path: path, reason: reasonOfLastError()) }
}

// MARK: - Folders

/// The folder that holds the state, as the system sees it.
package enum Folder {
    /// Makes a folder and those it lies in, where they are missing.
    package static func make(_ path: String) throws(FileError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
            guard unsafe mkdir(made, 0o700) == 0 || errno == EEXIST else {
                throw FileError(path: made, reason: reasonOfLastError())
            }
        }
    }

    /// The names of what is in it, in no order.
    package static func names(in path: String) throws(FileError) -> [String] {
        guard let folder = unsafe opendir(path) else {
            throw FileError(path: path, reason: reasonOfLastError(), isMissing: errno == ENOENT)
        }
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

    package static func rename(_ old: String, to new: String) throws(FileError) {
        guard systemRename(old, new) == 0 else { throw FileError(path: new, reason: reasonOfLastError()) }
    }

    /// Gives a file a second name, which must be free.
    package static func link(_ old: String, as new: String) throws(FileError) {
        guard systemLink(old, new) == 0 else { throw FileError(path: new, reason: reasonOfLastError()) }
    }

    package static func remove(_ path: String) throws(FileError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw FileError(path: path, reason: reasonOfLastError())
        }
    }
}

// MARK: - The system's calls under names that nothing hides

/// Calls again what a signal has interrupted.
private func retrying<Number: SignedInteger>(_ call: () -> Number) -> Number {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

private func systemRename(_ old: String, _ new: String) -> Int32 { unsafe rename(old, new) }
private func systemLink(_ old: String, _ new: String) -> Int32 { unsafe link(old, new) }

private func synchronizeData(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
        fcntl(descriptor, F_FULLFSYNC)
    #else
        fdatasync(descriptor)
    #endif
}

/// In seconds since 1970.
private func modificationTime(of status: stat) -> Int {
    #if canImport(Darwin)
        status.st_mtimespec.tv_sec
    #else
        status.st_mtim.tv_sec
    #endif
}
