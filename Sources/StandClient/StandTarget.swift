import HTTPServer
import Platform

/// Where a stand is reached: at its Unix socket, or over TCP.
package enum StandTarget: Hashable, Sendable {
    case socket(path: String)
    case http(host: String, port: UInt16)

    private static let scheme = "http://"

    /// Reads `http://HOST:PORT` or the path of a socket; nil for another scheme, for `HOST:PORT` alone,
    /// or if host or port are wrong.
    package init?(_ text: String) {
        if text.hasPrefix(Self.scheme) {
            self.init(authority: text.dropFirst(Self.scheme.count))
        } else if text.contains("://") || text.isEmpty || Self(authority: text[...]) != nil {
            return nil
        } else {
            self = .socket(path: text)
        }
    }

    /// Reads `HOST:PORT`; a slash may follow.
    package init?(authority: Substring) {
        let text = authority.hasSuffix("/") ? authority.dropLast() : authority
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0,
            case let host = text[..<colon], !host.isEmpty,
            host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"/@?#".utf8.contains($0) })
        else { return nil }
        self = .http(host: String(host), port: port)
    }

    /// The value of the `Host` field in requests.
    var host: String {
        switch self {
        case .socket: "localhost"
        case .http(let host, let port): "\(host):\(port)"
        }
    }

    /// The addresses of a TCP target; empty for a socket, and for an unknown name. Blocks for a name that is not
    /// numeric.
    var addresses: [NetworkAddress] {
        switch self {
        case .socket: []
        case .http(let host, let port): NetworkAddress.all(ofHost: host, port: port)
        }
    }

    /// Whether ``addresses`` asks a name server.
    var needsNameServer: Bool {
        if case .http(let host, _) = self { NetworkAddress.bytes(ofHost: host) == nil } else { false }
    }

    /// Opens a connection, which may still be under way if the socket does not block.
    ///
    /// - Parameters:
    ///   - address: One of ``addresses``; nil for a Unix socket.
    ///   - prepare: Gets the socket before it connects.
    func connect(to address: NetworkAddress?, _ prepare: (Socket) -> Void) throws(StandClientError) -> Socket {
        guard case .socket(let path) = self else {
            guard let address else { throw unreachable("no address is known for this name") }
            let connection = try open(address.family, prepare)
            let isConnected =
                unsafe address.withSystemAddress { unsafe systemConnect(connection.descriptor, $0, $1) } == 0
            return try finish(connection, isConnected)
        }
        guard var address = SocketFile.address(path) else { throw unreachable("the path of the socket is too long") }
        var connection = try open(AF_UNIX, prepare)
        let descriptor = connection.descriptor
        let isConnected = unsafe withSystemForm(&address) { unsafe systemConnect(descriptor, $0, $1) } == 0
        connection = try finish(connection, isConnected)
        let user = connection.peerUser
        guard let user, StandSocket.trusts(user, at: path) else {
            connection.close()
            let owner = user.map { "user \($0)" } ?? "an unknown user"
            throw unreachable("a process of \(owner) listens there, which is not you")
        }
        return connection
    }

    private func open(_ family: Int32, _ prepare: (Socket) -> Void) throws(StandClientError) -> Socket {
        let descriptor = systemSocket(family)
        guard descriptor >= 0 else { throw unreachable(reasonOfLastError()) }
        prepare(Socket(descriptor: descriptor))
        return Socket(descriptor: descriptor)
    }

    private func finish(_ socket: Socket, _ isConnected: Bool) throws(StandClientError) -> Socket {
        if isConnected || errno == EINPROGRESS { return socket }
        let reason =
            switch (errno, self) {
            case (EACCES, .socket): StandClient.foreignSocket
            case (ENOENT, .socket), (ECONNREFUSED, .socket): StandClient.noListener
            default: reasonOfLastError()
            }
        socket.close()
        throw unreachable(reason)
    }

    func unreachable(_ reason: String) -> StandClientError { .unreachable(path: description, reason: reason) }
}

extension StandTarget: CustomStringConvertible {
    /// The path, or `http://HOST:PORT`.
    package var description: String {
        switch self {
        case .socket(let path): path
        case .http: Self.scheme + host
        }
    }
}

private func systemSocket(_ family: Int32) -> Int32 { socket(family, streamSocket, 0) }

private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    unsafe connect(descriptor, address, length)
}
