import EmbeddedBytes

/// A file that is part of the program, such as a guide or the page: nothing needs to lie beside a moved binary.
///
/// `EmbeddedBytes.c` lists all files with their paths.
@safe package struct EmbeddedFile {
    private let content: UnsafeRawBufferPointer

    /// - Parameter name: The name in the list; a name that is not there is a programmer's mistake.
    package init(_ name: String) {
        let found = unsafe embeddedBytes(name)
        guard let start = unsafe found.start else { preconditionFailure("no file \(name) is embedded") }
        unsafe content = UnsafeRawBufferPointer(start: start, count: found.count)
    }

    /// A copy of the file's bytes.
    package var bytes: [UInt8] { unsafe Array(content) }

    /// The file's text.
    package var text: String { unsafe String(decoding: content, as: UTF8.self) }
}
