import Foundation
import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ReplacedFileTests {
    private func names(in folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func `a file has its old content until the new one is whole`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "result.json")
        var file = try ReplacedFile(path)
        #expect(try readFile(path) == Array("old".utf8))
        try file.finish("new\n")
        #expect(try readFile(path) == Array("new\n".utf8))
        #expect(try names(in: folder) == ["result.json"])
    }

    @Test func `a file that was not finished leaves nothing behind`() throws {
        let folder = try TemporaryFolder()
        func abandon() throws { _ = try ReplacedFile("\(folder.path)/result.json") }
        try abandon()
        #expect(try names(in: folder) == [])
    }

    @Test func `a folder that is not there is an error before any work is done`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/none/result.json"
        #expect(throws: FileError(path: path, reason: "No such file or directory")) { _ = try ReplacedFile(path) }
    }

    @Test func `what is no regular file is written to and not replaced`() throws {
        var void = try ReplacedFile("/dev/null")
        try void.finish("into the void")
        let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        #expect(type == .typeCharacterSpecial)
        var full = try ReplacedFile("/dev/full")
        #expect(throws: FileError(path: "/dev/full", reason: "No space left on device")) { try full.finish("x") }
    }
}
