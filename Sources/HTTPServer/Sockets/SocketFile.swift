import Platform

/// The file of a Unix socket, of mode 0600.
package struct SocketFile {
    /// The reason of the error if another process listens at the path.
    package static let isTaken = "another stand listens there"

    private let path: String
    /// The device and the inode, by which a file that has replaced this one is recognised.
    private let identity: (device: dev_t, number: ino_t)

    /// Binds a socket to a path and listens. Replaces the file of a stand that has ended.
    ///
    /// Two stands that start at once could both find the old file dead, and the later one could remove the new file of
    /// the earlier one. A lock file beside the socket prevents that.
    ///
    /// - Throws: ``FileError`` if the path is too long, another process listens there, or the file can't be created.
    package init(_ path: String, for socket: Socket) throws(FileError) {
        self.path = path
        guard var address = Self.address(path) else {
            throw FileError(path: path, reason: "the path of a socket must be at most \(Self.longest) bytes")
        }
        let lock = "\(path).lock"
        let descriptor = try Self.acquire(lock)
        defer {
            unsafe unlink(lock)
            close(descriptor)
        }
        if Self.bind(socket, &address) != 0 {
            guard errno == EADDRINUSE else { throw FileError(lastErrorAt: path) }
            try Self.removeDead(path, &address)
            guard Self.bind(socket, &address) == 0 else { throw FileError(lastErrorAt: path) }
        }
        // Still under the lock: a bound socket that does not listen looks dead.
        try ListeningSocket.listen(socket, name: path)
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { throw FileError(lastErrorAt: path) }
        identity = (status.st_dev, status.st_ino)
        guard status.st_mode & 0o777 == 0o600 else {
            unsafe unlink(path)
            throw FileError(path: path, reason: "this file system ignores the mode of a socket")
        }
    }

    /// Removes the file unless another has replaced it.
    package func remove() {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_dev == identity.device, status.st_ino == identity.number
        else { return }
        unsafe unlink(path)
    }

    /// Whether a process accepts connections at a path.
    private static func isAnswered(_ address: inout sockaddr_un) -> Bool {
        let probe = socket(AF_UNIX, streamSocket, 0)
        defer { close(probe) }
        Socket(descriptor: probe).becomeNonBlocking()
        let status = unsafe withSystemForm(&address) { unsafe connect(probe, $0, $1) }
        // A full backlog belongs to a running process.
        return status == 0 || errno != ECONNREFUSED
    }

    private static func removeDead(_ path: String, _ address: inout sockaddr_un) throws(FileError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw FileError(path: path, reason: "exists and is not a socket; remove it, or name another socket")
        }
        guard status.st_uid == geteuid() else { throw FileError(path: path, reason: "belongs to another user") }
        guard !isAnswered(&address) else { throw FileError(path: path, reason: isTaken) }
        guard unsafe unlink(path) == 0 else { throw FileError(lastErrorAt: path) }
    }

    /// Binds so that the file is created with mode 0600. A `chmod` afterwards would be too late.
    private static func bind(_ socket: Socket, _ address: inout sockaddr_un) -> Int32 {
        #if os(Linux)
            // The file inherits the mode of the socket.
            guard fchmod(socket.descriptor, 0o600) == 0 else { return -1 }
            return unsafe withSystemForm(&address) { unsafe Platform.bind(socket.descriptor, $0, $1) }
        #else
            // The mask is process-wide: for a moment, other new files are more private than necessary.
            let mask = umask(0o177)
            let status = unsafe withSystemForm(&address) { unsafe Platform.bind(socket.descriptor, $0, $1) }
            let reason = errno
            umask(mask)
            errno = reason
            return status
        #endif
    }

    /// Locks a file that no other user can open. Locking the folder instead would let any user of a shared folder block
    /// every stand.
    ///
    /// - Returns: A descriptor. Removing the file and closing the descriptor releases the lock.
    private static func acquire(_ lock: String) throws(FileError) -> Int32 {
        // Stands hold the lock for microseconds. Another holder must not block the start for ever.
        for _ in 0..<200 {
            let descriptor = unsafe open(lock, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                let isMissing = errno == ENOENT
                throw FileError(
                    path: isMissing ? folder(ofFile: lock) : lock, reason: reasonOfLastError(), isMissing: isMissing)
            }
            // A lock on a file that has been removed meanwhile keeps no stand out.
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0, isNamed(lock, descriptor) { return descriptor }
            close(descriptor)
            usleep(10_000)
        }
        throw FileError(path: lock, reason: "is locked by another process")
    }

    /// Whether a path still names an open file.
    private static func isNamed(_ path: String, _ descriptor: Int32) -> Bool {
        var named = stat()
        var own = stat()
        guard unsafe lstat(path, &named) == 0, unsafe fstat(descriptor, &own) == 0 else { return false }
        return named.st_dev == own.st_dev && named.st_ino == own.st_ino
    }
}

// MARK: - The system's form

extension SocketFile {
    /// The longest path, in bytes.
    private static var longest: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

    /// The path that a socket is bound to; nil for a socket of another family, and for one without a file.
    package static func path(of socket: Socket) -> String? {
        guard var address = socket.name(as: sockaddr_un()), Int32(address.sun_family) == AF_UNIX else { return nil }
        let bytes = unsafe withUnsafeBytes(of: &address.sun_path) { unsafe Array($0.prefix { $0 != 0 }) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// The address of a path; nil if it is too long or contains a zero byte.
    package static func address(_ path: String) -> sockaddr_un? {
        guard !path.isEmpty, path.utf8.count <= longest, !path.utf8.contains(0) else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        return address
    }
}
