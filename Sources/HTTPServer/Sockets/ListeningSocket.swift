import Platform
import Synchronization

/// A socket that accepts connections. Closes with its release and removes its file, if it has one.
package final class ListeningSocket: Sendable {
    package let transport: HTTPTransport
    /// The bound address, with its actual port; nil for a Unix socket.
    package let address: NetworkAddress?
    package let socket: Socket
    private let file: SocketFile?
    private let isClosed = Atomic(false)

    /// Connections that wait to be accepted. The system may have a lower limit.
    private static let backlog: Int32 = 4096

    /// - Parameters:
    ///   - socket: A socket that listens.
    ///   - file: The file to remove at the end; nil if there is none, or if it belongs to the service manager.
    init(_ socket: Socket, _ transport: HTTPTransport, address: NetworkAddress?, file: SocketFile? = nil) {
        self.socket = socket
        self.transport = transport
        self.address = address
        self.file = file
    }

    deinit { close() }

    /// Stops accepting. Further calls have no effect.
    package func close() {
        guard !isClosed.exchange(true, ordering: .relaxed) else { return }
        file?.remove()
        socket.close()
    }

    /// Listens on a Unix socket of mode 0600.
    ///
    /// Replaces the file of a stand that has ended, but not that of a running one.
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

    /// Listens on a TCP address.
    ///
    /// - Parameter fallsBack: Whether to take a free port if the given one is in use.
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
        // A restart must not wait until the connections of the last run time out.
        socket.set(SOL_SOCKET, SO_REUSEADDR, 1)
        do throws(FileError) {
            guard unsafe address.withSystemAddress({ unsafe bind(socket.descriptor, $0, $1) }) == 0 else {
                throw FileError(lastErrorAt: "\(address)")
            }
            try listen(socket, name: "\(address)")
        } catch {
            let reason = errno
            socket.close()
            errno = reason
            throw error
        }
        return ListeningSocket(socket, .tcp, address: NetworkAddress(of: socket) ?? address)
    }

    private static func make(_ family: Int32, name: String) throws(FileError) -> Socket {
        let descriptor = Platform.socket(family, streamSocket, 0)
        guard descriptor >= 0 else { throw FileError(lastErrorAt: name) }
        let socket = Socket(descriptor: descriptor)
        socket.becomeNonBlocking()
        return socket
    }

    package static func listen(_ socket: Socket, name: String) throws(FileError) {
        guard Platform.listen(socket.descriptor, backlog) == 0 else { throw FileError(lastErrorAt: name) }
    }
}
