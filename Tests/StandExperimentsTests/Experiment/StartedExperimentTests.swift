import JuiceStand
import StandExperiments
import Testing

/// Experiments that go on from a stand as it is now.
struct StartedExperimentTests {
    private let now = SimulationTime(seconds: 500)

    private func experiment(
        _ stand: Stand, seed: UInt64? = nil, makers: [Int] = [], replications: Int = 20, warmUp: Double = 0,
        drawsCharts: Bool = false
    ) throws -> Experiment {
        var base = stand.settings
        base.seed = seed ?? base.seed
        let varied = makers.map { makers in
            var settings = base
            settings.makers = makers
            return Experiment.Setting(set: [.init(key: "makers", value: .integer(Int64(makers)))], settings: settings)
        }
        return Experiment(
            base: base, from: try .init(of: stand, at: now, seed: seed), settings: varied.isEmpty ? nil : varied,
            replications: replications, horizon: SimulationTime(seconds: 600),
            warmUp: .fixed(SimulationTime(seconds: warmUp)), includesTiming: false, drawsCharts: drawsCharts)
    }

    @Test(arguments: [nil, 7] as [UInt64?])
    func `its replications are the futures of the forecast`(seed: UInt64?) throws {
        let stand = try openStand(lively, at: now)
        let result = try experiment(stand, seed: seed, makers: [2, 3]).run(.init(jobs: 2))
        let forecast = try #require(
            try Forecast(
                of: stand, at: now, .init(length: SimulationTime(seconds: 600), replications: 20), seed: seed,
                comparing: [.init(set: [.init(key: "makers", value: 3)])]
            ).answer(jobs: 1)
        ).result
        #expect(result.from == .init(at: now, sequence: forecast.seq) && result.faults.isEmpty)
        for (run, predicted) in zip(result.runs, forecast.runs) {
            #expect(run.metrics.map(\.name) == predicted.metrics.map(\.name))
            // A replication closes its stand, which is one more fact.
            for (found, predicted) in zip(run.metrics, predicted.metrics) where found.name != "notifications.posted" {
                guard let mean = found.mean, let other = predicted.mean else {
                    #expect(found.mean == predicted.mean, "\(found.name)")
                    continue
                }
                #expect(abs(mean - other) <= 1e-9 * max(1, abs(other)), "\(found.name): \(mean), not \(other)")
            }
        }
        #expect(result.runs[0].metric("wait.mean") != result.runs[1].metric("wait.mean"))
    }

    @Test func `shards and threads change nothing`() throws {
        let stand = try openStand(lively, at: now)
        let whole = try experiment(stand, makers: [1, 2], replications: 5).run(.init(jobs: 3))
        let files = try (1...2).map { index in
            var part = try experiment(stand, makers: [1, 2], replications: 5)
            part.shard = Shard(index: index, count: 2)
            return (name: "part\(index)", bytes: Array(part.run(.init()).json().compact().utf8))
        }
        #expect(try SimulationResult.merge(files).json().compact() == whole.json().compact())
    }

    @Test func `shards of different states are not merged`() throws {
        var stand = try openStand(lively, at: now)
        var files: [(name: String, bytes: [UInt8])] = []
        for index in 1...2 {
            var part = try experiment(stand, replications: 2)
            part.shard = Shard(index: index, count: 2)
            files.append(("part\(index)", Array(part.run(.init()).json().compact().utf8)))
            stand.takeOrder("x", at: now, FactPublisher(WiringChoice.closure.makeWiring()))
        }
        let error = try #require(throws: ResultFileError.self) { try SimulationResult.merge(files) }
        #expect("\(error.problems)".contains("the states from which they go on differ"))
    }

    /// One customer every ten seconds.
    private let paced = """
        {"fruits": {"a": {"initial": 500}}, "menu": {"j": {"recipe": {"a": 1}, "preparation": 1}},
         "customers": {"arrivals": {"renewal": 10}}}
        """

    @Test func `horizon, warm-up and plots count from now`() throws {
        let stand = try openStand(paced, at: now)
        let whole = try experiment(stand, replications: 1, drawsCharts: true).run(.init())
        // The customer of second 500 itself comes first.
        #expect(whole.runs[0].metric("customers.arrived")?.mean == 60)
        let levels = try #require(whole.runs[0].outcomes[0].charts?.levels?.fruits.first?.levels)
        #expect(levels.first == 451 && levels.last == 391)
        #expect(whole.report().html().contains("minutes from now"))
        let rest = try experiment(stand, replications: 1, warmUp: 200).run(.init())
        #expect(rest.runs[0].metric("customers.arrived")?.mean == 40)
    }

    @Test func `what can't change while the stand is open is refused`() throws {
        let stand = try openStand(lively, at: now)
        let start = try Experiment.Start(of: stand, at: now)
        try start.check(stand.settings)
        let other = try settings(lively.replacing("\"initial\": 12", with: "\"initial\": 13"))
        #expect(
            throws: ForecastError.cannotChange([
                "fruits.b.initial: only counts at the opening; change the stock by hand"
            ])
        ) { try start.check(other) }
    }
}
