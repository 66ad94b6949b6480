import Foundation
import Platform

/// A folder for the files of a test; removed when it is released.
package final class TemporaryFolder {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("juice-stand-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
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
