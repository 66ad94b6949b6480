#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that could not be read, with the system's reason.
package struct FileError: Error, Equatable, Sendable {
    package let path: String
    package let reason: String
    /// Whether there is no such file.
    package let isMissing: Bool

    package init(path: String, reason: String, isMissing: Bool = false) {
        self.path = path
        self.reason = reason
        self.isMissing = isMissing
    }
}

/// The whole content of a file.
package func readFile(_ path: String) throws(FileError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
        throw FileError(path: path, reason: reasonOfLastError(), isMissing: errno == ENOENT)
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        if count == 0 { return bytes }
        if count > 0 {
            bytes.append(contentsOf: buffer[..<count])
        } else if errno != EINTR {
            throw FileError(path: path, reason: reasonOfLastError())
        }
    }
}

/// `path` from the root, whatever the current folder will be.
package func absolutePath(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(folder) }
    return unsafe String(cString: folder) + "/" + path
}

/// What `errno` says, in words.
package func reasonOfLastError() -> String { unsafe String(cString: strerror(errno)) }
