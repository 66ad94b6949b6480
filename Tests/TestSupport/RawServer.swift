import Foundation

/// Something at a Unix socket that is no stand: it takes a request and sends whatever it is told to.
package final class RawServer: Sendable {
    private let descriptor: Int32
    private let path: String

    /// - Parameter path: Where nothing is yet.
    package init(path: String) throws {
        #if canImport(Glibc)
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        self.path = path
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let descriptor = descriptor
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0, listen(descriptor, 16) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    }

    deinit {
        close(descriptor)
        unsafe unlink(path)
    }

    /// Takes the next connections, one for each answer: reads a request up to the end of its head and content, sends the
    /// answer and hangs up. An answer of nil keeps the client waiting until it hangs up itself.
    ///
    /// - Returns: The requests.
    package func answer(_ answers: [String?]) -> [String] {
        answers.map { answer in
            let client = accept(descriptor, nil, nil)
            defer { close(client) }
            let request = Self.receive(from: client) { text in
                guard let end = text.firstRange(of: "\r\n\r\n") else { return false }
                let length = text.firstMatch(of: #/Content-Length: (\d+)/#).flatMap { Int($0.1) } ?? 0
                return text[end.upperBound...].utf8.count >= length
            }
            guard let answer else {
                _ = Self.receive(from: client) { _ in false }
                return request
            }
            let bytes = Array(answer.utf8)
            _ = unsafe send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            return request
        }
    }

    /// What comes until it is whole, or the client hangs up.
    private static func receive(from client: Int32, until isWhole: (String) -> Bool) -> String {
        var text = ""
        var bytes = [UInt8](repeating: 0, count: 4096)
        while !isWhole(text) {
            let count = unsafe recv(client, &bytes, bytes.count, 0)
            if count <= 0 { break }
            text += String(decoding: bytes[..<count], as: UTF8.self)
        }
        return text
    }
}
