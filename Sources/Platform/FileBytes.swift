/// A file that could not be read or written, with the system's reason.
package struct FileError: Error, Equatable, Sendable {
    package let path: String
    package let reason: String
    /// Whether there is no such file.
    package let isMissing: Bool
    /// Whether it is a pipe that nobody reads any more.
    package let isReaderGone: Bool

    package init(path: String, reason: String, isMissing: Bool = false, isReaderGone: Bool = false) {
        self.path = path
        self.reason = reason
        self.isMissing = isMissing
        self.isReaderGone = isReaderGone
    }
}

/// The whole content of a file.
package func readFile(_ path: String) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    try readFile(path) { bytes += $0 }
    return bytes
}

/// The content of a file, piece by piece.
package func readFile(_ path: String, piece: (ArraySlice<UInt8>) -> Void) throws(FileError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
        throw FileError(path: path, reason: reasonOfLastError(), isMissing: errno == ENOENT)
    }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        if count == 0 { return }
        if count > 0 {
            piece(buffer[..<count])
        } else if errno != EINTR {
            throw FileError(path: path, reason: reasonOfLastError())
        }
    }
}

/// Returns when names made, changed or removed in a folder are on the disk.
///
/// - Throws: ``FileError``, but not where the file system has no such thing.
package func synchronizeFolder(_ path: String) throws(FileError) {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(path: path, reason: reasonOfLastError()) }
    defer { close(descriptor) }
    while fsync(descriptor) != 0 {
        if errno == EINVAL { return }
        guard errno == EINTR else { throw FileError(path: path, reason: reasonOfLastError()) }
    }
}

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

/// What `errno` says, in words.
package func reasonOfLastError() -> String { unsafe String(cString: strerror(errno)) }

/// A file that is written aside and takes its name only when it is whole, so that nobody ever reads half of it.
///
/// What is not a regular file, such as `/dev/stdout`, is written to as it is.
package struct ReplacedFile: ~Copyable {
    private let path: String
    /// nil where there is nothing to rename.
    private let aside: String?
    private let descriptor: Int32
    private var isFinished = false

    /// Opens the file aside, in the same folder; what `path` names stays as it is.
    ///
    /// - Throws: ``FileError`` where it can't be created.
    package init(_ path: String) throws(FileError) {
        self.path = path
        var status = stat()
        let isThere = unsafe stat(path, &status) == 0
        if isThere, status.st_mode & S_IFMT != S_IFREG {
            aside = nil
            descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
        } else {
            let name = "\(path).\(getpid()).part"
            aside = name
            descriptor = unsafe open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        }
        guard descriptor >= 0 else { throw FileError(path: path, reason: reasonOfLastError()) }
    }

    deinit {
        close(descriptor)
        if let aside, !isFinished { _ = unsafe unlink(aside) }
    }

    /// Writes the whole content and gives the file its name; durable when it returns.
    ///
    /// - Throws: ``FileError``; what `path` named before is then still there, unless it is the new name alone that can't
    ///   be made to last.
    package mutating func finish(_ text: String) throws(FileError) {
        var left = Array(text.utf8)[...]
        while !left.isEmpty {
            let count = unsafe left.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || (count < 0 && errno == EINTR) else {
                throw FileError(path: path, reason: reasonOfLastError())
            }
            left = left.dropFirst(max(0, count))
        }
        guard let aside else { return }
        guard fsync(descriptor) == 0, unsafe rename(aside, path) == 0 else {
            throw FileError(path: path, reason: reasonOfLastError())
        }
        isFinished = true
        try synchronizeFolder(folder(ofFile: path))
    }
}

/// Whether a descriptor is a terminal.
package func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

/// Whether a descriptor is a regular file.
package func isRegularFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}
