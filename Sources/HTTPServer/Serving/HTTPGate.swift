import TextFormats

/// Access control for requests over TCP.
///
/// A Unix socket needs none: its file lets only its owner connect. Over TCP, a page of another site in a browser on
/// this machine can send requests too. Such a page can make its own name resolve to this address (DNS rebinding), so
/// `Host` is checked; it can't forge `Origin`, and it doesn't know the token.
package struct HTTPGate: Sendable {
    private let address: NetworkAddress
    /// The authority as most clients send it.
    private let name: String
    private let token: SecretToken
    /// The path that other sites may link to.
    private static let page = "/"

    /// - Parameter address: The bound address, with its actual port.
    package init(address: NetworkAddress, token: SecretToken) {
        self.address = address
        name = "\(address)"
        self.token = token
    }

    /// The response that refuses a request by where it comes from; nil if it may pass.
    package func refusal(of request: HTTPRequest, over transport: HTTPTransport) -> HTTPResponse? {
        guard transport == .tcp else { return nil }
        guard isOurs(request.authority) else {
            return .problem(.misdirectedRequest, "Host must be the address and port that the stand listens on")
        }
        // Browsers send `Origin` with changes and with reads across origins.
        if let origin = request.fields["origin"], origin.utf8.lowercasedASCII() != "http://" + request.authority {
            return .problem(.forbidden, "pages of another origin can't use this stand")
        }
        // Images, scripts and links of other sites send no `Origin`, but browsers tell their site.
        if let site = request.fields["sec-fetch-site"], site != "same-origin", site != "none", request.path != Self.page
        {
            return .problem(.forbidden, "other sites may link to the page, and can't use anything else")
        }
        return nil
    }

    /// The response that refuses a change without the token; nil if the request may pass.
    package func refusalWithoutToken(of request: HTTPRequest, over transport: HTTPTransport) -> HTTPResponse? {
        guard transport == .tcp, !request.method.isSafe, !bearsToken(request) else { return nil }
        let reason =
            request.fields["authorization"] == nil
            ? "changes need the token of the stand: Authorization: Bearer TOKEN"
            : "this is not the token of the stand; it may be from an earlier run"
        return .problem(.unauthorized, reason)
            .with("www-authenticate", "Bearer realm=\"juicestand\"")
    }

    /// Whether a host and port are this server's: a loopback name or the bound address. If every address of the machine
    /// is bound, any numeric address counts, since no foreign name can hide behind a number.
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

/// The secret that allows changes: 160 random bits as 40 hexadecimal digits, so that a link with it fits 80 columns.
package struct SecretToken: Sendable, Equatable {
    package let text: String

    /// A new token, from the system's random source.
    package init() {
        var generator = SystemRandomNumberGenerator()
        text = (0..<5).map { _ in Columns.zeroPadded(generator.next() as UInt32, 8, radix: 16) }.joined()
    }

    /// A saved token; nil if the text is not 40 hexadecimal digits, or 64 as in earlier versions.
    package init?(_ text: String) {
        guard [40, 64].contains(text.utf8.count), text.utf8.allSatisfy({ HTTPGrammar.hexValue($0) != nil }) else {
            return nil
        }
        self.text = text
    }

    /// Whether an attempt is the token, in a time that does not depend on how much of it is right.
    ///
    /// - Complexity: Linear in the length of the token, whatever `attempt` is.
    package func matches(_ attempt: some Collection<UInt8>) -> Bool {
        var difference = UInt8(attempt.count == text.utf8.count ? 0 : 1)
        var rest = attempt.makeIterator()
        for byte in text.utf8 { difference |= byte ^ (rest.next() ?? 0) }
        return difference == 0
    }
}
