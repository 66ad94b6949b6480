import Foundation
import Platform

/// A folder for the files of a test; removed when it is released.
package final class TemporaryFolder {
    package let path: String

    package init() throws {
        path = try Self.make()
    }

    /// A new folder, for its caller to remove. Its name is short: the path of a socket in it has at most 107 bytes.
    package static func make(in parent: String = FileManager.default.temporaryDirectory.path) throws -> String {
        var template = Array((parent + "/js-XXXXXX").utf8CString)
        guard let path = unsafe mkdtemp(&template) else {
            throw FileError(path: "a temporary folder", reason: reasonOfLastError())
        }
        return unsafe String(cString: path)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)  // What is left behind is the system's to clear away.
    }

    /// Writes a file and gives its path.
    package func write(_ text: String, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }
}
