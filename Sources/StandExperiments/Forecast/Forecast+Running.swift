import JuiceStand
import Platform

extension Forecast {
    /// One future of one course.
    struct Outcome: Sendable {
        /// For each fruit the first instant with none on hand; `never` if there was none.
        var stockouts: [SimulationTime] = []
        /// The levels at each instant, all fruits of one instant together. Unlimited fruits count as 0.
        var levels: [Int] = []
        var queue: [Int] = []
        /// The values of all metrics, in their order.
        var metrics: [Double?] = []
    }

    /// Runs all futures of all courses.
    ///
    /// The result depends on the forecast alone, not on `jobs`.
    ///
    /// - Parameters:
    ///   - jobs: The number of futures at a time.
    ///   - atLowPriority: Whether the threads besides the calling one let others go first.
    ///   - goOn: Called every few thousand events, on several threads. If it returns false, there is no result.
    package func run(
        jobs: Int, atLowPriority: Bool = false, while goOn: @escaping @Sendable () -> Bool = { true }
    ) -> ForecastResult? {
        answer(jobs: jobs, atLowPriority: atLowPriority, while: goOn)?.result
    }

    /// A result, and when fruit runs out in each future.
    package struct Answer: Sendable {
        package var result: ForecastResult
        /// For each fruit of the first run, the seconds from now until it is first sold out, in ascending order, of the
        /// futures in which it is.
        package var stockouts: [[Double]]
    }

    /// Runs all futures of all courses, as ``run(jobs:atLowPriority:while:)``.
    package func answer(
        jobs: Int, atLowPriority: Bool = false, while goOn: @escaping @Sendable () -> Bool = { true }
    ) -> Answer? {
        /// All values; nil if `goOn` has returned false.
        func compute<Value: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) -> Value?) -> [Value]? {
            let values = inParallel(count, jobs: jobs, atLowPriority: atLowPriority, while: goOn, body)
                .compactMap { $0 ?? nil }
            return values.count == count ? values : nil
        }
        let futuresOfCourses = compute(span.replications) { number -> [Outcome]? in
            let start = futures.stand(UInt64(number))
            let outcomes = courses.compactMap { outcome(of: $0, start, while: goOn) }
            return outcomes.count == courses.count ? outcomes : nil
        }
        guard let futuresOfCourses else { return nil }
        let byCourse = courses.indices.map { course in futuresOfCourses.map { $0[course] } }
        let instants = span.instants
        let allBands = compute(courses.count * instants) { place in
            bands(of: byCourse[place / instants], at: place % instants)
        }
        guard let allBands else { return nil }
        let stockouts = fruits.map { fruit in
            byCourse[0].map { $0.stockouts[fruit.index] }.filter { $0 < .never }.map { ($0 - futures.time).seconds }
                .sorted()
        }
        return Answer(result: result(byCourse, allBands), stockouts: stockouts)
    }

    /// - Returns: Nil if `goOn` has returned false.
    private func outcome(of course: Course, _ start: Stand, while goOn: () -> Bool) -> Outcome? {
        var stand = start
        let now = futures.time
        let fruits = stand.settings.menu.allFruits
        // What happens at this very instant is no news.
        do { try course.begin(&stand, at: now, FactPublisher(StockoutWatch([]), wanted: [])) } catch {
            preconditionFailure("a change that was possible before: \(error)")
        }
        let watch = StockoutWatch(fruits.map { stand.maker.stock(of: $0) == 0 ? now : .never })
        let out = FactPublisher(watch, wanted: FactSet(.stockChanged))
        var outcome = Outcome()
        outcome.levels.reserveCapacity(span.instants * fruits.count)
        for step in 1...span.instants {
            let time = now + SimulationTime(nanoseconds: span.every.nanoseconds * Int64(step))
            while !stand.advance(to: time, limit: Self.slice, out) {
                guard goOn() else { return nil }
            }
            stand.appendLevels(to: &outcome.levels)
            outcome.queue.append(stand.queue)
        }
        while !stand.advance(to: horizon, limit: Self.slice, out) {
            guard goOn() else { return nil }
        }
        outcome.stockouts = watch.first
        outcome.metrics = stand.metricValues(at: horizon)
        return outcome
    }

    var horizon: SimulationTime { futures.time + span.length }

    /// The number of events between two calls of `goOn`.
    private static let slice = 16_384
}

/// Notes when each fruit is first sold out. It is the only observer, so it needs no wiring.
private final class StockoutWatch: FactSink {
    /// For each fruit; `never` if it has not been sold out.
    private(set) var first: [SimulationTime]

    init(_ first: [SimulationTime]) { self.first = first }

    func announce(_ fact: StockChanged) {
        guard fact.to == 0, first[fact.fruit.index] == .never else { return }
        first[fact.fruit.index] = fact.stamp.time
    }

    func announce(_ fact: some Fact) {}
}
