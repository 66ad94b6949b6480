import JuiceStand
import Testing

/// Makers that come and go by shifts.
@Suite(.timeLimit(.minutes(60)))
struct ShiftTests {
    /// Events of a ledger as `at event`, such as `30 orderStarted`, without those of the stock.
    private func events(_ text: String, until seconds: Double) throws -> [String] {
        try ledger(of: settings(text), until: seconds).split(separator: "\n").compactMap { line in
            let words = line.split(separator: "\"")
            let name = words[7]
            guard name.hasPrefix("order") else { return nil }
            let at = words[4].drop { !"0123456789".contains($0) }.prefix { $0 != "." }
            return "\(at) \(name)"
        }
    }

    private func configuration(_ makers: String, every: Int = 10, preparation: Int = 25) -> String {
        """
        {"fruits": {"a": {"initial": "unlimited"}}, "menu": {"j": {"recipe": {"a": 1}, "preparation": \(preparation)}},
         "makers": \(makers), "customers": {"arrivals": {"renewal": \(every)}}}
        """
    }

    @Test func `a maker whose shift ends finishes the cup at hand, and nobody starts another`() throws {
        // Orders at 10, 20, …; one maker until 30, none until 60, one from then on.
        let events = try events(
            configuration(#"{"shifts": {"every": 30, "makers": [1, 0, 1]}}"#), until: 70)
        #expect(
            events == [
                "10 orderPlaced", "10 orderStarted", "20 orderPlaced", "30 orderPlaced", "35 orderServed",
                "40 orderPlaced", "50 orderPlaced", "60 orderStarted", "60 orderPlaced",
            ])
    }

    @Test func `makers who are still finishing count first when a shift grows`() throws {
        // Three makers at 10 begin cups of 25 s; at 20 one is wanted, at 30 two: three are still at work.
        let events = try events(
            configuration(#"{"shifts": {"every": 10, "makers": [0, 3, 1, 2]}}"#, every: 3), until: 40)
        #expect(
            events.filter { $0.hasSuffix("Started") } == ["10", "10", "10", "35", "35"].map { "\($0) orderStarted" })
    }

    @Test func `a change of shift precedes other events of its instant`() throws {
        // The customer of 30 finds the maker whose shift begins at 30, although no waiting place is left.
        let text = """
            {"fruits": {"a": {"initial": "unlimited"}}, "menu": {"j": {"recipe": {"a": 1}, "preparation": 5}},
             "makers": {"shifts": {"every": 30, "makers": [0, 1]}}, "queue": {"limit": 0},
             "customers": {"arrivals": {"renewal": 30}}}
            """
        #expect(try events(text, until: 50) == ["30 orderPlaced", "30 orderStarted", "35 orderServed"])
    }

    @Test(arguments: [(false, [1, 2, 3, 3, 3]), (true, [1, 2, 3, 1, 2])])
    func `shifts repeat, or the last one stays`(repeats: Bool, expected: [Int]) throws {
        var stand = Stand(
            try settings(
                configuration(#"{"shifts": {"every": "1h", "makers": [1, 2, 3], "repeat": \#(repeats)}}"#, every: 9999))
        )
        let out = FactPublisher(ClosureWiring())
        stand.open(out)
        var makers: [Int] = []
        for hour in 0..<5 {
            stand.advance(to: SimulationTime(seconds: Double(hour) * 3600 + 1), out)
            makers.append(stand.makers)
        }
        #expect(makers == expected)
    }

    @Test func `time on duty counts the shift's makers, or the cups being made if those are more`() throws {
        // Two makers until 100, who both begin a cup of 60 s at 90; none until 200.
        var stand = Stand(
            try settings(
                """
                {"fruits": {"a": {"initial": "unlimited"}}, "menu": {"j": {"recipe": {"a": 1}, "preparation": 60}},
                 "makers": {"shifts": {"every": 100, "makers": [2, 0]}},
                 "customers": {"arrivals": {"renewal": 90}, "cups": 2}}
                """))
        VirtualDriver(horizon: SimulationTime(seconds: 200)).run(&stand, ClosureWiring())
        let metrics = figures(of: stand)
        // 2 × 100 s, and the two cups' 50 s beyond the shift.
        #expect(metrics["makers.onDuty.hours"] == (300.0 / 3600))
        #expect(metrics["makers.utilization"] == (120.0 / 300))
    }

    @Test func `without makers on duty there is no utilization`() throws {
        var stand = Stand(try settings(configuration(#"{"shifts": {"every": "1h", "makers": [0]}}"#)))
        VirtualDriver(horizon: SimulationTime(seconds: 100)).run(&stand, ClosureWiring())
        let metrics = stand.metrics(at: stand.now)
        #expect(metrics.first { $0.name == "makers.utilization" }?.value == nil)
        #expect(metrics.first { $0.name == "makers.onDuty.hours" }?.value == 0)
    }

    @Test func `a single shift equals a number of makers`() throws {
        let constant = try ledger(of: settings(configuration("2", every: 7)), until: 1000)
        let shifts = try ledger(
            of: settings(configuration(#"{"shifts": {"every": 33, "makers": [2, 2], "repeat": true}}"#, every: 7)),
            until: 1000)
        // All lines but the opening, which has the configuration's hash.
        #expect(constant.split(separator: "\n").dropFirst() == shifts.split(separator: "\n").dropFirst())
    }

    @Test func `a reload changes the shift at once and schedules the next by the new list`() throws {
        let old = try settings(configuration("1", every: 10, preparation: 100))
        let new = try settings(configuration(#"{"shifts": {"every": 40, "makers": [5, 0, 3]}}"#, preparation: 100))
        let out = FactPublisher(ClosureWiring())
        var stand = Stand(old)
        stand.open(out)
        stand.advance(to: SimulationTime(seconds: 31), out)
        #expect(stand.busyMakers == 1)
        let changes = SettingsDifference(from: old, to: new).changes
        #expect(changes.map(\.key) == ["makers"])
        stand.reload(new, changes, at: SimulationTime(seconds: 31), out)
        #expect(stand.makers == 5 && stand.busyMakers == 3)
        stand.advance(to: SimulationTime(seconds: 41), out)
        #expect(stand.makers == 0)
        stand.advance(to: SimulationTime(seconds: 81), out)
        #expect(stand.makers == 3)
    }

    @Test(arguments: [
        (#"{}"#, #"makers.shifts: is missing; must be {"every": …, "makers": […]}"#),
        (#"{"shifts": {"makers": [1]}}"#, "makers.shifts.every: is missing; must be a duration"),
        (#"{"shifts": {"every": "1h"}}"#, "makers.shifts.makers: is missing; must be a list of numbers of makers"),
        (#"{"shifts": {"every": "1h", "makers": []}}"#, "makers.shifts.makers: must be a list of numbers of makers"),
        (#"{"shifts": {"every": "1h", "makers": [1, -1]}}"#, "makers.shifts.makers[1]: must be "),
        (#"{"shifts": {"every": "1h", "makers": ["unlimited"]}}"#, "makers.shifts.makers[0]: must be "),
        (#"0"#, #"makers: must be at least 1, "unlimited" or {"shifts": …}, found 0"#),
    ])
    func `a wrong shift is reported with its place and what would be right`(makers: String, message: String) {
        expectProblem(#"{"makers": \#(makers)}"#, message)
    }
}
