import Foundation
import Platform

/// A server at a Unix socket that is not a stand: it takes a request and sends the answer it is given.
package final class RawServer: Sendable {
    private let descriptor: Int32
    private let path: String

    /// - Parameter path: A path that is free.
    package init(path: String) throws {
        descriptor = socket(AF_UNIX, streamSocket, 0)
        self.path = path
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let descriptor = descriptor
        let status = unsafe withSystemForm(&address) { unsafe bind(descriptor, $0, $1) }
        guard status == 0, listen(descriptor, 16) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    }

    deinit {
        close(descriptor)
        unsafe unlink(path)
    }

    /// Accepts one connection for each answer: reads a request with its content, sends the answer and hangs up. For an
    /// answer of nil it waits until the client hangs up.
    ///
    /// - Returns: The requests.
    package func answer(_ answers: [String?]) -> [String] {
        answers.map { answer in self.answer { _ in answer } }
    }

    /// Accepts one connection and answers its request in the same way.
    ///
    /// - Returns: The request.
    @discardableResult
    package func answer(_ answer: (String) -> String?) -> String { reply(pieceSize: .max, answer) }

    /// The same, in pieces of one byte.
    package func answerByteByByte(_ answer: (String) -> String?) { _ = reply(pieceSize: 1, answer) }

    private func reply(pieceSize: Int, _ answer: (String) -> String?) -> String {
        let client = accept(descriptor, nil, nil)
        defer { close(client) }
        let request = Self.receive(from: client) { text in
            guard let end = text.firstRange(of: "\r\n\r\n") else { return false }
            let length = text.firstMatch(of: #/Content-Length: (\d+)/#).flatMap { Int($0.1) } ?? 0
            return text[end.upperBound...].utf8.count >= length
        }
        guard let answer = answer(request) else {
            _ = Self.receive(from: client) { _ in false }
            return request
        }
        var bytes = Array(answer.utf8)[...]
        while !bytes.isEmpty {
            let piece = Array(bytes.prefix(pieceSize))
            guard unsafe send(client, piece, piece.count, Int32(MSG_NOSIGNAL)) == piece.count else { break }
            bytes.removeFirst(piece.count)
        }
        return request
    }

    /// The bytes until they are whole, or the client hangs up.
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
