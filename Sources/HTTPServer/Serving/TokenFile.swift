import Platform

/// The file of mode 0600 with a stand's token.
package enum TokenFile {
    /// The token of the file, or a new one that is written to it.
    ///
    /// - Parameter lasts: Whether an existing token is kept.
    /// - Throws: ``FileError`` if the file can't be written, has another content, or is readable by others.
    package static func token(at path: String, lasts: Bool) throws(FileError) -> SecretToken {
        if lasts, let token = try kept(path) { return token }
        // Written aside, so that no crash leaves half a token. An existing file is left over or planted: replace it,
        // and never follow a link.
        let aside = path + ".new"
        unsafe unlink(aside)
        let token = SecretToken()
        let descriptor = unsafe open(aside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError(lastErrorAt: aside) }
        defer { close(descriptor) }
        let bytes = Array((token.text + "\n").utf8)
        guard unsafe write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
            throw FileError(lastErrorAt: aside)
        }
        try Folder.rename(aside, to: path)
        try Folder.synchronize(folder(ofFile: path))
        return token
    }

    package static func remove(_ path: String) { unsafe unlink(path) }

    private static func kept(_ path: String) throws(FileError) -> SecretToken? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0, status.st_uid == geteuid() else {
            throw FileError(
                path: path, reason: "must be a file that only its owner can read; remove it to get a new token")
        }
        let text = String(decoding: try readFile(path), as: UTF8.self)
        // The program ended, or the disk was full, before the token was written.
        if text.isEmpty { return nil }
        guard text.hasSuffix("\n"), let token = SecretToken(String(text.dropLast())) else {
            throw FileError(path: path, reason: "contains no token; remove it to get a new one")
        }
        return token
    }
}
