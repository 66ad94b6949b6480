import JuiceStand

extension Experiment {
    /// The warm-up of every replication: the longest that any setting needs, so that all have the same measured period.
    ///
    /// Every shard computes it from the same replications.
    ///
    /// - Precondition: An automatic warm-up has a horizon.
    func findWarmUp(_ prepared: [Prepared], _ execution: Execution, _ notes: inout [String]) -> SimulationTime {
        if case .fixed(let time) = warmUp { return time }
        guard let horizon else { preconditionFailure("an automatic warm-up needs a horizon") }
        let number =
            precisions.isEmpty ? min(replications, WarmUpSearch.mostReplications) : WarmUpSearch.mostReplications
        execution.progress.update { $0.secondsExpected += Double(settings.count * number) * horizon.seconds }
        let ends = inParallel(settings.count, jobs: execution.jobs, while: execution.goOn) {
            searchWarmUp(prepared[$0], replications: number, horizon, execution)
        }
        var longest = SimulationTime.zero
        for (setting, end) in zip(settings, ends) {
            guard case .some(let end) = end else { continue }
            if end == nil {
                let name = SimulationResult.describe(setting.set)
                let warmUp = name.isEmpty ? "the warm-up" : "the warm-up with \(name)"
                notes.append(
                    "\(warmUp) may take more than half of the run: half of each run is left out; use longer runs")
            }
            longest = max(longest, end ?? SimulationTime(nanoseconds: horizon.nanoseconds / 2))
        }
        return longest
    }

    private func searchWarmUp(
        _ prepared: Prepared, replications: Int, _ horizon: SimulationTime, _ execution: Execution
    ) -> SimulationTime? {
        var search = WarmUpSearch(horizon: horizon)
        for number in 0..<replications where execution.goOn() {
            search.beginReplication()
            var stand = makeStand(prepared, number: number)
            let start = stand.now
            let driver = VirtualDriver(
                horizon: horizon, sampling: .init(every: search.interval) { search.look($0, at: $1) },
                goingOn: prepared.goingOn)
            if execution.run(&stand, driver) { search.endReplication(stand, at: start + horizon, length: horizon) }
        }
        return search.end
    }
}
