import JuiceStand
import Platform
import StandService
import TestSupport
import Testing

/// A short run of the checks of `scripts/soak fuzz`: every input of the corpus, and seeded mutations.
@Suite(.timeLimit(.minutes(60)))
struct FuzzingTests {
    @Test(arguments: ["http", "journal", "configuration", "trace"])
    func `a reader survives any bytes`(target: String) throws {
        let checks: [String: ([UInt8]) -> Void] = [
            "http": checkHTTP, "journal": checkJournal, "configuration": checkConfiguration, "trace": checkTrace,
        ]
        let check = checks[target]!
        let inputs = try corpus(target)
        try #require(inputs.count >= 5)
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SplitMix64(seed: seed)
        for input in inputs {
            check(input)
            for _ in 0..<Study.size(100, full: 300) { check(changed(input, inputs, using: &random)) }
        }
    }

    /// The inputs of a target.
    private func corpus(_ target: String) throws -> [[UInt8]] {
        let here = #filePath
        let folder = String(here[...here.lastIndex(of: "/")!]) + "Corpus/" + target
        let names = try Folder.names(in: folder).filter { !$0.hasPrefix(".") }
        return try names.map { try readFile(folder + "/" + $0) }
    }

    /// An input with a few bytes changed, removed, duplicated, or replaced by a piece of another.
    private func changed(_ input: [UInt8], _ inputs: [[UInt8]], using random: inout SplitMix64) -> [UInt8] {
        var bytes = input
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 1...8, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
            default:
                let other = inputs.randomElement(using: &random)!
                let start = Int.random(in: 0..<other.count, using: &random)
                bytes.replaceSubrange(place..<end, with: other[start..<min(other.count, start + 20)])
            }
        }
        return bytes
    }
}
