/// An open regular file; every operation is checked. It is closed, and unlocked, when it is released.
package final class DiskFile: Sendable {
    package let path: String
    package let descriptor: Int32
    /// The disk through which the file is written.
    package let disk: any Disk

    /// How a file is opened.
    package enum Use {
        case reading
        /// Created if it is missing; every write goes to the end.
        case appending
        /// Created, or made empty.
        case replacing
    }

    /// Opens a file. Pipes, devices and folders are refused at once, and no call waits for the other end of a pipe.
    ///
    /// A file is never created through a link.
    ///
    /// - Parameters:
    ///   - mode: The permissions of a file that is created.
    ///   - followsLink: Whether `path` itself may be a link to a file that exists.
    ///   - disk: The disk through which the file is created and written.
    /// - Throws: ``FileError`` with the system's reason, or with the expected kind of file.
    package init(
        _ path: String, _ use: Use, mode: mode_t = 0o600, followsLink: Bool = false, on disk: any Disk = SystemDisk()
    ) throws(FileError) {
        self.path = path
        self.disk = disk
        let access = use == .reading ? O_RDONLY : O_WRONLY | O_APPEND
        let flags = access | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLink ? 0 : O_NOFOLLOW)
        var opened = retrying { unsafe open(path, flags) }
        if opened < 0, errno == ENOENT, use != .reading {
            opened = disk.create(path, flags, mode)
            // Another process created it in between.
            if opened < 0, errno == EEXIST { opened = retrying { unsafe open(path, flags) } }
        }
        descriptor = opened
        guard descriptor >= 0 else { throw Self.notOpened(path) }
        let status = try status()
        guard status.isRegular else { throw Self.notRegular(path) ?? error() }
        if use == .reading { Self.inputs.withLock { _ = $0.insert(status.identity) } }
        if use == .replacing { try truncate(to: 0) }
    }

    /// Opens a pipe or a device for writing; waits until a pipe has a reader.
    init(deviceAt path: String) throws(FileError) {
        self.path = path
        disk = SystemDisk()
        descriptor = retrying { unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY) }
        guard descriptor >= 0 else { throw FileError(lastErrorAt: path) }
    }

    deinit {
        // Closing is not enough: a child process that has not run its own program yet holds the file open, and so
        // locked.
        unlock()
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
            let count = unsafe disk.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[written...]))
            if count <= 0 { return (written, error()) }
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

    /// Returns when everything written is on the disk.
    package func synchronize() throws(FileError) { guard disk.synchronize(descriptor) == 0 else { throw error() } }

    /// Returns when everything written to some files is on the disk, and their names are.
    package static func synchronize(_ files: [DiskFile]) throws(FileError) {
        for file in files { try file.synchronize() }
        var folders: Set<String> = []
        for file in files where folders.insert(folder(ofFile: file.path)).inserted {
            try Folder.synchronize(folder(ofFile: file.path), on: file.disk)
        }
    }

    package func truncate(to size: Int) throws(FileError) {
        guard disk.truncate(descriptor, to: size) == 0 else { throw error() }
    }

    private func error() -> FileError { FileError(lastErrorAt: path) }
}

// MARK: - Status

