import Platform

/// The text of a file in UTF-8 or Latin-1, piece by piece.
final class FilePieces {
    private let file: DiskFile
    private let onPiece: ([UInt8]) -> Void
    private var offset = 0
    private(set) var encoding = TextEncoding.latin1
    private var converter: TextConverter?
    /// Why the pieces ended early.
    private(set) var failure: FileError?

    private static let length = 1 << 18
    /// The most bytes of a file.
    private static let mostBytes = 4 << 30

    /// - Parameter onPiece: Called with each piece of the file.
    /// - Throws: ``TillError``, also if the system cannot convert the encoding.
    init(of path: String, onPiece: @escaping ([UInt8]) -> Void) throws(TillError) {
        self.onPiece = onPiece
        do throws(FileError) {
            file = try DiskFile(path, .reading, followsLink: true)
            guard try file.size() <= Self.mostBytes else {
                throw FileError(path: path, reason: "must have at most \(Self.mostBytes >> 30) GiB")
            }
        } catch {
            throw .unreadable(path: path, reason: error.reason)
        }
        encoding = TextEncoding {
            let piece = read()
            return piece.isEmpty ? nil : piece
        }
        if let failure { throw .unreadable(path: path, reason: failure.reason) }
        offset = 0
        converter = TextConverter(from: encoding)
        switch encoding {
        case .utf8, .latin1: break
        case .utf16, .korean:
            guard converter == nil else { break }
            throw .badTill(
                path, line: 1, "the text is \(encoding.name), which this system cannot convert; save it as UTF-8")
        }
    }

    /// The next piece; empty at the end of the file.
    func next() -> [UInt8] {
        let piece = read()
        onPiece(piece)
        return converter?.convert(piece) ?? piece
    }

    private func read() -> [UInt8] {
        do throws(FileError) {
            let piece = try file.read(at: offset, count: Self.length)
            offset += piece.count
            return piece
        } catch {
            failure = error
            return []
        }
    }
}
