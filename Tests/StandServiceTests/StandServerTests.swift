import Foundation
import HTTPServer
import JuiceStand
import Platform
import StandClient
import StandService
import TestSupport
import Testing

/// The listeners of a running stand, their access control and the token.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct StandServerTests {
    @Test func `over TCP, changes need the token and foreign hosts and origins are refused`() throws {
        let stand = try OpenStand()
        #expect(try stand.overTCP("GET /api/v1/status").hasPrefix("HTTP/1.1 200 "))
        let page = try stand.client.send(.get, "/api/v1/status").json?["url"]?.text
        #expect(page == "http://127.0.0.1:\(stand.port)/")
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
            try StandServer(socket: stand.server.socket, listen: .off)
        }
        let loopback = StandServer.Listen.address(try #require(NetworkAddress("127.0.0.1:0")))
        func open() throws -> StandServer {
            try StandServer(socket: stand.folder + "/other", listen: loopback, stateFolder: stand.folder)
        }
        // A crash came before the token was whole.
        try DiskFile(stand.folder + "/token.new", .appending).append([0x61])
        let first = try open()
        first.stop()
        #expect(try Folder.names(in: stand.folder).contains("token.new") == false)
        let second = try open()
        #expect(first.token == second.token && second.tokenFile == stand.folder + "/token")
        second.stop()
        #expect(try readFile(stand.folder + "/token").count == 41)
        unsafe unlink(stand.folder + "/token")
    }

    @Test func `the token file is never readable by others and never a planted one`() throws {
        try withFolder { folder in
            let loopback = StandServer.Listen.address(try #require(NetworkAddress("127.0.0.1:0")))
            let other = folder + "/other"
            #expect(unsafe creat(other, 0o644) >= 0 && symlink(other, folder + "/socket.token") == 0)
            // Without a state nothing that is there counts, and no link is followed.
            let server = try StandServer(socket: folder + "/socket", listen: loopback)
            var status = stat()
            #expect(unsafe lstat(folder + "/socket.token", &status) == 0)
            #expect(status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o777 == 0o600)
            #expect(try readFile(other).isEmpty)
            server.stop()
            // With one, what is there must be this user's alone.
            func open() throws {
                _ = try StandServer(socket: folder + "/socket", listen: loopback, stateFolder: folder)
            }
            let refusal = FileError(
                path: folder + "/token",
                reason: "must be a file that only its owner can read; remove it to get a new token")
            #expect(unsafe symlink(other, folder + "/token") == 0)
            #expect(throws: refusal) { try open() }
            #expect(unsafe unlink(folder + "/token") == 0 && creat(folder + "/token", 0o640) >= 0)
            #expect(throws: refusal) { try open() }
        }
    }

    @Test func `the default socket is in a private folder of the temporary folder`() async {
        await #expect(processExitsWith: .success) {
            try withTemporaryFolder { folder in
                let standard = "\(folder)/juicestand-\(geteuid())/socket"
                if StandSocket.standardPath != standard { exit(2) }
                // A folder with a wide mode is narrowed.
                unsafe mkdir("\(folder)/juicestand-\(geteuid())", 0o777)
                let server = try StandServer(listen: .off)
                var status = stat()
                guard unsafe lstat("\(folder)/juicestand-\(geteuid())", &status) == 0 else { exit(3) }
                if status.st_mode & 0o777 != 0o700 || server.socket != standard { exit(4) }
                server.stop()
            }
        }
    }

    @Test func `a planted default folder neither blocks a stand nor gets its socket`() async {
        await #expect(processExitsWith: .success) {
            try withTemporaryFolder { folder in
                // A link stands for whatever another user may have created there.
                unsafe mkdir("\(folder)/trap", 0o777)
                if unsafe symlink("\(folder)/trap", "\(folder)/juicestand-\(geteuid())") != 0 { exit(2) }
                let server = try StandServer(listen: .off)
                if !server.socket.hasPrefix("\(folder)/juicestand-\(geteuid())-") { exit(3) }
                var status = stat()
                let own = String(server.socket.dropLast("/socket".count))
                guard unsafe lstat(own, &status) == 0, status.st_mode & 0o777 == 0o700 else { exit(4) }
                server.stop()
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can listen as another user"))
    func `clients don't talk to another user at the default socket, and a stand still opens`() async {
        await #expect(processExitsWith: .success) {
            try withTemporaryFolder { folder in
                guard unsafe chmod(folder, 0o777) == 0, seteuid(12_345) == 0 else { exit(2) }
                unsafe mkdir("\(folder)/juicestand-0", 0o755)
                let planted = try ListeningSocket.local(path: "\(folder)/juicestand-0/socket")
                guard seteuid(0) == 0 else { exit(3) }
                do throws(StandClient.Failure) {
                    _ = try StandClient(path: StandSocket.standardPath, timeout: 1).send(.get, "/api/v1/status")
                    exit(4)
                } catch {
                    if error.reason != "a process of user 12345 listens there, which is not you" { exit(5) }
                }
                let server = try StandServer(listen: .off)
                if server.socket == StandSocket.standardPath { exit(6) }
                server.stop()
                planted.close()
            }
        }
    }

    @Test func `listens on the loopback by default`() throws {
        try withFolder { folder in
            let server = try StandServer(socket: folder + "/socket")
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

/// Calls `body` with a new folder that is the temporary folder of this process, which has no `XDG_RUNTIME_DIR`.
private func withTemporaryFolder(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/server-XXXXXX".utf8CString)
    let folder = unsafe String(cString: try #require(mkdtemp(&template)))
    defer { try? FileManager.default.removeItem(atPath: folder) }
    unsafe unsetenv("XDG_RUNTIME_DIR")
    unsafe setenv("TMPDIR", folder, 1)
    try body(folder)
}
