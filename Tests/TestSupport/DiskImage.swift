import Platform

/// The folders and files of a disk, by their names.
package struct DiskImage: Hashable, Sendable {
    package var folders: Set<String> = []
    package var files: [String: [UInt8]] = [:]

    init() {}

    /// Reads what is in a folder.
    package init(_ root: String) throws {
        try read(root, "")
    }

    private mutating func read(_ root: String, _ folder: String) throws {
        for name in try Folder.names(in: root + folder) {
            let path = "\(folder)/\(name)"
            var status = stat()
            guard unsafe lstat(root + path, &status) == 0 else { throw FileError(lastErrorAt: root + path) }
            if status.st_mode & S_IFMT == S_IFDIR {
                folders.insert(String(path.dropFirst()))
                try read(root, path)
            } else if status.st_mode & S_IFMT == S_IFREG {
                files[String(path.dropFirst())] = try readFile(root + path)
            }
        }
    }

    var sortedFiles: [(String, [UInt8])] { files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    /// Writes everything into an empty folder.
    package func write(to root: String) throws {
        try Folder.make(root)
        for folder in folders.sorted() { try Folder.make("\(root)/\(folder)") }
        for (name, bytes) in files { try DiskFile("\(root)/\(name)", .appending).append(bytes) }
    }
}
