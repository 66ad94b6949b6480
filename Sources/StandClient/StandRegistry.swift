import HTTPServer
import Platform
import TextFormats

/// The running stands of this user: a file for each, which the stand keeps locked as long as it runs.
package enum StandRegistry {
    package struct Entry: Document {
        /// The name of the stand.
        package var stand = ""
        /// The path of its Unix socket.
        package var socket = ""
        /// The address of its page; nil without TCP.
        package var url: String?

        package init() {}
        package static let fields: [DocumentField<Self>] = [
            .init("stand", \.stand), .init("socket", \.socket), .init(optional: "url", \.url),
        ]
    }

    /// The folder of the registry, beside the default socket.
    private static var folder: String { Platform.folder(ofFile: StandSocket.standardPath) + "/juicestand" }

    /// A stand in the registry. Its file is removed with it; after a crash the next reader does that.
    package final class Registration: Sendable {
        private let file: DiskFile
        private let path: String

        /// - Throws: ``FileError`` if the folder is not private or the file can't be written.
        package init(_ entry: Entry) throws(FileError) {
            let folder = StandRegistry.folder
            for path in [Platform.folder(ofFile: folder), folder] { _ = unsafe mkdir(path, 0o700) }
            try Folder.checkIsPrivate(folder)
            path = "\(folder)/\(getpid())-\(SecretToken().text.prefix(8)).json"
            // Readers take a file without a lock for that of a dead process, so it gets its name with the lock.
            file = try DiskFile(path + ".part", .replacing)
            try file.lockOrThrow()
            let document = entry.with(\.socket, absolutePath(entry.socket)).json
            try file.append(Array((document.compact() + "\n").utf8))
            try Folder.rename(file.path, to: path)
        }

        deinit { unsafe unlink(path) }
    }

    /// The stands that run, by name. Removes the files of those that have crashed.
    package static var entries: [Entry] {
        let names: [String]
        do throws(FileError) {
            try Folder.checkIsPrivate(folder)
            names = try Folder.names(in: folder)
        } catch {
            // No stand has registered, or somebody else has made the folder.
            return []
        }
        let found = names.filter { $0.hasSuffix(".json") }.compactMap { entry("\(folder)/\($0)") }
        return found.sorted { ($0.stand, $0.socket) < ($1.stand, $1.socket) }
    }

    private static func entry(_ path: String) -> Entry? {
        let content: [UInt8]
        do throws(FileError) {
            let file = try DiskFile(path, .reading)
            // Two readers may hold this lock at once, so neither takes the other for the stand.
            if flock(file.descriptor, LOCK_SH | LOCK_NB) == 0 {
                unsafe unlink(path)
                return nil
            }
            content = try file.read(at: 0, count: 1 << 16)
        } catch {
            // The stand has just ended.
            return nil
        }
        let entry = JSONValue(parsing: content).flatMap { Entry(json: $0) }
        return entry.flatMap { $0.socket.isEmpty ? nil : $0 }
    }
}
