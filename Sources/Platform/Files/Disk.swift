/// The calls that change files and folders.
///
/// Files that must survive a power cut are written through a disk: ``SystemDisk``, or in tests one that also records
/// the calls. Each method returns the result of its system call, and sets `errno`.
package protocol Disk: Sendable {
    /// Creates a file and opens it. Fails if the file exists.
    func create(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32
    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int
    func truncate(_ descriptor: Int32, to size: Int) -> Int32
    /// Returns when the bytes of a file are on the disk.
    func synchronize(_ descriptor: Int32) -> Int32
    func makeFolder(_ path: String) -> Int32
    func rename(_ old: String, to new: String) -> Int32
    func remove(_ path: String) -> Int32
    /// Returns when the names in a folder are on the disk.
    func synchronizeFolder(_ path: String) -> Int32
}

/// Makes the calls of the system.
package struct SystemDisk: Disk {
    package init() {}

    package func create(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
        retrying { unsafe open(path, flags | O_CREAT | O_EXCL, mode) }
    }

    package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        retrying { unsafe systemWrite(descriptor, bytes) }
    }

    package func truncate(_ descriptor: Int32, to size: Int) -> Int32 {
        retrying { ftruncate(descriptor, off_t(size)) }
    }

    package func synchronize(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
            retrying { fcntl(descriptor, F_FULLFSYNC) }
        #else
            retrying { fdatasync(descriptor) }
        #endif
    }

    package func makeFolder(_ path: String) -> Int32 { unsafe mkdir(path, 0o700) }
    package func rename(_ old: String, to new: String) -> Int32 { systemRename(old, new) }
    package func remove(_ path: String) -> Int32 { unsafe unlink(path) }

    package func synchronizeFolder(_ path: String) -> Int32 {
        let descriptor = retrying { unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { return descriptor }
        defer { close(descriptor) }
        let result = retrying { fsync(descriptor) }
        // Not every file system can synchronize folders.
        return result < 0 && errno == EINVAL ? 0 : result
    }
}

// MARK: - The system's calls, where a method hides their names

private func systemRename(_ old: String, _ new: String) -> Int32 { unsafe rename(old, new) }

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