extension DiskFile {
    /// The file's current status: `size` in bytes, `changed` in seconds since 1970.
    package func status() throws(FileError) -> (size: Int, isRegular: Bool, changed: Int, identity: Identity) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw error() }
        return (
            Int(status.st_size), status.st_mode & S_IFMT == S_IFREG, modificationTime(of: status), Identity(status)
        )
    }

    package func size() throws(FileError) -> Int { try status().size }

    /// The device and the inode of a file, which are the same for all its names and links.
    package struct Identity: Hashable, Sendable {
        private let device: UInt64
        fileprivate let number: UInt64

        fileprivate init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    /// The files that this process has opened for reading.
    private static let inputs = Guarded(Set<Identity>())

    /// Whether `path` names a file that this process has read, also by another name or through a link.
    package static func isInput(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return inputs.withLock { [identity = Identity(status)] in $0.contains(identity) }
    }

    /// The files that this process has been told to write.
    private static let outputs = Guarded((paths: Set<String>(), files: Set<Identity>()))

    /// Registers `path` as an output of this process.
    ///
    /// - Returns: False if the file is an output already, also by another name or through a link.
    package static func claimOutput(_ path: String) -> Bool {
        var status = stat()
        let identity = unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Identity(status) : nil
        let target = linkTarget(path)
        return outputs.withLock { outputs in
            let isNew = outputs.paths.insert(target).inserted
            guard let identity else { return isNew }
            return outputs.files.insert(identity).inserted && isNew
        }
    }

    /// The absolute path of the file that `path` names or would create, without links.
    private static func linkTarget(_ path: String) -> String {
        var name = path
        // The system follows at most 40 links.
        for _ in 0..<40 {
            var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            let length = unsafe readlink(name, &bytes, bytes.count - 1)
            guard length > 0 else { break }
            let target = String(decoding: bytes[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            name = target.hasPrefix("/") ? target : "\(folder(ofFile: name))/\(target)"
        }
        guard let real = unsafe realpath(folder(ofFile: name), nil) else { return name }
        defer { unsafe free(real) }
        let last = name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex
        return unsafe "\(String(cString: real))/\(name[last...])"
    }

    /// Counts standard input as read, if it is a regular file.
    fileprivate static func noteStandardInput() {
        var status = stat()
        guard unsafe fstat(0, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        inputs.withLock { [identity = Identity(status)] in _ = $0.insert(identity) }
    }

    /// The error for a path to something else than a regular file; nil for a regular or missing file.
    static func notRegular(_ path: String) -> FileError? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        let found: String? =
            switch status.st_mode & S_IFMT {
            case S_IFREG: nil
            case S_IFDIR: "a folder"
            case S_IFIFO: "a pipe"
            case S_IFSOCK: "a socket"
            default: "a device"
            }
        return found.map { FileError(path: path, reason: "must be a regular file, found \($0)") }
    }

    /// Why a file could not be opened, as `errno` tells it.
    private static func notOpened(_ path: String) -> FileError {
        let failure = FileError(lastErrorAt: path)
        if errno == ELOOP { return FileError(path: path, reason: "must not be a link") }
        var status = stat()
        if failure.isMissing, unsafe lstat(path, &status) == 0 {
            return FileError(path: path, reason: "is a link to a file that is missing")
        }
        return notRegular(path) ?? failure
    }
}

// MARK: - Lock

extension DiskFile {
    /// Keeps others from locking the file until this one is closed, however the process ends.
    ///
    /// - Returns: nil if the lock was taken. Otherwise the holder, such as "process 12".
    package func lock() throws(FileError) -> String? {
        if retrying({ Int(flock(descriptor, LOCK_EX | LOCK_NB)) }) == 0 { return nil }
        guard errno == EWOULDBLOCK else { throw error() }
        return try lockHolder().map { "process \($0)" } ?? "another process"
    }

    /// - Throws: ``FileError``, also if another process has locked the file.
    package func lockOrThrow() throws(FileError) {
        if let holder = try lock() { throw FileError(path: path, reason: "is in use by \(holder)") }
    }

    /// Releases the lock.
    package func unlock() { _ = flock(descriptor, LOCK_UN) }

    /// The process that has locked the file, as Linux lists it: `1: FLOCK  ADVISORY  WRITE 2147 fd:01:1838714 0 EOF`.
    private func lockHolder() throws(FileError) -> Int? {
        let number = String(try status().identity.number)
        let list: [UInt8]
        // Only Linux has this file.
        do { list = try readFile("/proc/locks") } catch { return nil }
        for line in String(decoding: list, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count > 5, words[1] == "FLOCK", words[5].split(separator: ":").last ?? "" == number {
                return Int(words[4]).flatMap { $0 > 0 ? $0 : nil }
            }
        }
        return nil
    }
}

// MARK: - Whole files

/// The whole content of a file, at most `limit` bytes; see ``readFile(_:limit:piece:)``.
package func readFile(_ path: String, limit: Int = 1 << 30) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    try readFile(path, limit: limit) { bytes += $0 }
    return bytes
}

/// The content of a file, piece by piece.
///
/// - Parameters:
///   - path: `-` and `/dev/stdin` are standard input. All else must be a regular file.
///   - limit: The most bytes it may hold.
package func readFile(_ path: String, limit: Int = .max, piece: (ArraySlice<UInt8>) -> Void) throws(FileError) {
    let isStandardInput = path == "-" || path == "/dev/stdin"
    let file = isStandardInput ? nil : try DiskFile(path, .reading, followsLink: true)
    if isStandardInput { DiskFile.noteStandardInput() }
    let descriptor = file?.descriptor ?? 0
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var left = limit
    while true {
        let count = unsafe buffer.withUnsafeMutableBytes { buffer in
            retrying { unsafe read(descriptor, buffer.baseAddress, buffer.count) }
        }
        guard count >= 0 else { throw FileError(lastErrorAt: path) }
        if count == 0 { return }
        guard count <= left else { throw FileError(path: path, reason: "must have at most \(limit >> 20) MiB") }
        left -= count
        piece(buffer[..<count])
    }
}

// MARK: - Names that differ between systems

private func modificationTime(of status: stat) -> Int {
    #if canImport(Darwin)
        status.st_mtimespec.tv_sec
    #else
        status.st_mtim.tv_sec
    #endif
}
