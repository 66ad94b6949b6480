import JuiceStand
import Platform

/// A file with the checkpoints of a ``LedgerIndex``. It spares a restarted stand reading its ledger from the beginning.
///
/// The file is a cache: the stand reads the ledger again if a part of the file is damaged or missing. Each record is a
/// line with the number of bytes and their checksum, followed by the bytes.
package struct LedgerIndexFile {
    private static let schema = "juicestand.instants/1"

    private let path: String
    private let disk: any Disk
    /// Open for appending; nil if the next write must replace the file.
    private var file: DiskFile?
    /// The checkpoints in the file, by their sequence numbers.
    private var written: [UInt64] = []

    package init(_ path: String, on disk: any Disk = SystemDisk()) {
        self.path = path
        self.disk = disk
    }

    /// The checkpoints up to the first damaged one; empty if there is no file that can be read.
    package mutating func read() -> [LedgerIndex.Checkpoint] {
        let bytes: [UInt8]
        // The stand reads the ledger instead.
        do throws(FileError) { bytes = try readFile(path) } catch { return [] }
        var checkpoints: [LedgerIndex.Checkpoint] = []
        var place = 0
        while let end = bytes[place...].prefix(80).firstIndex(of: UInt8(ascii: "\n")) {
            let words = String(decoding: bytes[place..<end], as: UTF8.self).split(separator: " ")
            guard words.count == 3, words[0] == Self.schema, let count = Int(words[1]), count >= 0,
                count <= bytes.count - end - 1
            else { break }
            let record = Array(bytes[end + 1..<end + 1 + count])
            guard words[2] == Self.checksum(record) else { break }
            // A file of another version may not decode.
            guard let checkpoint = try? LedgerIndex.Checkpoint(record),
                checkpoints.last.map({ $0.sequence < checkpoint.sequence }) ?? true
            else { break }
            checkpoints.append(checkpoint)
            place = end + 1 + count
        }
        if place == bytes.count, !checkpoints.isEmpty {
            written = checkpoints.map(\.sequence)
            // If the file can't be opened, the next write replaces it.
            do throws(FileError) { file = try DiskFile(path, .appending, on: disk) } catch {}
        }
        return checkpoints
    }

    /// Writes the checkpoints that are not in the file yet.
    ///
    /// - Complexity: O(*n*) for *n* new checkpoints, or for all of them after every second one was dropped
    /// - Throws: ``FileError``. The next call then writes the whole file.
    package mutating func write(_ index: LedgerIndex) throws(FileError) {
        let checkpoints = index.checkpoints
        guard checkpoints.last?.sequence != written.last || file == nil else { return }
        if let file, checkpoints.count > written.count, checkpoints[written.count - 1].sequence == written.last {
            self.file = nil
            try file.append(checkpoints[written.count...].flatMap(Self.record))
            self.file = file
        } else {
            file = nil
            var whole = try ReplacedFile(path, aside: path + ".new", mode: 0o600, on: disk)
            try whole.finish(checkpoints.flatMap(Self.record))
            file = try DiskFile(path, .appending, on: disk)
        }
        written = checkpoints.map(\.sequence)
    }

    private static func record(_ checkpoint: LedgerIndex.Checkpoint) -> [UInt8] {
        Array("\(schema) \(checkpoint.bytes.count) \(checksum(checkpoint.bytes))\n".utf8) + checkpoint.bytes
    }

    private static func checksum(_ bytes: [UInt8]) -> String { unsafe Fingerprint(bytes.span.bytes).text }
}
