import JuiceStand
import Platform
import TextFormats

extension SimulationResult {
    /// Merges the results of all shards of one experiment, in any order.
    ///
    /// - Parameter files: The files, with their names for error messages.
    /// - Returns: The result, equal to that of a run on one machine.
    /// - Throws: ``ResultFileError`` with all problems: files that are not shards or belong to another experiment, and
    ///   missing or duplicate shards.
    package static func merge(_ files: [(name: String, bytes: [UInt8])]) throws(ResultFileError) -> SimulationResult {
        var problems: [TextProblem] = []
        var shards: [(name: String, result: SimulationResult)] = []
        for file in files {
            do {
                shards.append((file.name, try SimulationResult(file.bytes, source: file.name, isShard: true)))
            } catch {
                problems += error.problems
            }
        }
        guard problems.isEmpty, let first = shards.first else { throw ResultFileError(problems) }
        let count = first.result.shard?.count ?? 1
        var holders = Array(repeating: [String](), count: count)
        for (name, result) in shards {
            if let difference = first.result.difference(from: result) {
                problems.append(
                    .init(source: name, message: "belongs to another experiment than \(first.name): \(difference)"))
            } else if let index = result.shard?.index {
                holders[index - 1].append(name)
            }
        }
        guard problems.isEmpty else { throw ResultFileError(problems) }
        let missing = holders.indices.filter { holders[$0].isEmpty }.map { "\($0 + 1)" }
        if !missing.isEmpty {
            let list = missing.prefix(20).joined(separator: ", ") + (missing.count > 20 ? ", …" : "")
            let absent = missing.count == 1 ? "shard \(list) is" : "shards \(list) are"
            problems.append(.init(source: first.name, message: "is one of \(count) shards, and \(absent) missing"))
        }
        for (index, names) in holders.enumerated() where names.count > 1 {
            problems.append(
                .init(source: names[1], message: "is shard \(index + 1) of \(count), and so is \(names[0])"))
        }
        guard problems.isEmpty else { throw ResultFileError(problems) }
        return try combine(shards.sorted { $0.result.shard!.index < $1.result.shard!.index }.map(\.result), first.name)
    }

    private static func combine(
        _ shards: [SimulationResult], _ source: String
    ) throws(ResultFileError) -> SimulationResult {
        var whole = shards[0]
        whole.shard = nil
        // Every shard has the same notes, since each searches the whole warm-up. Faults belong to single replications.
        whole.faults = shards.flatMap(\.faults)
        whole.runs = shards[0].runs.indices.map { index in
            Run(
                set: shards[0].runs[index].set, names: shards[0].runs[index].names,
                juices: shards[0].runs[index].juices,
                outcomes: shards.flatMap { $0.runs[index].outcomes }.sorted { $0.number < $1.number })
        }
        for run in whole.runs where run.outcomes.map(\.number) != Array(0..<whole.replications) {
            let count = Columns.counted(run.outcomes.count, "replication")
            throw ResultFileError(
                source: source, message: "and its other shards have \(count) in place of \(whole.replications)")
        }
        return whole
    }

    /// The difference between two experiments, in words; nil if they are the same.
    private func difference(from other: SimulationResult) -> String? {
        func differ(_ name: String, _ value: (SimulationResult) -> String) -> String {
            "\(name) is \(value(other)) and not \(value(self))"
        }
        if seed != other.seed { return differ("seed") { "\($0.seed)" } }
        if replications != other.replications { return differ("replications") { "\($0.replications)" } }
        if horizon != other.horizon { return differ("horizon") { $0.horizon.map { "\($0.seconds)" } ?? "null" } }
        if warmUp != other.warmUp { return differ("warmUp") { "\($0.warmUp.seconds)" } }
        if from != other.from { return "the states from which they go on differ" }
        if shard?.count != other.shard?.count {
            return differ("the number of shards") { "\($0.shard?.count ?? 1)" }
        }
        if config != other.config || configuration != other.configuration { return "the configurations differ" }
        if runs.map(\.set) != other.runs.map(\.set) { return "the varied keys differ" }
        if runs.map(\.names) != other.runs.map(\.names) { return "the metrics differ" }
        if runs.map(\.juices) != other.runs.map(\.juices) { return "the juices differ" }
        return nil
    }
}
