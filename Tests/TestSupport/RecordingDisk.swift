import Platform

/// A disk that does what the system does, and remembers what a power cut may leave of it.
///
/// It records the changes under one folder in their order. Nothing is really synchronized.
package final class RecordingDisk: Disk {
    /// A change, or the promise that changes last.
    enum Operation: Sendable {
        case create(String, file: Int)
        case append(file: Int, [UInt8])
        case truncate(file: Int, Int)
        case synchronize(file: Int)
        /// The system may forget what it could not write.
        case failToSynchronize(file: Int)
        case makeFolder(String)
        case rename(String, String)
        case remove(String)
        case synchronizeFolder(String)
    }

    /// A call that can be made to fail, or to last.
    package enum Fault: Sendable {
        case write
        case synchronize
        /// A synchronization begins late and returns late; others can write in between.
        case synchronizeSlowly
    }

    private struct State {
        var operations: [Operation] = []
        /// By the system's numbers.
        var files: [UInt64: (file: Int, name: String)] = [:]
        var filesMade = 0
        var faults: [String: Fault] = [:]
    }

    package let root: String
    /// What was there at the beginning.
    let found: DiskImage
    private let system = SystemDisk()
    private let state = Guarded(State())

    /// - Parameter root: The folder whose changes are recorded.
    package init(_ root: String) throws {
        self.root = root
        found = try DiskImage(root)
        for (number, (name, _)) in found.sortedFiles.enumerated() {
            let file = try DiskFile("\(root)/\(name)", .reading)
            state.withLock {
                $0.files[Self.number(file.descriptor)] = (number, name)
                $0.filesMade += 1
            }
        }
    }

    /// How many operations were recorded.
    package var count: Int { state.withLock { $0.operations.count } }

    var operations: [Operation] { state.withLock { $0.operations } }

    /// The files whose latest bytes are not synchronized.
    ///
    /// - Parameter count: How many operations to look at, from the first on; all of them by default.
    package func unsynchronized(after count: Int = .max) -> Set<String> {
        var names: [Int: String] = [:]
        for (number, (name, _)) in found.sortedFiles.enumerated() { names[number] = name }
        var files: Set<Int> = []
        for operation in operations.prefix(count) {
            switch operation {
            case .create(let name, let file):
                // What had the name before is gone.
                files = files.filter { names[$0] != name }
                names[file] = name
            case .append(let file, _), .truncate(let file, _): files.insert(file)
            case .synchronize(let file): files.remove(file)
            case .failToSynchronize, .makeFolder, .rename, .remove, .synchronizeFolder: break
            }
        }
        return Set(files.compactMap { names[$0] })
    }

    /// How many operations there were when each file whose name begins with `prefix` had been made.
    package func creations(of prefix: String) -> [Int] {
        operations.enumerated().compactMap { number, operation in
            if case .create(let name, _) = operation, name.hasPrefix(prefix) { number + 1 } else { nil }
        }
    }

    /// Makes calls fail or last from now on, of the files whose names begin with `name`; nil lets them succeed at once again.
    package func set(_ fault: Fault?, of name: String) { state.withLock { $0.faults[name] = fault } }

    /// The path below the root; nil if it is elsewhere.
    private func name(_ path: String) -> String? {
        path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : nil
    }

    private static func number(_ descriptor: Int32) -> UInt64 {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    private static func isFaulty(_ state: State, _ fault: Fault, _ descriptor: Int32) -> Bool {
        guard let name = state.files[number(descriptor)]?.name else { return false }
        return state.faults.contains { name.hasPrefix($0.key) && $0.value == fault }
    }
}

// MARK: - The calls

/// They are made with the lock held, so the order of the operations is certain.
extension RecordingDisk {
    package func create(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
        state.withLock { state in
            let descriptor = system.create(path, flags, mode)
            guard descriptor >= 0, let name = name(path) else { return descriptor }
            state.files[Self.number(descriptor)] = (state.filesMade, name)
            state.operations.append(.create(name, file: state.filesMade))
            state.filesMade += 1
            return descriptor
        }
    }

    package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        state.withLock { state in
            guard !Self.isFaulty(state, .write, descriptor) else {
                errno = ENOSPC
                return -1
            }
            let count = unsafe system.write(descriptor, bytes)
            if count > 0, let file = state.files[Self.number(descriptor)]?.file {
                state.operations.append(.append(file: file, unsafe Array(bytes[..<count])))
            }
            return count
        }
    }

    package func truncate(_ descriptor: Int32, to size: Int) -> Int32 {
        state.withLock { state in
            let result = system.truncate(descriptor, to: size)
            if result >= 0, let file = state.files[Self.number(descriptor)]?.file {
                state.operations.append(.truncate(file: file, size))
            }
            return result
        }
    }

    package func synchronize(_ descriptor: Int32) -> Int32 {
        let pause: UInt32 = state.withLock { Self.isFaulty($0, .synchronizeSlowly, descriptor) } ? 10_000 : 0
        usleep(pause)
        defer { usleep(pause) }
        return state.withLock { state in
            guard let file = state.files[Self.number(descriptor)]?.file else { return 0 }
            guard Self.isFaulty(state, .synchronize, descriptor) else {
                state.operations.append(.synchronize(file: file))
                return 0
            }
            state.operations.append(.failToSynchronize(file: file))
            errno = EIO
            return -1
        }
    }

    package func makeFolder(_ path: String) -> Int32 {
        state.withLock { state in
            let result = system.makeFolder(path)
            if result >= 0, let name = name(path) { state.operations.append(.makeFolder(name)) }
            return result
        }
    }

    package func rename(_ old: String, to new: String) -> Int32 {
        state.withLock { state in
            let result = system.rename(old, to: new)
            if result >= 0, let old = name(old), let new = name(new) { state.operations.append(.rename(old, new)) }
            return result
        }
    }

    package func remove(_ path: String) -> Int32 {
        state.withLock { state in
            let result = system.remove(path)
            if result >= 0, let name = name(path) { state.operations.append(.remove(name)) }
            return result
        }
    }

    package func synchronizeFolder(_ path: String) -> Int32 {
        if let name = path == root ? "" : name(path) {
            state.withLock { $0.operations.append(.synchronizeFolder(name)) }
        }
        return 0
    }
}
