/// A file that could not be opened, read or written.
package struct FileError: Error, Equatable, Sendable {
    package let path: String
    /// The system's reason, or the expected kind of file.
    package let reason: String
    /// Whether there is no such file.
    package let isMissing: Bool
    /// Whether it is a pipe whose reader is gone.
    package let isReaderGone: Bool

    package init(path: String, reason: String, isMissing: Bool = false, isReaderGone: Bool = false) {
        self.path = path
        self.reason = reason
        self.isMissing = isMissing
        self.isReaderGone = isReaderGone
    }

    /// The error of the system call that has just failed, from `errno`.
    package init(lastErrorAt path: String) {
        self.init(path: path, reason: reasonOfLastError(), isMissing: errno == ENOENT)
    }
}
