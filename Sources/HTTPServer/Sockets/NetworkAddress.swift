import Platform

/// A TCP address and port: `127.0.0.1:8787`, `[::1]:8787`.
package struct NetworkAddress: Equatable, Sendable {
    /// Four bytes of IPv4 or sixteen of IPv6, in network order.
    package let bytes: [UInt8]
    /// 0 for any free port.
    package var port: UInt16

    package static let standard = NetworkAddress(bytes: [127, 0, 0, 1], port: 8787)

    package init(bytes: [UInt8], port: UInt16) {
        self.bytes = bytes
        self.port = port
    }

    /// Reads `ADDRESS:PORT`, where the address is numeric, IPv6 in brackets, or `localhost`; nil for anything else.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy(HTTPGrammar.isDigit), let port = UInt16(digits),
            let bytes = Self.bytes(ofHost: String(text[..<colon]))
        else { return nil }
        self.init(bytes: bytes, port: port)
    }

    /// The bytes of a numeric host, IPv6 in brackets, or of `localhost`; nil for other names.
    package static func bytes(ofHost host: String) -> [UInt8]? {
        if host == "localhost" { return standard.bytes }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        var bytes = [UInt8](repeating: 0, count: isBracketed ? 16 : 4)
        let family = isBracketed ? AF_INET6 : AF_INET
        let number = isBracketed ? String(host.dropFirst().dropLast()) : host
        return unsafe inet_pton(family, number, &bytes) == 1 ? bytes : nil
    }

    /// The addresses of a host, numeric or not; empty if the system knows none. May wait for a name server.
    package static func all(ofHost host: String, port: UInt16) -> [NetworkAddress] {
        if let bytes = bytes(ofHost: host) { return [NetworkAddress(bytes: bytes, port: port)] }
        var hints = unsafe addrinfo()
        var first = unsafe UnsafeMutablePointer<addrinfo>?.none
        unsafe hints.ai_socktype = streamSocket
        guard unsafe getaddrinfo(host, "\(port)", &hints, &first) == 0 else { return [] }
        defer { unsafe freeaddrinfo(first) }
        var found: [NetworkAddress] = []
        var next = unsafe first
        while let entry = unsafe next?.pointee {
            var address = sockaddr_in6()
            let size = unsafe min(MemoryLayout<sockaddr_in6>.size, Int(entry.ai_addrlen))
            _ = unsafe withUnsafeMutableBytes(of: &address) { unsafe memcpy($0.baseAddress!, entry.ai_addr, size) }
            if let address = NetworkAddress(address) { found.append(address) }
            unsafe next = entry.ai_next
        }
        return found
    }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    /// Whether it means every address of the machine.
    package var isEvery: Bool { bytes.allSatisfy { $0 == 0 } }

    package var host: String {
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        var bytes = bytes
        guard unsafe inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count)) != nil else { return "[?]" }
        let end = text.firstIndex(of: 0) ?? text.endIndex
        return "[" + String(decoding: text[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self) + "]"
    }
}

extension NetworkAddress: CustomStringConvertible {
    package var description: String { "\(host):\(port)" }
}

// MARK: - The system's form

extension NetworkAddress {
    package var family: Int32 { bytes.count == 4 ? AF_INET : AF_INET6 }

    /// Calls `body` with the address in the form of the system's calls.
    package func withSystemAddress(_ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        if bytes.count == 4 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            unsafe withUnsafeMutableBytes(of: &address.sin_addr) { unsafe $0.copyBytes(from: bytes) }
            return unsafe withSystemForm(&address, body)
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        unsafe withUnsafeMutableBytes(of: &address.sin6_addr) { unsafe $0.copyBytes(from: bytes) }
        return unsafe withSystemForm(&address, body)
    }

    /// An address of the system; nil if its family is neither IPv4 nor IPv6.
    init?(_ address: sockaddr_in6) {
        var address = address
        switch Int32(address.sin6_family) {
        case AF_INET:
            // A `sockaddr_in` has family and port in its first four bytes, then the address.
            bytes = unsafe withUnsafeBytes(of: &address) { unsafe Array($0[4..<8]) }
        case AF_INET6:
            bytes = unsafe withUnsafeBytes(of: &address.sin6_addr) { unsafe Array($0) }
        default: return nil
        }
        port = UInt16(bigEndian: address.sin6_port)
    }

    /// The part of a client's address that it can't choose freely: all of an IPv4 address, the first 64 bits of an IPv6
    /// address.
    var network: UInt64 {
        let isMapped = bytes.count == 16 && bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
        return (isMapped ? bytes[12...] : bytes.prefix(8)).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The address a socket is bound to; nil if its family is neither IPv4 nor IPv6.
    init?(of socket: Socket) {
        guard let name = socket.name(as: sockaddr_in6()) else { return nil }
        self.init(name)
    }
}
