/// Who may come in over TCP, looked at before any route is.
///
/// Over a Unix socket everyone may: its file lets only its owner connect. A page of another site that a browser on this
/// machine shows can send requests here too; it can't choose `Host` freely (but can have its own name lead here), nor
/// `Origin`, nor know the token.
package struct HTTPGate: Sendable {
    private let address: NetworkAddress
    /// As most clients name it.
    private let name: String
    private let token: SecretToken

    /// - Parameter address: What TCP listens on, with the port it was given.
    package init(address: NetworkAddress, token: SecretToken) {
        self.address = address
        name = "\(address)"
        self.token = token
    }

    /// What a request that may not pass is told; nil for one that may.
    package func refusal(of request: HTTPRequest, over transport: HTTPTransport) -> HTTPResponse? {
        guard transport == .tcp else { return nil }
        guard isOurs(request.authority) else {
            return .problem(.misdirectedRequest, "Host must be the address this stand listens on, with its port")
        }
        // A browser says where a page comes from that wants to change something, or to read from another site.
        if let origin = request.fields["origin"], origin.utf8.lowercasedASCII() != "http://" + request.authority {
            return .problem(.forbidden, "pages of another origin may not use this stand")
        }
        guard request.method.isSafe || bearsToken(request) else {
            return .problem(.unauthorized, "changing the stand takes its token: Authorization: Bearer TOKEN")
                .with("www-authenticate", "Bearer realm=\"juicestand\"")
        }
        return nil
    }

    /// Whether a host and port are this server's: a name of the loopback, or the address that was bound. Where that is
    /// every address of the machine, any number will do, since no foreign name can hide behind a number.
    private func isOurs(_ authority: String) -> Bool {
        if authority == name { return true }
        let colon = authority.lastIndex(of: ":").flatMap { authority[$0...].contains("]") ? nil : $0 }
        let port = colon.map { authority[authority.index(after: $0)...] } ?? "80"
        guard UInt16(port) == address.port,
            let bytes = NetworkAddress.bytes(ofHost: String(authority[..<(colon ?? authority.endIndex)]))
        else { return false }
        let named = NetworkAddress(bytes: bytes, port: address.port)
        return named == address || named.isLoopback && (address.isLoopback || address.isEvery) || address.isEvery
    }

    private func bearsToken(_ request: HTTPRequest) -> Bool {
        guard let authorization = request.fields["authorization"] else { return false }
        let scheme = "bearer "
        guard authorization.utf8.prefix(scheme.utf8.count).lowercasedASCII() == scheme else { return false }
        return token.matches(authorization.utf8.dropFirst(scheme.utf8.count))
    }
}
