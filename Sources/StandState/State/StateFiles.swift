import Platform
import TextFormats

/// The files of a state: snapshots and journals, in generations.
///
/// `snapshot-N` is a stand as it was saved, `journal-N` holds the changes after it. A new generation begins with its
/// journal; the snapshot follows when it is written. Two snapshots are kept, and the journals from the older one on, so
/// that the older one can replace a damaged one. `past-N` is an earlier snapshot, from which instants of the past are
/// answered, with the changes in the file `changes`.
package struct StateFiles {
    package let folder: String
    package let snapshots: [UInt64]
    package let journals: [UInt64]
    package let pasts: [UInt64]

    /// - Throws: ``FileError`` if the folder can't be read.
    package init(_ folder: String) throws(FileError) {
        self.folder = folder
        let names = try Folder.names(in: folder)
        snapshots = Self.generations(names, "snapshot-")
        journals = Self.generations(names, "journal-")
        pasts = Self.generations(names, "past-")
    }

    package var isEmpty: Bool { snapshots.isEmpty && journals.isEmpty }

    /// Whether no journal from a snapshot's on is missing.
    func isFollowed(_ generation: UInt64) -> Bool {
        let later = journals.filter { $0 >= generation }
        return later.first == generation && later.count == Int(later.last! - generation) + 1
    }

    package func snapshot(_ generation: UInt64) -> String { "\(folder)/\(Self.name("snapshot-", generation))" }
    package func journal(_ generation: UInt64) -> String { "\(folder)/\(Self.name("journal-", generation))" }
    package func past(_ generation: UInt64) -> String { "\(folder)/\(Self.name("past-", generation))" }

    /// The first of some snapshots that is whole, and the damaged ones before it.
    ///
    /// - Throws: ``StateError`` if one of these is of another schema.
    func firstWhole(
        of generations: [UInt64]
    ) throws(StateError) -> (
        whole: (generation: UInt64, saved: StateSnapshot)?, damaged: [(generation: UInt64, error: StateError)]
    ) {
        var damaged: [(generation: UInt64, error: StateError)] = []
        for generation in generations {
            do throws(StateError) {
                let path = snapshot(generation)
                return ((generation, try StateSnapshot(Self.read(path), source: path, generation: generation)), damaged)
            } catch {
                if case .otherSchema = error { throw error }
                damaged.append((generation, error))
            }
        }
        return (nil, damaged)
    }

    /// The whole content of one of the files, which must not be a link.
    static func read(_ path: String) throws(StateError) -> [UInt8] {
        try StateError.unified {
            let file = try DiskFile(path, .reading)
            let size = try file.size()
            // Far more than the state of any stand takes.
            guard size <= 1 << 30 else { throw FileError(path: path, reason: "must have at most 1024 MiB") }
            return try file.read(at: 0, count: size)
        }
    }

    private static func name(_ prefix: String, _ generation: UInt64) -> String {
        prefix + Columns.zeroPadded(generation, 12)
    }

    /// The generations in the names of one kind of files, in order.
    private static func generations(_ names: [String], _ prefix: String) -> [UInt64] {
        names.compactMap { found in
            UInt64(found.dropFirst(prefix.count)).flatMap { name(prefix, $0) == found ? $0 : nil }
        }.sorted()
    }
}
