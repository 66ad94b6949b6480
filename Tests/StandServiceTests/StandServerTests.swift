import HTTPServer
import JuiceStand
import Platform
import StandService
import TestSupport
import Testing

/// The listeners of a running stand, their access control and the token.
@Suite(.serialized, .onItsOwnThread)
struct StandServerTests {
    @Test func `over TCP, changes need the token and foreign hosts and origins are refused`() throws {
        let stand = try OpenStand()
        #expect(try stand.overTCP("GET /api/v1/status").hasPrefix("HTTP/1.1 200 "))
        #expect(try stand.overTCP("POST /api/v1/pause").hasPrefix("HTTP/1.1 401 "))
        #expect(try stand.overTCP("GET /", host: "evil.example").hasPrefix("HTTP/1.1 421 "))
        #expect(try stand.overTCP("GET /", fields: "Origin: http://evil.example\r\n").hasPrefix("HTTP/1.1 403 "))
        #expect(stand.control.status.phase == .open)
        let file = try #require(stand.server.tokenFile)
        let token = String(decoding: try readFile(file).dropLast(), as: UTF8.self)
        #expect(token == stand.server.token.text)
        #expect(
            try stand.overTCP("POST /api/v1/pause", fields: "Authorization: Bearer \(token)\r\n").hasPrefix(
                "HTTP/1.1 200 "))
        #expect(stand.control.status.phase == .paused)
        for answer in [try stand.overTCP("GET /api/v1/status"), try stand.overTCP("POST /api/v1/pause")] {
            #expect(answer.contains("content-security-policy: default-src 'none'; frame-ancestors 'none'\r\n"))
            #expect(
                answer.contains("x-content-type-options: nosniff\r\n") && answer.contains("cache-control: no-store\r\n")
            )
            #expect(!answer.contains(token))
        }
    }

    @Test
    func `a socket in use is refused, and a state folder keeps the token`()
        throws
    {
        let stand = try OpenStand()
        #expect(throws: FileError(path: stand.server.socket, reason: "another stand listens there")) {
            try StandServer(.init(socket: stand.server.socket, listen: .off))
        }
        let options = StandServer.Options(
            socket: stand.folder + "/other", listen: .address(try #require(NetworkAddress("127.0.0.1:0"))),
            stateFolder: stand.folder)
        let first = try StandServer(options)
        first.stop()
        let second = try StandServer(options)
        #expect(first.token == second.token && second.tokenFile == stand.folder + "/token")
        second.stop()
        #expect(try readFile(stand.folder + "/token").count == 65)
        unsafe unlink(stand.folder + "/token")
    }

    @Test func `the token file is never readable by others and never a planted one`() throws {
        try withFolder { folder in
            let loopback = StandServer.Listen.address(try #require(NetworkAddress("127.0.0.1:0")))
            let other = folder + "/other"
            #expect(unsafe creat(other, 0o644) >= 0 && symlink(other, folder + "/socket.token") == 0)
            // Without a state nothing that is there counts, and no link is followed.
            let server = try StandServer(.init(socket: folder + "/socket", listen: loopback))
            var status = stat()
            #expect(unsafe lstat(folder + "/socket.token", &status) == 0)
            #expect(status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o777 == 0o600)
            #expect(try readFile(other).isEmpty)
            server.stop()
            // With one, what is there must be this user's alone.
            let lasting = StandServer.Options(socket: folder + "/socket", listen: loopback, stateFolder: folder)
            let refusal = FileError(
                path: folder + "/token",
                reason: "must be a file that only its owner can read; remove it to get a new token")
            #expect(unsafe symlink(other, folder + "/token") == 0)
            #expect(throws: refusal) { try StandServer(lasting) }
            #expect(unsafe unlink(folder + "/token") == 0 && creat(folder + "/token", 0o640) >= 0)
            #expect(throws: refusal) { try StandServer(lasting) }
        }
    }

    @Test func `listens on the loopback by default`() throws {
        try withFolder { folder in
            let server = try StandServer(.init(socket: folder + "/socket"))
            #expect(server.address?.isLoopback == true)
            server.stop()
        }
    }

    /// Calls `body` with a folder that is removed afterwards.
    private func withFolder(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/server-XXXXXX".utf8CString)
        let folder = unsafe String(cString: try #require(mkdtemp(&template)))
        defer {
            for name in ["other", "socket", "socket.token", "token"] { unsafe unlink(folder + "/" + name) }
            unsafe rmdir(folder)
        }
        try body(folder)
    }
}
