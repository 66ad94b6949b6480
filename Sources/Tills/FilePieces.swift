import Platform

/// The text of a file or of memory in UTF-8 or Latin-1, piece by piece.
final class FilePieces {
    private let read: (_ offset: Int, _ count: Int) throws(FileError) -> [UInt8]
    private var offset = 0
    /// In bytes.
    let size: Int
    let encoding: TextEncoding
    private let converter: TextConverter?
    private let onPiece: ([UInt8]) -> Void
    /// Why the pieces ended early.
    private(set) var failure: FileError?

    private static let length = 1 << 18

    /// - Parameters:
    ///   - most: The most bytes that the file may have.
    ///   - onPiece: Called with each piece of the file.
    /// - Throws: ``TillError``, also if the system cannot convert the encoding.
    convenience init(
        of path: String, most: Int = .max, onPiece: @escaping ([UInt8]) -> Void = { _ in }
    ) throws(TillError) {
        let (file, size): (DiskFile, Int)
        do throws(FileError) {
            file = try DiskFile(path, .reading, followsLink: true)
            size = try file.size()
            guard size <= most else { throw FileError(path: path, reason: "must have at most \(most >> 30) GiB") }
        } catch {
            throw .unreadable(path: path, reason: error.reason)
        }
        try self.init(path, size, onPiece) { offset, count throws(FileError) in
            try file.read(at: offset, count: count)
        }
    }

    init(
        _ path: String, _ size: Int, _ onPiece: @escaping ([UInt8]) -> Void = { _ in },
        read: @escaping (_ offset: Int, _ count: Int) throws(FileError) -> [UInt8]
    ) throws(TillError) {
        (self.read, self.size, self.onPiece) = (read, size, onPiece)
        var (position, failure): (Int, FileError?) = (0, nil)
        encoding = TextEncoding {
            do throws(FileError) {
                let piece = try read(position, Self.length)
                position += piece.count
                return piece.isEmpty ? nil : piece
            } catch {
                failure = error
                return nil
            }
        }
        if let failure { throw .unreadable(path: path, reason: failure.reason) }
        converter = TextConverter(from: encoding)
        switch encoding {
        case .utf8, .latin1: break
        case .utf16, .korean:
            guard converter == nil else { break }
            let message = "the text is \(encoding.name), which this system cannot convert; save it as UTF-8"
            throw .badTill(.init(place: .init(source: path, line: 1, column: 1), message: message))
        }
    }

    /// The next piece; empty at the end of the file.
    func next() -> [UInt8] {
        do throws(FileError) {
            let piece = try read(offset, Self.length)
            offset += piece.count
            onPiece(piece)
            return converter?.convert(piece) ?? piece
        } catch {
            failure = error
            return []
        }
    }
}
