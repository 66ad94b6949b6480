import HTTPServer
import Platform
import TestSupport
import Testing

struct ListeningSocketTests {
    /// A folder of a test's own, removed with what is in it.
    private final class Folder {
        let path: String

        init() throws {
            var template = Array("/tmp/stand-XXXXXX".utf8CString)
            path = unsafe String(cString: try #require(mkdtemp(&template)))
        }

        deinit {
            unsafe unlink(path + "/socket")
            unsafe rmdir(path)
        }

        var socket: String { path + "/socket" }
    }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    @Test func `a Unix socket is its owner's alone, and goes with its listener`() throws {
        let folder = try Folder()
        let socket = try ListeningSocket.local(path: folder.socket)
        #expect(mode(folder.socket) == 0o600)
        socket.close()
        #expect(mode(folder.socket) == nil)
    }

    @Test(.onItsOwnThread) func `a Unix socket is its owner's alone even where new files are everybody's`() async {
        // The mask for new files is the whole process's.
        await #expect(processExitsWith: .success) {
            umask(0)
            let folder = try Folder()
            let socket = try ListeningSocket.local(path: folder.socket)
            var status = stat()
            guard unsafe lstat(folder.socket, &status) == 0, status.st_mode & 0o777 == 0o600 else { exit(1) }
            socket.close()
        }
    }

    @Test func `the file of a stand that is gone is replaced, and that of a living one is not`() throws {
        let folder = try Folder()
        let living = try ListeningSocket.local(path: folder.socket)
        #expect(throws: FileError(path: folder.socket, reason: "a stand is open there already")) {
            try ListeningSocket.local(path: folder.socket)
        }
        // A second name keeps the file when its listener has gone.
        #expect(unsafe link(folder.socket, folder.path + "/kept") == 0)
        living.close()
        #expect(unsafe rename(folder.path + "/kept", folder.socket) == 0)
        #expect(mode(folder.socket) == 0o600)
        let next = try ListeningSocket.local(path: folder.socket)
        _ = try RawClient(path: folder.socket)
        next.close()
    }

    @Test func `a file that is no socket is left alone`() throws {
        let folder = try Folder()
        let file = unsafe open(folder.socket, O_CREAT | O_WRONLY, 0o644)
        close(file)
        #expect(throws: FileError(path: folder.socket, reason: "is there and is not a socket")) {
            try ListeningSocket.local(path: folder.socket)
        }
        #expect(mode(folder.socket) == 0o644)
    }

    @Test func `a listener removes no file but its own`() throws {
        let folder = try Folder()
        let socket = try ListeningSocket.local(path: folder.socket)
        unsafe unlink(folder.socket)
        let file = unsafe open(folder.socket, O_CREAT | O_WRONLY, 0o644)
        close(file)
        socket.close()
        #expect(mode(folder.socket) == 0o644)
    }

    @Test func `who locks the folder of a socket keeps no stand from opening, and nothing is left beside it`() throws {
        let folder = try Folder()
        let other = unsafe open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(other) }
        try #require(flock(other, LOCK_EX | LOCK_NB) == 0)
        let socket = try ListeningSocket.local(path: folder.socket)
        #expect(mode(folder.socket) == 0o600 && mode(folder.socket + ".lock") == nil)
        socket.close()
        // A lock that was left behind locks nothing.
        let left = unsafe open(folder.socket + ".lock", O_CREAT | O_WRONLY, 0o600)
        close(left)
        try ListeningSocket.local(path: folder.socket).close()
        #expect(mode(folder.socket + ".lock") == nil)
    }

    @Test func `a path too long for the system is refused by name`() {
        let path = "/tmp/" + String(repeating: "a", count: 200)
        #expect(throws: FileError.self) { try ListeningSocket.local(path: path) }
    }

    @Test func `a port that is taken is an error, or exchanged for a free one`() throws {
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
    func `an address is a number and a port`(text: String, read: String?) {
        #expect(NetworkAddress(text)?.description == read)
    }
}
