import HTTPServer
import JuiceStand
import Platform

/// The file, of mode 0600, that a stand's token is read from by those who may change the stand.
enum TokenFile {
    /// The token that is there, or a new one that is there from now on.
    ///
    /// - Parameter lasts: Whether a token that is there already counts.
    /// - Throws: ``FileError`` where the file can't be written, holds something else, or others could read it.
    static func token(at path: String, lasts: Bool) throws(FileError) -> SecretToken {
        if lasts, let token = try kept(path) { return token }
        // What is there otherwise is left over, or a trap: a new file takes its place, and never follows a link.
        unsafe unlink(path)
        let token = SecretToken()
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError(path: path, reason: reasonOfLastError()) }
        defer { close(descriptor) }
        let bytes = Array((token.text + "\n").utf8)
        guard unsafe write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
            throw FileError(path: path, reason: reasonOfLastError())
        }
        return token
    }

    static func remove(_ path: String) { unsafe unlink(path) }

    private static func kept(_ path: String) throws(FileError) -> SecretToken? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0, status.st_uid == geteuid() else {
            throw FileError(
                path: path, reason: "must be a file that its owner alone can read; remove it for a new token")
        }
        let text = String(decoding: try readFile(path), as: UTF8.self)
        // The program was ended, or the disk was full, before a token was in it.
        if text.isEmpty { return nil }
        guard text.hasSuffix("\n"), let token = SecretToken(String(text.dropLast())) else {
            throw FileError(path: path, reason: "holds no token; remove it for a new one")
        }
        return token
    }
}
