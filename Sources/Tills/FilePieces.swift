import Platform

/// The bytes of a file, piece by piece.
final class FilePieces {
    private let file: DiskFile
    private var offset = 0
    let size: Int
    private let onPiece: ([UInt8]) -> Void
    /// Why the pieces ended early.
    private(set) var failure: FileError?

    /// - Parameters:
    ///   - most: The most bytes that the file may have.
    ///   - onPiece: Called with each piece.
    init(of path: String, most: Int = .max, onPiece: @escaping ([UInt8]) -> Void = { _ in }) throws(FileError) {
        file = try DiskFile(path, .reading, followsLink: true)
        size = try file.size()
        guard size <= most else { throw FileError(path: path, reason: "must have at most \(most >> 30) GiB") }
        self.onPiece = onPiece
    }

    /// The next piece; empty at the end of the file.
    func next() -> [UInt8] {
        do throws(FileError) {
            let piece = try file.read(at: offset, count: 1 << 18)
            offset += piece.count
            onPiece(piece)
            return piece
        } catch {
            failure = error
            return []
        }
    }
}
