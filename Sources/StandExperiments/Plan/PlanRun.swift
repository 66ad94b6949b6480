import JuiceStand
import TextFormats

/// A plan while it runs: the settings visited so far and their race.
struct PlanRun {
    let plan: Plan
    private let execution: Experiment.Execution
    var race: Race
    /// The combination of the grid of each contestant.
    private(set) var combinations: [Int] = []
    /// The stand of each contestant before its opening, with the index of each metric by name.
    private var stands: [(stand: Stand, places: [String: Int])] = []
    /// The contestant of each visited combination; nil for a combination that is no valid stand.
    private(set) var contestants: [Int: Int?] = [:]
    private(set) var notes: [String] = []
    private(set) var faults: [String] = []
    private(set) var isInterrupted = false

    init(_ plan: Plan, _ execution: Experiment.Execution) {
        self.plan = plan
        self.execution = execution
        race = Race(
            settings: plan.grid.count, maximizes: plan.maximizes, constraints: plan.constraints, within: plan.within,
            confidence: plan.confidence, rarest: plan.rarest)
    }

    /// Enters valid combinations that are not visited yet into the race, until the run is interrupted.
    ///
    /// - Returns: Whether any entered.
    @discardableResult
    mutating func visit(_ found: some Sequence<Int>) -> Bool {
        let before = combinations.count
        for combination in found where contestants[combination] == nil {
            guard execution.goOn() else {
                isInterrupted = true
                break
            }
            guard let settings = plan.makeSettings(combination) else {
                contestants.updateValue(nil, forKey: combination)
                continue
            }
            contestants[combination] = combinations.count
            combinations.append(combination)
            let stand = Stand(settings)
            let names = stand.metrics(at: .zero).map(\.name)
            stands.append((stand, Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })))
            race.enter(
                isCertain: settings.isCertain(plan.objective, horizon: plan.horizon),
                certain: plan.constraints.map { settings.isCertain($0.sum, horizon: plan.horizon) })
            execution.progress.update { $0.race = (race.racing.count, plan.grid.count) }
        }
        return combinations.count > before
    }

    /// Runs replications until each of the given settings has `count`.
    mutating func replicate(_ indices: [Int], to count: Int) {
        let tasks = indices.filter { race.contestants[$0].fate == nil }.flatMap { index in
            (race.contestants[index].objective.count..<max(count, race.contestants[index].objective.count)).map {
                (index: index, number: $0)
            }
        }
        execution.progress.update {
            $0.race = (race.racing.count, plan.grid.count)
            $0.replicationsExpected += tasks.count
            $0.secondsExpected += Double(tasks.count) * (plan.horizon?.seconds ?? 0)
        }
        let outcomes = inParallel(tasks.count, jobs: execution.jobs, while: execution.goOn) {
            [plan, stands, execution] in
            let (stand, places) = stands[tasks[$0].index]
            return plan.replicate(stand, places, number: tasks[$0].number, execution)
        }
        var stopped: Set<Int> = []
        for (task, outcome) in zip(tasks, outcomes) where !stopped.contains(task.index) {
            guard case .some(.some(let outcome)) = outcome else {
                // Later replications of this setting do not count without this one.
                stopped.insert(task.index)
                isInterrupted = true
                continue
            }
            if let fault = outcome.fault {
                faults.append("replication \(task.number) of \(name(of: task.index)) \(fault)")
            }
            race.add(outcome.objective, outcome.constrained, to: task.index)
        }
    }

    /// Withdraws the settings of which no replication has a value.
    mutating func leaveOutUnobserved() {
        for index in race.racing {
            let contestant = race.contestants[index]
            guard contestant.fewestObservations == 0 else { continue }
            race.withdraw(index)
            let replications = Columns.counted(contestant.objective.count, "replication")
            notes.append("\(name(of: index)) has no value in \(replications); it is left out")
        }
    }

    /// The seed of the random streams; 0 if no setting was visited.
    var seed: UInt64 { stands.first?.stand.settings.seed ?? 0 }

    var currency: String { stands.first?.stand.settings.currency ?? "" }

    func name(of index: Int) -> String { SimulationResult.describe(plan.set(combinations[index])) }
}

extension Plan {
    /// The keys and values of a combination.
    func set(_ combination: Int) -> [JSONValue.Member] {
        zip(grid.axes, grid.place(of: combination)).map { axis, place in
            .init(key: axis.keyPath, value: JSONValue(setting: axis.values[place]))
        }
    }

    /// One replication of one setting.
    struct Outcome: Sendable {
        /// Nil without an observation.
        var objective: Double?
        var constrained: [Constraint.Observation?]
        var fault: String?
    }

    /// - Parameter places: The index of each metric, by name.
    /// - Returns: nil if the run was interrupted.
    fileprivate func replicate(
        _ stand: Stand, _ places: [String: Int], number: Int, _ execution: Experiment.Execution
    ) -> Outcome? {
        var stand = stand.beginning(replication: UInt64(number))
        guard execution.run(&stand, VirtualDriver(horizon: horizon, warmUp: warmUp)) else { return nil }
        execution.progress.update { $0.replicationsDone += 1 }
        let values = stand.metricValues(at: stand.now)
        func find(_ name: String) -> Double? { places[name].flatMap { values[$0] } }
        return Outcome(
            objective: objective.value(find), constrained: constraints.map { $0.observe(find) },
            fault: Experiment.contradiction(stand))
    }
}

extension JSONValue {
    /// Reads a value as `--set` does: as JSON if it parses, else as a string.
    package init(setting text: String) {
        self = JSONValue(parsing: text.utf8) ?? .string(text)
    }
}
