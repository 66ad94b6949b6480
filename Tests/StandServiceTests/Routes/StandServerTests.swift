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

    @Test func `a socket in use is refused, and a state folder keeps the token`() throws {
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
        let folder = try TemporaryFolder()
        let loopback = StandServer.Listen.address(try #require(NetworkAddress("127.0.0.1:0")))
        let socket = folder.path + "/socket"
        let other = folder.path + "/other"
        #expect(unsafe creat(other, 0o644) >= 0 && symlink(other, socket + ".token") == 0)
        // Without a state nothing that is there counts, and no link is followed.
        let server = try StandServer(socket: socket, listen: loopback)
        #expect(try mode(of: socket + ".token") == S_IFREG | 0o600)
        #expect(try readFile(other).isEmpty)
        server.stop()
        // With one, what is there must be this user's alone.
        let token = folder.path + "/token"
        let refusal = FileError(
            path: token, reason: "must be a file that only its owner can read; remove it to get a new token")
        func expectRefusal() {
            #expect(throws: refusal) {
                try StandServer(socket: socket, listen: loopback, stateFolder: folder.path)
            }
        }
        #expect(unsafe symlink(other, token) == 0)
        expectRefusal()
        #expect(unsafe unlink(token) == 0 && creat(token, 0o640) >= 0)
        expectRefusal()
    }

    @Test func `the default socket is in a private folder of the temporary folder`() async {
        await #expect(processExitsWith: .success) {
            let folder = try temporaryFolderOfProcess()
            let standard = "\(folder.path)/juicestand-\(geteuid())"
            #expect(StandSocket.standardPath == standard + "/socket")
            // A folder with a wide mode is narrowed.
            unsafe mkdir(standard, 0o777)
            let server = try StandServer(listen: .off)
            #expect(try mode(of: standard) == S_IFDIR | 0o700)
            #expect(server.socket == StandSocket.standardPath)
            server.stop()
        }
    }

    @Test func `a planted default folder neither blocks a stand nor gets its socket`() async {
        await #expect(processExitsWith: .success) {
            let folder = try temporaryFolderOfProcess()
            // A link stands for whatever another user may have created there.
            let standard = "\(folder.path)/juicestand-\(geteuid())"
            unsafe mkdir("\(folder.path)/trap", 0o777)
            #expect(unsafe symlink("\(folder.path)/trap", standard) == 0)
            let server = try StandServer(listen: .off)
            #expect(server.socket.hasPrefix(standard + "-"))
            #expect(try mode(of: String(server.socket.dropLast("/socket".count))) == S_IFDIR | 0o700)
            server.stop()
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can listen as another user"))
    func `clients don't talk to another user at the default socket, and a stand still opens`() async {
        await #expect(processExitsWith: .success) {
            let folder = try temporaryFolderOfProcess()
            #expect(unsafe chmod(folder.path, 0o777) == 0 && seteuid(12_345) == 0)
            unsafe mkdir("\(folder.path)/juicestand-0", 0o755)
            let planted = try ListeningSocket.local(path: "\(folder.path)/juicestand-0/socket")
            #expect(seteuid(0) == 0)
            let error = #expect(throws: StandClientError.self) {
                try StandClient(path: StandSocket.standardPath, timeout: 1).send(.get, "/api/v1/status")
            }
            #expect(error?.reason == "a process of user 12345 listens there, which is not you")
            let server = try StandServer(listen: .off)
            #expect(server.socket != StandSocket.standardPath)
            server.stop()
            planted.close()
        }
    }

    @Test func `listens on the loopback by default`() throws {
        let folder = try TemporaryFolder()
        let server = try StandServer(socket: folder.path + "/socket")
        #expect(server.address?.isLoopback == true)
        server.stop()
    }
}

/// Kind and permissions of what has this name, which may be a link.
private func mode(of path: String) throws -> mode_t {
    var status = stat()
    try #require(unsafe lstat(path, &status) == 0)
    return status.st_mode
}

/// A new folder that is the temporary folder of this process, which has no `XDG_RUNTIME_DIR`.
private func temporaryFolderOfProcess() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    unsafe unsetenv("XDG_RUNTIME_DIR")
    unsafe setenv("TMPDIR", folder.path, 1)
    return folder
}
