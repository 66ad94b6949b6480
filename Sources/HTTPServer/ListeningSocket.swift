import Platform
import Synchronization

/// A place where connections come in; closed at the latest when released, and a socket's file removed with it.
package final class ListeningSocket: Sendable {
    package let transport: HTTPTransport
    /// The bound address, with the port that was given; nil on a Unix socket.
    package let address: NetworkAddress?
    package let socket: Socket
    private let file: SocketFile?
    private let isClosed = Atomic(false)

    /// Connections that have come and not been accepted; the system may have a lower limit.
    private static let backlog: Int32 = 4096

    private init(_ socket: Socket, _ transport: HTTPTransport, address: NetworkAddress?, file: SocketFile?) {
        self.socket = socket
        self.transport = transport
        self.address = address
        self.file = file
    }

    deinit { close() }

    /// Takes no more connections; again without effect.
    package func close() {
        guard !isClosed.exchange(true, ordering: .relaxed) else { return }
        file?.remove()
        socket.close()
    }

    /// Listens on a Unix socket that only this user can reach.
    ///
    /// The file of a stand that is no longer there is replaced, that of a living one is not.
    ///
    /// - Throws: ``FileError`` with the reason.
    package static func local(path: String) throws(FileError) -> ListeningSocket {
        let socket = try make(AF_UNIX, name: path)
        do throws(FileError) {
            return ListeningSocket(socket, .local, address: nil, file: try SocketFile(path, for: socket))
        } catch {
            socket.close()
            throw error
        }
    }

    /// Listens on an address of TCP.
    ///
    /// - Parameter fallsBack: Whether a free port is taken when the one asked for is not.
    /// - Throws: ``FileError`` with the reason.
    package static func tcp(_ address: NetworkAddress, fallsBack: Bool = false) throws(FileError) -> ListeningSocket {
        do throws(FileError) {
            return try listening(at: address)
        } catch {
            guard fallsBack, errno == EADDRINUSE else { throw error }
            var free = address
            free.port = 0
            return try listening(at: free)
        }
    }

    private static func listening(at address: NetworkAddress) throws(FileError) -> ListeningSocket {
        let socket = try make(address.family, name: "\(address)")
        // A restart must not wait for the connections of the run before to be forgotten.
        socket.set(SOL_SOCKET, SO_REUSEADDR, 1)
        do throws(FileError) {
            guard unsafe address.withSystemAddress({ unsafe bind(socket.descriptor, $0, $1) }) == 0 else {
                throw FileError(path: "\(address)", reason: reasonOfLastError())
            }
            try listen(socket, name: "\(address)")
        } catch {
            let reason = errno
            socket.close()
            errno = reason
            throw error
        }
        var bound = address
        bound.port = NetworkAddress.port(of: socket)
        return ListeningSocket(socket, .tcp, address: bound, file: nil)
    }

    private static func make(_ family: Int32, name: String) throws(FileError) -> Socket {
        let descriptor = systemSocket(family, streamSocket, 0)
        guard descriptor >= 0 else { throw FileError(path: name, reason: reasonOfLastError()) }
        let socket = Socket(descriptor: descriptor)
        socket.becomeNonBlocking()
        return socket
    }

    package static func listen(_ socket: Socket, name: String) throws(FileError) {
        guard systemListen(socket.descriptor, backlog) == 0 else {
            throw FileError(path: name, reason: reasonOfLastError())
        }
    }
}

// The system's calls whose names the members above hide.

private func systemSocket(_ family: Int32, _ kind: Int32, _ protocolNumber: Int32) -> Int32 {
    socket(family, kind, protocolNumber)
}

private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }
