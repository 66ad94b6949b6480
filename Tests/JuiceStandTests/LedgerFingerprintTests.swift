import Foundation
import JuiceStand
import Platform
import Testing

/// The ledgers of the configurations in `config` to the byte, by fingerprints. ``ScenarioTests`` compares those of the
/// scenarios.
///
/// `UPDATE_GOLDEN=1 swift test --filter LedgerFingerprintTests` writes all fingerprints again, in a change that means to
/// change what happens at the stand.
@Suite(.timeLimit(.minutes(60)), .serialized)
struct LedgerFingerprintTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let golden = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "LedgerFingerprints.txt")
    private static let names = ["stand", "rush-hour", "bakery"]

    /// The fingerprints in the golden file, each with its number of lines, by names.
    static func kept() throws -> [String: String] {
        let lines = String(decoding: try readFile(golden.path), as: UTF8.self).split(separator: "\n")
        let pairs = lines.map { line in
            let parts = line.split(separator: ": ").map(String.init)
            return (parts[0], parts[1])
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    static let howToWrite = "UPDATE_GOLDEN=1 swift test --filter LedgerFingerprintTests writes all of them again."

    /// `N lines, FINGERPRINT`.
    static func fingerprint(_ ledger: String) -> String {
        "\(ledger.split(separator: "\n").count) lines, \(Fingerprint(ledger).text)"
    }

    /// Fingerprints of a day, of another seed and of another replication, by names.
    private static func fingerprints(_ name: String) throws -> [(name: String, text: String)] {
        let file = root.appending(path: "config/\(name).json").path
        return try [(nil, 0), (8, 0), (nil, 3)].map { (seed: UInt64?, replication: UInt64) in
            var settings = try StandConfiguration(file: file).settings
            if let seed { settings.seed = seed }
            let text = ledger(
                of: settings, until: settings.endsWithItsOrders ? nil : 86_400, replication: replication)
            return ("\(name), seed \(settings.seed), replication \(replication)", fingerprint(text))
        }
    }

    @Test func `every configuration and every scenario has golden fingerprints`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "config").path)
        #expect(
            Set(files.filter { $0.hasSuffix(".json") && !$0.hasSuffix(".schema.json") && !$0.hasSuffix(".lnav.json") })
                == Set(Self.names.map { "\($0).json" }))
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            var found = try Self.names.flatMap(Self.fingerprints)
            for name in ScenarioTests.names {
                found.append((name, Self.fingerprint(try ScenarioTests.Scenario(name).run().ledger)))
            }
            found.append(("waiting orders", try BackordersTests.fingerprint()))
            let text = found.map { "\($0.name): \($0.text)\n" }.joined()
            try Data(text.utf8).write(to: Self.golden)
        }
        #expect(try Self.kept().count == 3 * Self.names.count + ScenarioTests.names.count + 1)
    }

    @Test(arguments: names)
    func `the ledger of each configuration is unchanged`(name: String) throws {
        let kept = try Self.kept()
        for (name, text) in try Self.fingerprints(name) {
            #expect(text == kept[name], "\(name). \(Self.howToWrite)")
        }
    }
}
