import JuiceStand
import Platform
import StandExperiments
import Testing
import TextFormats

/// What of `config/simulation.schema.json` the code must keep in step with; `scripts/end-to-end` holds whole results
/// against it.
@Suite(.timeLimit(.minutes(60)))
struct ResultSchemaTests {
    private let schema: JSONValue

    init() throws {
        let path = "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")
        let (root, problems) = JSON5Parser.parse(
            try readFile("/\(path)/config/simulation.schema.json"), source: "schema")
        try #require(problems.isEmpty)
        schema = try #require(root.flatMap { JSONValue($0) })
    }

    private func keys(_ value: JSONValue?) -> Set<String> { Set(value?.members.map(\.key) ?? []) }

    private func texts(_ value: JSONValue?) -> Set<String> {
        Set((value?.elements ?? []).compactMap { element in if case .string(let text) = element { text } else { nil } })
    }

    @Test func `results conform to the schema`() {
        #expect(schema["properties"]?["schema"]?["const"] == .string(SimulationResult.schema))
        #expect(schema["$defs"]?["estimate"]?["properties"]?["confidence"]?["const"] == .number(Estimate.confidence))
    }

    @Test func `the schema knows every metric and requires those always present`() throws {
        let settings = try settings("{}")
        let result = Experiment(base: settings, horizon: SimulationTime(seconds: 60)).run(.init())
        let names = Set(result.runs[0].metrics.map(\.name))
        let ofFruits = names.filter { name in ["stock.", "restock.", "spoiled."].contains { name.hasPrefix($0) } }
        let known = keys(schema["$defs"]?["metrics"]?["properties"])
        #expect(names.subtracting(ofFruits) == known)
        // A pattern such as `^restock\..+\.(orders|pieces)$` names the metrics of each fruit.
        var ofKiwi: Set<String> = []
        for pattern in keys(schema["$defs"]?["metrics"]?["patternProperties"]) {
            let name = pattern.dropFirst().dropLast().replacing("\\.", with: ".").replacing(".+", with: "kiwi")
            let parts = name.split(separator: "(")
            let figures = parts.count > 1 ? parts[1].dropLast().split(separator: "|") : [""]
            ofKiwi.formUnion(figures.map { String(parts[0] + $0) })
        }
        #expect(ofFruits.filter { $0.contains(".kiwi") } == ofKiwi)
        let required = texts(schema["$defs"]?["run"]?["properties"]?["metrics"]?["required"])
        #expect(
            known.subtracting(required) == [
                "cost.makers", "makers.utilization", "makers.onDuty.hours", Experiment.timingMetric,
            ])
    }

    @Test func `the schema knows every member and reason of a loss`() throws {
        let empty = try settings(#"{"fruits": {"a": {"initial": 0}}, "menu": {"j": {"recipe": {"a": 1}}}}"#)
        let result = Experiment(base: empty, horizon: SimulationTime(seconds: 600)).run(.init())
        let loss = result.json()["runs"]?.elements[0]["losses"]?.elements.first
        let known = schema["$defs"]?["loss"]?["properties"]
        #expect(keys(loss) == keys(known) && !keys(loss).isEmpty)
        #expect(keys(loss?["perDay"]) == keys(known?["perDay"]?["properties"]))
        let reasons = LossReason.allCases.filter { !$0.traits.isByCommand }.map(\.name)
        #expect(texts(known?["reason"]?["enum"]) == Set(reasons))
    }

    @Test func `the schema knows every member of a result, whole or of a shard`() throws {
        let settings = try settings("{}")
        var experiment = Experiment(base: settings, horizon: SimulationTime(seconds: 60), drawsCharts: true)
        experiment.shard = Shard(index: 1, count: 2)
        var result = experiment.run(.init())
        result.notes = ["a note"]
        result.faults = ["a fault"]
        result.isPartial = true
        result.from = .init(at: SimulationTime(seconds: 60), sequence: 7)
        result.runs.append(result.runs[0])
        #expect(keys(result.json()) == keys(schema["properties"]))
        let plain = Experiment(base: settings, horizon: SimulationTime(seconds: 60)).run(.init()).json()
        #expect(keys(plain) == texts(schema["required"]) && plain["horizon"] == .number(60))
        let runs = result.json()["runs"]?.elements ?? []
        #expect(keys(runs.last) == keys(schema["$defs"]?["run"]?["properties"]))
        let outcomes = runs.first?["outcomes"]?.elements ?? []
        #expect(keys(outcomes.first) == keys(schema["$defs"]?["outcome"]?["properties"]))
        #expect(keys(outcomes.first?["charts"]) == keys(schema["$defs"]?["charts"]?["properties"]))
    }
}
