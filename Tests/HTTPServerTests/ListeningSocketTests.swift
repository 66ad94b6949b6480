import HTTPServer
import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ListeningSocketTests {
    private static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    @Test(.onItsOwnThread)
    func `a Unix socket has mode 0600 whatever the mask is, and is removed with its listener`() async {
        // The mask for new files is the whole process's.
        await #expect(processExitsWith: .success) {
            umask(0)
            let folder = try TemporaryFolder()
            let socket = try ListeningSocket.local(path: folder.socket)
            guard Self.mode(folder.socket) == 0o600 else { exit(1) }
            socket.close()
            guard Self.mode(folder.socket) == nil else { exit(2) }
        }
    }

    @Test(.onItsOwnThread)
    func `replaces the socket of a stand that has ended, but not that of a running one`() async throws {
        let folder = try TemporaryFolder()
        let living = try ListeningSocket.local(path: folder.socket)
        #expect(throws: FileError(path: folder.socket, reason: "another stand listens there")) {
            try ListeningSocket.local(path: folder.socket)
        }
        // A second name keeps the file when its listener closes.
        #expect(unsafe link(folder.socket, folder.path + "/kept") == 0)
        living.close()
        #expect(unsafe rename(folder.path + "/kept", folder.socket) == 0)
        #expect(Self.mode(folder.socket) == 0o600)
        // The child that another test starts at this moment has a copy of the listener until it runs its own program.
        var next: ListeningSocket?
        try await eventually("the end of the first listener") {
            do throws(FileError) { next = try ListeningSocket.local(path: folder.socket) } catch {
                guard error.reason == SocketFile.isTaken else { throw error }
            }
            return next != nil
        }
        _ = try RawClient(path: folder.socket)
        next?.close()
    }

    @Test func `leaves a file alone that is no socket`() throws {
        let folder = try TemporaryFolder()
        let file = unsafe open(folder.socket, O_CREAT | O_WRONLY, 0o644)
        close(file)
        let reason = "exists and is not a socket; remove it, or name another socket"
        #expect(throws: FileError(path: folder.socket, reason: reason)) {
            try ListeningSocket.local(path: folder.socket)
        }
        #expect(Self.mode(folder.socket) == 0o644)
    }

    @Test func `a listener removes only its own file`() throws {
        let folder = try TemporaryFolder()
        let socket = try ListeningSocket.local(path: folder.socket)
        unsafe unlink(folder.socket)
        let file = unsafe open(folder.socket, O_CREAT | O_WRONLY, 0o644)
        close(file)
        socket.close()
        #expect(Self.mode(folder.socket) == 0o644)
    }

    @Test func `a locked folder does not block a stand, and no lock file is left`() throws {
        let folder = try TemporaryFolder()
        let other = unsafe open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(other) }
        try #require(flock(other, LOCK_EX | LOCK_NB) == 0)
        let socket = try ListeningSocket.local(path: folder.socket)
        #expect(Self.mode(folder.socket) == 0o600 && Self.mode(folder.socket + ".lock") == nil)
        socket.close()
        // A lock that was left behind locks nothing.
        let left = unsafe open(folder.socket + ".lock", O_CREAT | O_WRONLY, 0o600)
        close(left)
        try ListeningSocket.local(path: folder.socket).close()
        #expect(Self.mode(folder.socket + ".lock") == nil)
    }

    @Test func `refuses a path that is too long`() {
        let path = "/tmp/" + String(repeating: "a", count: 200)
        #expect(throws: FileError.self) { try ListeningSocket.local(path: path) }
    }

    @Test func `a port in use is an error, or replaced by a free one on request`() throws {
        let first = try ListeningSocket.tcp(#require(NetworkAddress("127.0.0.1:0")))
        let taken = try #require(first.address)
        #expect(throws: FileError.self) { try ListeningSocket.tcp(taken) }
        let second = try ListeningSocket.tcp(taken, fallsBack: true)
        let address = try #require(second.address)
        #expect(address.port != taken.port && address.port != 0)
        _ = try RawClient(port: address.port)
    }

    @Test(arguments: [
        ("127.0.0.1:8787", "127.0.0.1:8787"), ("localhost:0", "127.0.0.1:0"), ("[::1]:80", "[::1]:80"),
        ("0.0.0.0:1", "0.0.0.0:1"),
        ("127.0.0.1", nil), ("127.0.0.1:", nil), ("127.0.0.1:65536", nil), ("127.0.0.1:+1", nil), (":80", nil),
        ("::1:80", nil),
        ("example.org:80", nil), ("[127.0.0.1]:80", nil), ("127.0.0.1:80 ", nil), ("", nil),
    ])
    func `reads an address of number and port`(text: String, read: String?) {
        #expect(NetworkAddress(text)?.description == read)
    }
}

extension TemporaryFolder {
    fileprivate var socket: String { path + "/socket" }
}
