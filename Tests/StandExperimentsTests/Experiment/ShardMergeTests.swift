import JuiceStand
import StandExperiments
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ShardMergeTests {
    private static func part(
        _ index: Int, of count: Int, change: (inout Experiment) -> Void = { _ in }
    ) throws -> (name: String, bytes: [UInt8]) {
        var experiment = Experiment(
            base: try settings(queue), replications: 4, horizon: SimulationTime(seconds: 50),
            shard: Shard(index: index, count: count), includesTiming: false)
        change(&experiment)
        return file(experiment.run(.init()), "part\(index).json")
    }

    /// What merging complains about; nil where it doesn't.
    private static func complaint(_ files: [(name: String, bytes: [UInt8])]) -> [String]? {
        do {
            _ = try SimulationResult.merge(files)
            return nil
        } catch {
            return error.problems.map { "\($0.place): \($0.message)" }
        }
    }

    private static func text(_ text: String) -> (name: String, bytes: [UInt8]) { ("x.json", Array(text.utf8)) }

    @Test func `missing shards are named`() throws {
        let parts = try (1...4).map { try Self.part($0, of: 4) }
        #expect(
            Self.complaint([parts[0], parts[1], parts[3]]) == ["part1.json: is one of 4 shards, and shard 3 is missing"]
        )
        #expect(
            Self.complaint([parts[2], parts[1]]) == ["part3.json: is one of 4 shards, and shards 1, 4 are missing"])
        let many = try Self.complaint([Self.part(1, of: 100)])?.first
        #expect(many?.hasSuffix("17, 18, 19, 20, 21, … are missing") == true)
    }

    @Test func `a duplicate shard is named with both files`() throws {
        let parts = try (1...2).map { try Self.part($0, of: 2) }
        var copy = parts[0]
        copy.name = "copy.json"
        #expect(Self.complaint(parts + [copy]) == ["copy.json: is shard 1 of 2, and so is part1.json"])
        // A missing and a double one at once.
        #expect(
            Self.complaint([parts[0], copy]) == [
                "part1.json: is one of 2 shards, and shard 2 is missing",
                "copy.json: is shard 1 of 2, and so is part1.json",
            ])
    }

    private struct Change: Sendable, CustomTestStringConvertible {
        var difference: String
        var change: @Sendable (inout Experiment) -> Void
        var testDescription: String { difference }
    }

    private static let changes: [Change] = [
        Change(difference: "seed is 43 and not 42", change: { $0.base.seed = 43 }),
        Change(difference: "replications is 5 and not 4", change: { $0.replications = 5 }),
        Change(difference: "horizon is 51.0 and not 50.0", change: { $0.horizon = SimulationTime(seconds: 51) }),
        Change(
            difference: "warmUp is 1.0 and not 0.0", change: { $0.warmUp = .fixed(SimulationTime(seconds: 1)) }),
        Change(difference: "the configurations differ", change: { $0.base.makers = 2 }),
        Change(difference: "the metrics differ", change: { $0.includesTiming = true }),
        Change(
            difference: "the varied keys differ",
            change: { $0.settings = [.init(set: [.init(key: "makers", value: 1)], settings: $0.base)] }),
        Change(difference: "the number of shards is 3 and not 2", change: { $0.shard = Shard(index: 2, count: 3) }),
    ]

    @Test(arguments: changes)
    private func `a shard of another experiment is named with the difference`(change: Change) throws {
        let parts = try [Self.part(1, of: 2), Self.part(2, of: 2, change: change.change)]
        #expect(
            Self.complaint(parts) == ["part2.json: belongs to another experiment than part1.json: \(change.difference)"]
        )
    }

    /// Two files of real orders may have one name.
    @Test func `a shard with another fingerprint of its configuration is of another experiment`() throws {
        var parts = try [Self.part(1, of: 2), Self.part(2, of: 2)]
        let text = String(decoding: parts[1].bytes, as: UTF8.self)
        let changed = text.replacing(/"configuration": "[^"]+"/, with: "\"configuration\": \"0123456789abcdef\"")
        #expect(changed != text)
        parts[1].bytes = Array(changed.utf8)
        #expect(
            Self.complaint(parts) == [
                "part2.json: belongs to another experiment than part1.json: the configurations differ"
            ])
    }

    @Test func `refuses a file that is not a shard`() throws {
        let whole = Experiment(
            base: try settings(queue), horizon: SimulationTime(seconds: 50), includesTiming: false
        ).run(.init()).json().pretty()
        let part = String(decoding: try Self.part(1, of: 1).bytes, as: UTF8.self)
        let count = Stand(try settings(queue)).metrics(at: SimulationTime(seconds: 1)).count
        let cases = [
            (whole, "is a whole result, not a shard: only results of simulate --shard can be merged"),
            ("[1]", "is not a result of juicestand simulate: it must have a \"schema\""),
            ("{}", "is not a result of juicestand simulate: it must have a \"schema\""),
            (
                part.replacing("juicestand.simulation/1", with: "juicestand.simulation/9"),
                "must be of schema juicestand.simulation/1, found \"juicestand.simulation/9\""
            ),
            (
                part.replacing("\"shard\":", with: "\"partial\": true,\n\"shard\":"),
                "is partial: its run was interrupted; run this shard again"
            ),
            (part.replacing("\"index\": 1", with: "\"index\": 2"), "\"shard\" must have an index from 1 to its count"),
            (part.replacing("\"replications\":", with: "\"repetitions\":"), "has no \"replications\""),
            (part.replacing("\"seed\": 42", with: "\"seed\": \"42\""), "\"seed\" must be a whole number from 0"),
            (part.replacing("\"outcomes\": [", with: "\"outcomes\": [3, "), "has no \"values\""),
            (
                part.replacing("\"values\": [", with: "\"values\": [1, "),
                "a replication has \(count + 1) values for \(count) metrics"
            ),
        ]
        for (text, complaint) in cases {
            #expect(Self.complaint([Self.text(text)]) == ["x.json: \(complaint)"])
        }
    }

    @Test func `refuses a truncated file with the place`() throws {
        let part = try Self.part(1, of: 1)
        // Behind a comma: a cut inside of a word would be two mistakes.
        let half = part.bytes.prefix(part.bytes.count / 2)
        let end = try #require(half.lastIndex(of: UInt8(ascii: ",")))
        let cut = Self.complaint([(part.name, Array(half[...end]))])
        #expect(cut?.count == 1)
        #expect(cut?[0].hasPrefix("part1.json:") == true)
        #expect(Self.complaint([Self.text("")])?.count == 1)
    }

    @Test func `refuses a shard with missing replications`() throws {
        let part = try Self.part(1, of: 1)
        let text = String(decoding: part.bytes, as: UTF8.self).replacing(
            "\"replications\": 4", with: "\"replications\": 5")
        #expect(
            Self.complaint([Self.text(text)]) == [
                "x.json: and its other shards have 4 replications in place of 5"
            ])
    }

    @Test func `all problems are reported at once`() throws {
        let found = Self.complaint([Self.text("[]"), ("y.json", Array("{}".utf8)), try Self.part(1, of: 1)])
        #expect(found?.count == 2)
    }

    @Test func `faults of all shards are kept, notes once`() throws {
        let parts = try (1...2).map { index in
            let experiment = Experiment(
                base: try settings(queue), replications: 2, horizon: SimulationTime(seconds: 50), warmUp: .automatic,
                shard: Shard(index: index, count: 2), includesTiming: false)
            let result = experiment.run(
                .init(makeAudience: { _ in Audience(WiringChoice.closure.makeWiring()) { _ in "is odd" } }))
            return (file(result, "part\(index).json"), result)
        }
        let merged = try SimulationResult.merge(parts.map(\.0))
        #expect(merged.faults == ["replication 0 is odd", "replication 1 is odd"])
        #expect(merged.notes == parts[0].1.notes)
        #expect(merged.warmUp == parts[0].1.warmUp)
    }
}
