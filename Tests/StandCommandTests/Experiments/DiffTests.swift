import Foundation
import TestSupport
import Testing

/// `juicestand diff`, run as a user would.
@Suite(.serialized, .onItsOwnThread)
struct DiffTests {
    @Test func `a changed stand differs and an equal one does not`() async throws {
        try await Program.withTemporaryFolder { folder in
            for (file, more) in [("a", []), ("b", ["--set", "makers=3"]), ("c", [])] {
                let ending = try Program.start(
                    ["simulate", "--for", "1h", "--replications", "15", "--no-timing", "--output", "\(file).json"]
                        + more,
                    in: folder
                ).wait()
                #expect(ending.status == 0)
            }
            let changed = try Program.run("diff", "a.json", "b.json", in: folder)
            #expect(changed.status == 1)
            #expect(changed.output.hasPrefix("a.json and b.json differ in "))
            #expect(try Program.run("diff", "a.json", "b.json", "--format", "json", in: folder).status == 1)
            let equal = try Program.run("diff", "a.json", "c.json", "--format", "json", in: folder)
            #expect(equal.status == 0 && equal.diagnostics == "")
            let json = try #require(try JSONSerialization.jsonObject(with: Data(equal.output.utf8)) as? [String: Any])
            #expect(json["schema"] as? String == "juicestand.diff/1")
            #expect(json["differs"] as? Bool == false && json["method"] as? String == "pairs")
        }
    }
}
