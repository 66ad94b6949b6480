/// A file that is written under another name and renamed when it is complete, so that readers never see half of it.
///
/// A path that names a pipe or a device, such as `/dev/stdout`, is written to directly.
package struct ReplacedFile: ~Copyable {
    package let path: String
    private let file: DiskFile
    private let isAside: Bool
    private var isFinished = false

    /// Creates the file under its temporary name. A file that `path` names stays as it is.
    ///
    /// - Parameters:
    ///   - aside: The temporary path, in the folder of `path`; nil for `path` with the process's number and `.part`.
    ///   - mode: The permissions of the file.
    ///   - disk: The disk through which the file is written.
    /// - Throws: ``FileError`` if the file can't be created.
    package init(
        _ path: String, aside: String? = nil, mode: mode_t = 0o644, on disk: any Disk = SystemDisk()
    ) throws(FileError) {
        self.path = path
        isAside = DiskFile.notRegular(path) == nil
        let other = aside ?? "\(path).\(getpid()).part"
        do throws(FileError) {
            file =
                isAside ? try DiskFile(other, .replacing, mode: mode, on: disk) : try DiskFile(deviceAt: path)
        } catch {
            throw DiskFile.notRegular(other) ?? FileError(path: path, reason: error.reason)
        }
    }

    deinit { if isAside, !isFinished { _ = file.disk.remove(file.path) } }

    /// Writes the whole content and gives the file its name; durable when it returns.
    ///
    /// - Parameter goOn: Called before each step. If it returns false, a file that `path` names stays as it is.
    /// - Returns: Whether the file has its name.
    /// - Throws: ``FileError``. The former file is then still at `path`, unless only synchronizing the folder failed.
    @discardableResult
    package mutating func finish(_ content: [UInt8], while goOn: () -> Bool = { true }) throws(FileError) -> Bool {
        do throws(FileError) {
            guard goOn() else { return false }
            try file.append(content)
            guard isAside else { return true }
            guard goOn() else { return false }
            try file.synchronize()
            guard goOn() else { return false }
            try Folder.rename(file.path, to: path, on: file.disk)
        } catch {
            throw FileError(path: path, reason: error.reason)
        }
        isFinished = true
        try Folder.synchronize(folder(ofFile: path), on: file.disk)
        return true
    }

    package mutating func finish(_ text: String) throws(FileError) { try finish(Array(text.utf8)) }
}
