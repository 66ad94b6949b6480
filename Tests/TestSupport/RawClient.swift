import Platform

package struct RawClientError: Error {
    let reason: String
}

/// A client that sends any bytes and reads what comes. It gives up after a minute without any, as if the peer had
/// closed.
package final class RawClient {
    package let descriptor: Int32

    /// A TCP client that is not connected yet.
    package convenience init() { self.init(family: AF_INET) }

    private init(family: Int32) {
        descriptor = socket(family, streamSocket, 0)
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    package convenience init(port: UInt16) throws {
        self.init()
        try connect(port: port)
    }

    /// Connects to a port of the loopback.
    ///
    /// - Parameter source: The address to connect from; nil for any.
    package func connect(port: UInt16, from source: String? = nil) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        if let source {
            unsafe inet_pton(AF_INET, source, &address.sin_addr)
            let status = unsafe withSystemForm(&address) { unsafe bind(descriptor, $0, $1) }
            guard status == 0 else { throw RawClientError(reason: "\(reasonOfLastError())") }
        }
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try connect(&address)
    }

    /// Limits the bytes that the system keeps for this client before it reads them. Call it before it connects.
    package func keepUnread(_ bytes: Int32) {
        var bytes = bytes
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Bytes that can be read at once.
    package var unreadBytes: Int {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        return max(0, unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)))
    }

    /// Connects to a Unix socket.
    package convenience init(path: String) throws {
        self.init(family: AF_UNIX)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        try connect(&address)
    }

    deinit { close(descriptor) }

    private func connect<Address>(_ address: inout Address) throws {
        let status = unsafe withSystemForm(&address) { unsafe systemConnect(descriptor, $0, $1) }
        guard status == 0 else { throw RawClientError(reason: unsafe String(cString: strerror(errno))) }
    }

    /// Sends the whole text, unless the peer hangs up.
    package func send(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes.removeFirst(count)
        }
    }

    package func finishSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next bytes; empty when the peer has closed.
    package func receive() -> String {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }

    /// `text` and what follows it, until that is enough or the peer closes.
    package func receive(after text: String = "", until isEnough: (String) -> Bool) -> String {
        var text = text
        while !isEnough(text) {
            let more = receive()
            if more.isEmpty { return text }
            text += more
        }
        return text
    }

    /// Everything until `end` has come or the peer closes.
    package func receive(until end: String) -> String { receive { $0.contains(end) } }

    /// Everything until the peer closes.
    package func receiveAll() -> String { String(decoding: receiveAllBytes(), as: UTF8.self) }

    package func receiveAllBytes() -> [UInt8] {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(descriptor, &bytes, bytes.count)
            if count <= 0 { return all }
            all += bytes[..<count]
        }
    }
}

private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    unsafe connect(descriptor, address, length)
}
