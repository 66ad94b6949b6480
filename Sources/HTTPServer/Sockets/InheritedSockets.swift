import Platform

/// The sockets that a service manager opened for this process, as with systemd's socket activation.
///
/// Source: `man 3 sd_listen_fds`.
package struct InheritedSockets {
    /// A Unix socket.
    package private(set) var local: (path: String, listener: ListeningSocket)?
    package private(set) var tcp: ListeningSocket?

    /// The number of the first descriptor.
    private static let first: Int32 = 3

    /// Takes the sockets that `LISTEN_PID`, `LISTEN_FDS` and `LISTEN_FDNAMES` describe, and removes these variables.
    ///
    /// - Throws: ``FileError`` for anything but one Unix socket and one TCP socket that listen, and for a Unix socket
    ///   whose file others can write to.
    package static func take() throws(FileError) -> InheritedSockets {
        var sockets = InheritedSockets()
        let names = environmentVariable("LISTEN_FDNAMES")
        // Variables for another process were inherited by mistake.
        guard environmentVariable("LISTEN_PID") == "\(getpid())",
            let count = environmentVariable("LISTEN_FDS").flatMap({ Int32($0) }), count > 0
        else { return sockets }
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsafe unsetenv(name) }
        let labels = (names ?? "").split(separator: ":", omittingEmptySubsequences: false)
        for index in 0..<count {
            let label = Int(index) < labels.count && !labels[Int(index)].isEmpty ? " (\(labels[Int(index)]))" : ""
            try sockets.take(first + index, name: "descriptor \(first + index)\(label) from the service manager")
        }
        return sockets
    }

    private mutating func take(_ descriptor: Int32, name: String) throws(FileError) {
        let socket = Socket(descriptor: descriptor)
        guard socket.option(SO_TYPE) == streamSocket, socket.option(SO_ACCEPTCONN) == 1 else {
            throw FileError(path: name, reason: "must be a stream socket that listens, without Accept=yes")
        }
        socket.becomeNonBlocking()
        if let path = SocketFile.path(of: socket) {
            guard local == nil else {
                throw FileError(path: name, reason: "is a second Unix socket; only one can be served")
            }
            var status = stat()
            guard unsafe lstat(path, &status) == 0 else { throw FileError(lastErrorAt: path) }
            guard status.st_mode & 0o022 == 0 else {
                throw FileError(
                    path: path, reason: "must have SocketMode=0600: whoever can write to it has full access")
            }
            local = (path, ListeningSocket(socket, .local, address: nil))
        } else if let address = NetworkAddress(of: socket) {
            guard tcp == nil else {
                throw FileError(path: name, reason: "is a second TCP socket; only one can be served")
            }
            tcp = ListeningSocket(socket, .tcp, address: address)
        } else {
            throw FileError(path: name, reason: "must be a Unix socket with a file, or a TCP socket")
        }
    }
}
