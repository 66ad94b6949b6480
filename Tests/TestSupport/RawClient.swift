import Platform
import StandService

/// A client that sends any bytes whatever and reads what comes, waiting as long as it must.
package final class RawClient {
    package let descriptor: Int32

    /// One that is not connected yet, for TCP.
    package init() {
        descriptor = socket(AF_INET, RawClient.stream, 0)
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
            guard status == 0 else { throw Failure(reason: reasonOfLastError()) }
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
    package init(path: String) throws {
        descriptor = socket(AF_UNIX, RawClient.stream, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        try connect(&address)
    }

    deinit { close(descriptor) }

    private static var stream: Int32 {
        #if canImport(Glibc)
            Int32(SOCK_STREAM.rawValue)
        #else
            Int32(SOCK_STREAM)
        #endif
    }

    private func connect<Address>(_ address: inout Address) throws {
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Self.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard status == 0 else { throw Failure(reason: unsafe String(cString: strerror(errno))) }
    }

    private static func connect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
        #if canImport(Glibc)
            unsafe Glibc.connect(descriptor, address, length)
        #elseif canImport(Musl)
            unsafe Musl.connect(descriptor, address, length)
        #else
            unsafe Darwin.connect(descriptor, address, length)
        #endif
    }

    package struct Failure: Error {
        let reason: String
    }

    /// Sends all of it, unless the peer hangs up.
    package func send(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes.removeFirst(count)
        }
    }

    package func finishSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// What comes next; empty when the peer has closed.
    package func receive() -> String {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }

    /// Everything up to where `end` has come, or the peer has closed.
    package func receive(until end: String) -> String {
        var text = ""
        while !text.contains(end) {
            let more = receive()
            if more.isEmpty { return text }
            text += more
        }
        return text
    }

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
