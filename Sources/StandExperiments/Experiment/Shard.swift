import TextFormats

/// One machine's part of an experiment: every Nth of all replications of all settings.
package struct Shard: Equatable, Sendable {
    /// Counted from 1.
    package var index: Int
    package var count: Int

    /// The most shards. A larger number is surely a mistake.
    package static let most = 1_000_000

    /// Returns nil unless `index` is from 1 to `count`.
    package init?(index: Int, count: Int) {
        guard (1...Self.most).contains(count), (1...count).contains(index) else { return nil }
        self.index = index
        self.count = count
    }

    /// Whether this shard runs a task. Tasks are counted from 0 over all settings and replications.
    package func runs(task: Int) -> Bool { task % count == index - 1 }
}

extension Shard: CustomStringConvertible {
    package var description: String { "\(index)/\(count)" }
}

// MARK: - From options and the environment

extension Shard {
    /// The environment variables of batch systems that may determine the shard.
    package static let variables = [
        "PARALLEL_SEQ", "JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP",
        "SLURM_ARRAY_TASK_COUNT",
    ]

    /// The shard that `--shard` and the environment of a batch system determine; nil if neither mentions one.
    ///
    /// `I/N` is complete. `/N` takes the index from GNU parallel (`PARALLEL_SEQ`, from 1), an indexed Kubernetes job
    /// (`JOB_COMPLETION_INDEX`, from 0) or a Slurm array (`SLURM_ARRAY_TASK_ID`). A Slurm array also gives the number
    /// of shards and needs no option.
    package static func read(option: String?, environment: [String: String]) throws(TextProblem) -> Shard? {
        guard let option else { return try fromSlurm(environment) }
        let parts = option.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[1]), (1...most).contains(count) else {
            throw TextProblem("--shard must be I/N or /N, such as 2/8, found \"\(option)\"")
        }
        let (source, index) =
            parts[0].isEmpty ? try indexFromEnvironment(environment, count: count) : ("--shard", Int(parts[0]) ?? 0)
        guard let shard = Shard(index: index, count: count) else {
            throw TextProblem(
                "\(source): the index must be from 1 to \(count), found "
                    + "\(parts[0].isEmpty ? "\(index)" : "\"\(parts[0])\"")")
        }
        return shard
    }

    private static func indexFromEnvironment(
        _ environment: [String: String], count: Int
    ) throws(TextProblem) -> (source: String, index: Int) {
        var found: [(String, Int)] = []
        if let number = try number("PARALLEL_SEQ", environment) { found.append(("PARALLEL_SEQ", number)) }
        if let number = try number("JOB_COMPLETION_INDEX", environment) {
            found.append(("JOB_COMPLETION_INDEX", number + 1))
        }
        if let slurm = try fromSlurm(environment, count: count) { found.append(("SLURM_ARRAY_TASK_ID", slurm.index)) }
        guard let first = found.first else {
            throw TextProblem(
                "--shard /\(count) needs PARALLEL_SEQ, JOB_COMPLETION_INDEX or SLURM_ARRAY_TASK_ID in the "
                    + "environment, found none")
        }
        guard found.count == 1 else {
            let names = found.map(\.0).joined(separator: " and ")
            throw TextProblem("--shard /\(count) is ambiguous: \(names) are set; give --shard I/\(count)")
        }
        return first
    }

    /// - Parameter count: The number given by the option; nil if the array must give it.
    private static func fromSlurm(_ environment: [String: String], count: Int? = nil) throws(TextProblem) -> Shard? {
        guard let id = try number("SLURM_ARRAY_TASK_ID", environment) else { return nil }
        let first = try number("SLURM_ARRAY_TASK_MIN", environment) ?? 0
        let step = max(1, try number("SLURM_ARRAY_TASK_STEP", environment) ?? 1)
        let told = try number("SLURM_ARRAY_TASK_COUNT", environment)
        guard let number = told ?? count else {
            throw TextProblem("SLURM_ARRAY_TASK_ID is set without SLURM_ARRAY_TASK_COUNT; give --shard /N")
        }
        if let count, count != number {
            throw TextProblem("--shard /\(count) does not fit SLURM_ARRAY_TASK_COUNT, which is \(number)")
        }
        guard let shard = Shard(index: (id - first) / step + 1, count: number) else {
            throw TextProblem(
                "SLURM_ARRAY_TASK_ID is \(id), the first is \(first), and there are \(number): the array's indices "
                    + "must be consecutive")
        }
        return shard
    }

    private static func number(_ name: String, _ environment: [String: String]) throws(TextProblem) -> Int? {
        guard let text = environment[name], !text.isEmpty else { return nil }
        guard let number = Int(text), (0...Int(Int32.max)).contains(number) else {
            throw TextProblem("\(name) must be a whole number up to \(Int32.max), found \"\(text)\"")
        }
        return number
    }
}
