import Foundation
import JuiceStand
import Platform
import Testing

/// What the configurations in `config` come to, to the byte: the fingerprint of each one's ledger.
///
/// `UPDATE_GOLDEN=1 swift test --filter LedgerFingerprintTests` writes them again, in a change that means to change what
/// happens at the stand.
@Suite(.timeLimit(.minutes(60)), .serialized)
struct LedgerFingerprintTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let golden = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "LedgerFingerprints.txt")
    private static let names = ["stand", "rush-hour", "bakery"]

    /// `NAME, seed S: N lines, FINGERPRINT`, of a day, of another seed and of another replication.
    private static func lines(_ name: String) throws -> [String] {
        let file = root.appending(path: "config/\(name).json").path
        return try [(nil, 0), (8, 0), (nil, 3)].map { (seed: UInt64?, replication: UInt64) in
            var settings = try StandConfiguration(file: file).settings
            if let seed { settings.seed = seed }
            let text = ledger(
                of: settings, until: settings.endsWithItsOrders ? nil : 86_400, replication: replication)
            return "\(name), seed \(settings.seed), replication \(replication): "
                + "\(text.split(separator: "\n").count) lines, \(Fingerprint(text).text)"
        }
    }

    @Test func `every configuration has golden fingerprints`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "config").path)
        #expect(
            Set(files.filter { $0.hasSuffix(".json") && !$0.hasSuffix(".schema.json") && !$0.hasSuffix(".lnav.json") })
                == Set(Self.names.map { "\($0).json" }))
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            let text = try Self.names.flatMap(Self.lines).joined(separator: "\n") + "\n"
            try Data(text.utf8).write(to: Self.golden)
        }
        let kept = String(decoding: try readFile(Self.golden.path), as: UTF8.self).split(separator: "\n")
        #expect(kept.count == 3 * Self.names.count)
    }

    @Test(arguments: names)
    func `the ledger of each configuration is unchanged`(name: String) throws {
        let kept = String(decoding: try readFile(Self.golden.path), as: UTF8.self).split(separator: "\n")
        #expect(try Self.lines(name) == kept.map(String.init).filter { $0.hasPrefix("\(name), ") })
    }
}
