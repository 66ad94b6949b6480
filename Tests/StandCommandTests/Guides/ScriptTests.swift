import Foundation
import TestSupport
import Testing

/// The scripts of this checkout. Those of `scripts/soak.d` are parts of `scripts/soak`.
struct ScriptTests {
    private static let scripts: [String] = {
        let folder = Program.root.appending(path: "scripts")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { name in
            let file = folder.appending(path: name)
            let isRegular = try? file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
            return isRegular == true && FileManager.default.isExecutableFile(atPath: file.path)
        }.sorted()
    }()

    @Test(arguments: scripts)
    func `a script answers --help with its usage, and does nothing else`(name: String) throws {
        let ending = try Program.start(["--help"], by: Program.root.appending(path: "scripts/\(name)")).wait()
        let text = ending.output + ending.diagnostics
        #expect(ending.status == 0)
        #expect(text.lowercased().contains("usage: ") && text.contains(name), "\(text)")
        #expect(!text.contains("building"), "\(text)")
    }

    /// `scripts/chain 1 FILE --nosuch`, whose stand never opens.
    private static func chain(_ file: URL) throws -> String {
        let ending = try Program.start(
            ["1", file.path, "--nosuch"], by: Program.root.appending(path: "scripts/chain"),
            variables: ["JUICESTAND": Program.executable.path]
        ).wait()
        #expect(ending.status == 1)
        return ending.diagnostics
    }

    @Test func `a chain neither writes nor removes a file that it did not make`() async throws {
        try await Program.withTemporaryFolder { folder in
            let file = folder.appending(path: "stands.json")
            #expect(try Self.chain(file).contains("unknown option --nosuch"))
            #expect(!FileManager.default.fileExists(atPath: file.path))
            try "precious".write(to: file, atomically: true, encoding: .utf8)
            #expect(try Self.chain(file).contains("stands.json exists; name a file that does not"))
            #expect(try String(contentsOf: file, encoding: .utf8) == "precious")
        }
    }

    @Test func `all scripts are found`() {
        #expect(Self.scripts.count >= 12)
    }
}
