import JuiceStand
import TextFormats

/// The observers of one replication.
package struct Audience {
    package var wiring: any Wiring
    /// Called with the stand after the replication. Returns an error that the observers found, or nil. Keeps the
    /// observers alive until then.
    package var end: (Stand) -> String?

    package init(_ wiring: any Wiring, end: @escaping (Stand) -> String? = { _ in nil }) {
        self.wiring = wiring
        self.end = end
    }

    /// No observers. The stand builds no facts then.
    package static var nobody: Audience { Audience(WiringChoice.closure.makeWiring()) }
}

extension Experiment {
    /// How an experiment is run. It does not influence the figures.
    package struct Execution: Sendable {
        /// The number of replications at a time.
        package var jobs: Int
        package var progress: ExperimentProgress
        /// Called every few thousand events, on several threads. If it returns false, the result is partial.
        package var goOn: @Sendable () -> Bool
        /// Called once for each replication, on its thread.
        package var makeAudience: @Sendable (StandSettings) -> Audience

        package init(
            jobs: Int = 1, progress: ExperimentProgress = ExperimentProgress(),
            while goOn: @escaping @Sendable () -> Bool = { true },
            makeAudience: @escaping @Sendable (StandSettings) -> Audience = { _ in .nobody }
        ) {
            self.jobs = jobs
            self.progress = progress
            self.goOn = goOn
            self.makeAudience = makeAudience
        }
    }

    /// Runs every replication of every setting, or this shard's part of them.
    ///
    /// The result depends on the experiment alone. Replications have random streams of their own, and their values are
    /// collected in the order of their numbers.
    package func run(_ execution: Execution) -> SimulationResult {
        var notes: [String] = []
        let prepared = settings.map(prepare)
        let warmUp = findWarmUp(prepared, execution, &notes)
        var outcomes = settings.map { _ in [ReplicationOutcome]() }
        var done = 0
        var goal = precisions.isEmpty ? replications : max(replications, Precision.fewestReplications)
        while done < goal, execution.goOn() {
            let found = run(done..<goal, prepared, warmUp: warmUp, execution)
            for (setting, outcome) in found { outcomes[setting].append(outcome) }
            done = goal
            if !precisions.isEmpty { goal = nextGoal(after: done, makeRuns(prepared, outcomes)) }
        }
        let count = precisions.isEmpty ? replications : done
        if (2..<Estimate.fewestForSkewness).contains(count) {
            notes.append(
                "with fewer than \(Estimate.fewestForSkewness) replications, the intervals assume that the values of "
                    + "replications are about normally distributed")
        }
        var result = SimulationResult(
            seed: base.seed, replications: count, horizon: horizon, warmUp: warmUp,
            config: base.resolvedAnywhere(), runs: makeRuns(prepared, outcomes.map(Self.reportable)))
        result.isPartial = !execution.goOn() || outcomes.contains { $0.contains { !$0.isWhole } }
        result.from = start?.origin
        result.shard = shard
        result.configuration = base.fingerprint
        result.notes = notes
        result.faults = faults(outcomes)
        result.faces = base.menu.faces
        return result
    }

    /// A setting with what depends on it alone, computed once for all replications.
    struct Prepared: Sendable {
        var set: [JSONValue.Member]
        /// The stand before its opening.
        var stand: Stand
        /// How an open stand goes on with the setting; nil if replications open the stand.
        var goingOn: VirtualDriver.GoingOn?
        var names: [String]
    }

    func prepare(_ setting: Setting) -> Prepared {
        let stand = Stand(setting.settings)
        return Prepared(
            set: setting.set, stand: stand, goingOn: start?.goingOn(with: setting.settings),
            names: metricNames(of: stand))
    }

    /// The complete replications. Without any, the figures so far of the first one.
    private static func reportable(_ outcomes: [ReplicationOutcome]) -> [ReplicationOutcome] {
        let whole = outcomes.filter(\.isWhole)
        return whole.isEmpty ? Array(outcomes.prefix(1)) : whole
    }

    private func makeRuns(
        _ prepared: [Prepared], _ outcomes: [[ReplicationOutcome]]
    ) -> [SimulationResult.Run] {
        zip(prepared, outcomes).map { prepared, outcomes in
            SimulationResult.Run(
                set: prepared.set, names: prepared.names, juices: prepared.stand.settings.menu.juices.map(\.name),
                outcomes: outcomes)
        }
    }

    /// The number of replications to reach, given the results of the first `count`.
    private func nextGoal(after count: Int, _ runs: [SimulationResult.Run]) -> Int {
        var goal = count
        for run in runs {
            for precision in precisions {
                guard let estimate = run.metric(precision.metric), !precision.isMet(by: estimate) else { continue }
                goal = max(goal, precision.nextReplications(after: estimate, of: count))
            }
        }
        return goal
    }
}

// MARK: - Replications on several threads

