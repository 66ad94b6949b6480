import Platform

/// The default Unix socket of a stand, in a folder that only its user can enter.
package enum StandSocket {
    /// `$XDG_RUNTIME_DIR/juicestand.sock`, else `juicestand-UID/socket` in the temporary folder.
    ///
    /// The name in the temporary folder is short: the path of a socket has at most 107 bytes, and that of the folder
    /// may be long.
    package static var standardPath: String {
        folder("XDG_RUNTIME_DIR").map { "\($0)/juicestand.sock" } ?? "\(fallbackFolder)/socket"
    }

    /// Makes the folder of ``standardPath`` usable for a new socket.
    ///
    /// - Returns: The path of the socket. If another user has taken the folder's name, it is in a new private folder.
    /// - Throws: ``FileError`` if no folder can be created.
    package static func prepare() throws(FileError) -> String {
        guard folder("XDG_RUNTIME_DIR") == nil else { return standardPath }
        let folder = fallbackFolder
        if unsafe mkdir(folder, 0o700) == 0 { return standardPath }
        guard errno == EEXIST else { throw FileError(lastErrorAt: folder) }
        var status = stat()
        // Owned by this user, the folder is safe in a shared one: the sticky bit keeps others from replacing it.
        if unsafe lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
            unsafe chmod(folder, 0o700) == 0
        {
            return standardPath
        }
        var template = Array("\(folder)-XXXXXX".utf8CString)
        guard let own = unsafe mkdtemp(&template) else { throw FileError(lastErrorAt: folder) }
        return unsafe String(cString: own) + "/socket"
    }

    /// The socket of this process beside `standard`, which another stand has.
    package static func ownPath(beside standard: String) -> String {
        let name = folder("XDG_RUNTIME_DIR") == nil ? "\(getpid())" : "juicestand-\(getpid()).sock"
        return "\(Platform.folder(ofFile: standard))/\(name)"
    }

    /// Whether to talk to a process of `user` that listens at `path`.
    ///
    /// Anybody can create the default name in a shared temporary folder, so only this user and root are trusted there.
    /// Root may also name the socket of another user explicitly, such as that of a service.
    static func trusts(_ user: uid_t, at path: String) -> Bool {
        let own = geteuid()
        return user == own || user == 0 || (own == 0 && path != standardPath)
    }

    private static var fallbackFolder: String { "\(folder("TMPDIR") ?? "/tmp")/juicestand-\(geteuid())" }

    /// An absolute path of the environment; nil if it is missing or relative.
    private static func folder(_ name: String) -> String? {
        environmentVariable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
