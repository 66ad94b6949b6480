import Platform

/// The file that a Unix socket is reached by, of mode 0600.
package struct SocketFile {
    /// What the error says where somebody listens at the path.
    package static let isTaken = "a stand is open there already"

    private let path: String
    /// Which file it is, should another have come to its place.
    private let identity: (device: dev_t, number: ino_t)

    /// Binds a socket to a path and listens, in the place of the file of a stand that is gone.
    ///
    /// Two stands that start at once could both find the old file dead, and the later one remove the earlier one's new
    /// file: so they take turns, by a locked file beside it.
    ///
    /// - Throws: ``FileError`` where the path is too long, somebody listens there, or the file can't be made.
    package init(_ path: String, for socket: Socket) throws(FileError) {
        self.path = path
        guard var address = Self.address(path) else {
            throw FileError(path: path, reason: "a socket's path must have at most \(Self.longest) bytes")
        }
        let lock = "\(path).lock"
        let turn = try Self.takeTurn(lock)
        defer {
            unsafe unlink(lock)
            close(turn)
        }
        if Self.bind(socket, &address) != 0 {
            guard errno == EADDRINUSE else { throw FileError(path: path, reason: reasonOfLastError()) }
            try Self.removeDead(path, &address)
            guard Self.bind(socket, &address) == 0 else { throw FileError(path: path, reason: reasonOfLastError()) }
        }
        // Still under the lock: a socket that is bound and does not listen looks like a dead one.
        try ListeningSocket.listen(socket, name: path)
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { throw FileError(path: path, reason: reasonOfLastError()) }
        identity = (status.st_dev, status.st_ino)
        guard status.st_mode & 0o777 == 0o600 else {
            unsafe unlink(path)
            throw FileError(path: path, reason: "this file system does not keep a socket to its owner")
        }
    }

    /// Removes the file, if it is still the one.
    package func remove() {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_dev == identity.device, status.st_ino == identity.number
        else {
            return
        }
        unsafe unlink(path)
    }

    /// Whether somebody accepts connections at a path.
    private static func isAnswered(_ address: inout sockaddr_un) -> Bool {
        let probe = socket(AF_UNIX, streamSocket, 0)
        defer { close(probe) }
        Socket(descriptor: probe).becomeNonBlocking()
        let status = unsafe withSystemForm(&address) { unsafe connect(probe, $0, $1) }
        // A full queue of connections is that of somebody alive.
        return status == 0 || errno != ECONNREFUSED
    }

    private static func removeDead(_ path: String, _ address: inout sockaddr_un) throws(FileError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw FileError(path: path, reason: "is there and is not a socket")
        }
        guard status.st_uid == geteuid() else { throw FileError(path: path, reason: "belongs to another user") }
        guard !isAnswered(&address) else { throw FileError(path: path, reason: isTaken) }
        guard unsafe unlink(path) == 0 else { throw FileError(path: path, reason: reasonOfLastError()) }
    }

    /// Binds in such a way that the file comes into being with mode 0600: a `chmod` after it would come too late.
    private static func bind(_ socket: Socket, _ address: inout sockaddr_un) -> Int32 {
        #if os(Linux)
            // There the file gets the mode that the socket has.
            guard fchmod(socket.descriptor, 0o600) == 0 else { return -1 }
            return unsafe withSystemForm(&address) { unsafe systemBind(socket.descriptor, $0, $1) }
        #else
            // The mask is the whole process's: for a moment, others' new files are more private than they need be.
            let mask = umask(0o177)
            let status = unsafe withSystemForm(&address) { unsafe systemBind(socket.descriptor, $0, $1) }
            let reason = errno
            umask(mask)
            errno = reason
            return status
        #endif
    }

    /// Locks a file that nobody else can even open, in a folder that may be shared: whoever could lock the folder itself
    /// could keep every stand of the machine from opening.
    ///
    /// - Returns: A descriptor; the turn is over when the file has been removed and the descriptor closed.
    private static func takeTurn(_ lock: String) throws(FileError) -> Int32 {
        // Held for microseconds by stands; what else holds it must not keep this one from opening for ever.
        for _ in 0..<200 {
            let descriptor = unsafe open(lock, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                let isMissing = errno == ENOENT
                throw FileError(
                    path: isMissing ? folder(ofFile: lock) : lock, reason: reasonOfLastError(), isMissing: isMissing)
            }
            // Who waited for the lock of a file that is removed by now has the turn with nobody.
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0, isNamed(lock, descriptor) { return descriptor }
            close(descriptor)
            usleep(10_000)
        }
        throw FileError(path: lock, reason: "is locked by another process")
    }

    /// Whether a path still names an open file.
    private static func isNamed(_ path: String, _ descriptor: Int32) -> Bool {
        var (named, own) = (stat(), stat())
        guard unsafe lstat(path, &named) == 0, unsafe fstat(descriptor, &own) == 0 else { return false }
        return named.st_dev == own.st_dev && named.st_ino == own.st_ino
    }
}

// MARK: - The system's form

extension SocketFile {
    /// Bytes a path may have.
    private static var longest: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

    /// The address of a path; nil where it is too long or holds a byte 0.
    package static func address(_ path: String) -> sockaddr_un? {
        guard !path.isEmpty, path.utf8.count <= longest, !path.utf8.contains(0) else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        return address
    }
}

private func systemBind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    unsafe bind(descriptor, address, length)
}