extension Experiment {
    /// Runs some replications of every setting.
    ///
    /// - Returns: Outcomes by setting, then by number, without replications that were not begun.
    private func run(
        _ numbers: Range<Int>, _ prepared: [Prepared], warmUp: SimulationTime, _ execution: Execution
    ) -> [(setting: Int, outcome: ReplicationOutcome)] {
        let all = settings.indices.flatMap { setting in numbers.map { (setting: setting, number: $0) } }
        let tasks = all.indices.filter { shard?.runs(task: $0) ?? true }.map { all[$0] }
        let seconds = tasks.reduce(0) { $0 + expectedLength(of: prepared[$1.setting]).seconds }
        execution.progress.update {
            $0.replicationsExpected += tasks.count
            $0.secondsExpected += seconds
        }
        let outcomes = inParallel(tasks.count, jobs: execution.jobs, while: execution.goOn) {
            replicate(tasks[$0].number, prepared[tasks[$0].setting], warmUp: warmUp, execution)
        }
        return zip(tasks, outcomes).compactMap { task, outcome in outcome.map { (task.setting, $0) } }
    }

    private func replicate(
        _ number: Int, _ prepared: Prepared, warmUp: SimulationTime, _ execution: Execution
    ) -> ReplicationOutcome {
        let length = expectedLength(of: prepared)
        var stand = makeStand(prepared, number: number)
        let ordersBefore = stand.ordersNumbered
        var charts = drawsCharts ? ChartSampler(stand, length: length) : nil
        let audience = execution.makeAudience(prepared.stand.settings)
        let clock = ContinuousClock()
        let wall = clock.now
        let driver = VirtualDriver(
            horizon: horizon, warmUp: warmUp,
            sampling: charts.map { .init(every: $0.interval) { charts?.look($0, at: $1) } },
            goingOn: prepared.goingOn)
        let isWhole = execution.run(&stand, driver, audience)
        let elapsed = clock.now - wall
        var values = stand.metricValues(at: stand.now)
        if includesTiming {
            let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
            values.append(seconds > 0 ? Double(stand.ordersNumbered - ordersBefore) / seconds : nil)
        }
        var outcome = ReplicationOutcome(
            number: number, values: values, charts: charts?.charts(of: stand, number: number))
        outcome.losses = stand.losses
        outcome.days = (stand.now - stand.tally.start).seconds / 86_400
        outcome.isWhole = isWhole
        let observedFault = audience.end(stand)
        outcome.fault = isWhole ? Self.contradiction(stand) ?? observedFault : nil
        if isWhole { execution.progress.update { $0.replicationsDone += 1 } }
        return outcome
    }

    /// A stand at the start of a replication.
    func makeStand(_ prepared: Prepared, number: Int) -> Stand {
        start?.futures.stand(UInt64(number)) ?? prepared.stand.beginning(replication: UInt64(number))
    }

    /// The expected length of a replication in stand time.
    private func expectedLength(of prepared: Prepared) -> SimulationTime {
        if case .trace(let trace) = prepared.stand.settings.customers.arrivals, let last = trace.lines.last {
            // Includes time for making the last orders.
            return min(last.time + SimulationTime(seconds: 600), horizon ?? .never)
        }
        return horizon ?? .zero
    }
}

extension Experiment.Execution {
    /// Runs one replication and reports its progress.
    ///
    /// - Returns: Whether the replication is complete.
    func run(_ stand: inout Stand, _ driver: VirtualDriver, _ audience: Audience = .nobody) -> Bool {
        var reported = (time: stand.now, orders: stand.ordersNumbered)
        func report(_ stand: Stand) {
            progress.update {
                $0.secondsDone += (stand.now - reported.time).seconds
                $0.orders += stand.ordersNumbered - reported.orders
            }
            reported = (stand.now, stand.ordersNumbered)
        }
        defer { report(stand) }
        return driver.run(&stand, audience.wiring) { stand in
            report(stand)
            return goOn()
        }
    }
}

// MARK: - Self-checks

extension Experiment {
    /// How the figures of a run violate Little's law; nil if they satisfy it. A violation is an error of the program.
    static func contradiction(_ stand: Stand) -> String? {
        let law = stand.littlesLaw(at: stand.now)
        guard law.present != law.spent else { return nil }
        return "contradicts Little's law: \(law.present) customer-nanoseconds by those present, "
            + "\(law.spent) by the time they spent"
    }

    private func faults(_ outcomes: [[ReplicationOutcome]]) -> [String] {
        zip(settings, outcomes).flatMap { setting, outcomes in
            let name = SimulationResult.describe(setting.set)
            let ofSetting = name.isEmpty ? "" : " of \(name)"
            return outcomes.compactMap { outcome in
                outcome.fault.map { "replication \(outcome.number)\(ofSetting) \($0)" }
            }
        }
    }
}
