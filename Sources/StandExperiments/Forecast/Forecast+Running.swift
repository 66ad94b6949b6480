import JuiceStand
import Platform
import TextFormats

extension Forecast {
    /// One future of one course.
    struct Outcome: Sendable {
        /// For each fruit, when it was first short; `never` if it was not.
        var shorts: [SimulationTime] = []
        /// For each fruit, when it was first sold out; `never` if it was not.
        var stockouts: [SimulationTime] = []
        /// The levels at each instant, all fruits of one instant together. Unlimited fruits count as 0.
        var levels: [Int] = []
        var queue: [Int] = []
        /// The values of all metrics, in their order.
        var metrics: [Double?] = []
    }

    /// A result, and when fruit becomes short in each future.
    package struct Answer: Sendable {
        package var result: ForecastResult
        /// For each fruit of the first run: seconds from now until it is first short, ascending, over the futures in
        /// which it becomes short.
        package var shorts: [[Double]]
    }

    /// Runs all futures of all courses.
    ///
    /// The result depends on the forecast alone, not on `jobs`.
    ///
    /// - Parameters:
    ///   - jobs: The number of futures at a time.
    ///   - atLowPriority: Whether the threads have low priority.
    ///   - mostEvents: The most events of all futures together. Each future of each course may have an equal share.
    ///   - goOn: Called every few thousand events, on several threads. If it returns false, there is no answer.
    /// - Throws: ``ForecastError/tooLarge(_:)`` if a future exceeds its share, usually while the first futures run.
    package func answer(
        jobs: Int, atLowPriority: Bool = false, mostEvents: Int = .max,
        while goOn: @escaping @Sendable () -> Bool = { true }
    ) throws(ForecastError) -> Answer? {
        // A single future gets half of the events, because it runs on one thread.
        let share = mostEvents / (max(2, span.replications) * courses.count)
        /// The stand time at which a future first exceeded its share; nil if none has.
        let reached = Guarded<SimulationTime?>(nil)
        let isWithin: @Sendable () -> Bool = { goOn() && reached.withLock { $0 == nil } }
        /// All values; nil if `goOn` has returned false.
        func compute<Value: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) -> Value?) -> [Value]? {
            let values = inParallel(count, jobs: jobs, atLowPriority: atLowPriority, while: isWithin, body)
                .compactMap { $0 ?? nil }
            return values.count == count ? values : nil
        }
        let futuresOfCourses = compute(span.replications) { number -> [Outcome]? in
            let future = start.futures.stand(UInt64(number))
            let outcomes = courses.compactMap { course in
                outcome(of: course, future, mostEvents: share, while: isWithin) { time in
                    reached.withLock { $0 = $0 ?? time }
                }
            }
            return outcomes.count == courses.count ? outcomes : nil
        }
        if let time = reached.withLock({ $0 }) { throw tooLarge(mostEvents, reached: time) }
        guard let futuresOfCourses else { return nil }
        let byCourse = courses.indices.map { course in futuresOfCourses.map { $0[course] } }
        let runs = compute(courses.count) { place in
            run(courses[place], byCourse[place], first: place == 0 ? nil : byCourse[0])
        }
        guard let runs else { return nil }
        var result = ForecastResult()
        result.stand = start.settings.stand
        result.opens = start.settings.opens
        result.at = now.seconds
        result.seq = start.origin.sequence
        result.horizon = horizon.seconds
        result.replications = span.replications
        result.seed = start.settings.seed
        result.runs = runs
        result.faces = menu.faces
        let shorts = fruits.map { fruit in
            byCourse[0].map { $0.shorts[fruit.index] }.filter { $0 < .never }.map { ($0 - now).seconds }
                .sorted()
        }
        return Answer(result: result, shorts: shorts)
    }

    private func tooLarge(_ mostEvents: Int, reached time: SimulationTime) -> ForecastError {
        let limit = Columns.grouped(mostEvents)
        // A margin, because futures differ a little.
        let length = (time - now).seconds * 0.9
        guard length >= 1 else { return .tooLarge("the forecast would take more than \(limit) events") }
        let count = Columns.counted(span.replications * courses.count, "future")
        return .tooLarge(
            "the forecast would take more than \(limit) events; with \(count), in can be about "
                + "\(SpanText.long(length))")
    }

    /// - Parameter stop: Called with the stand time reached, if the future has more than `mostEvents`.
    /// - Returns: Nil after `stop`, or if `goOn` has returned false.
    private func outcome(
        of course: Course, _ future: Stand, mostEvents: Int, while goOn: () -> Bool, stop: (SimulationTime) -> Void
    ) -> Outcome? {
        var stand = future
        let fruits = stand.settings.menu.allFruits
        // The change itself has no observers. The levels after it are noted below.
        do { try course.begin(&stand, at: now, FactPublisher(WiringChoice.closure.makeWiring())) } catch {
            preconditionFailure("a change that was possible before: \(error)")
        }
        let shortages = ShortageObserver(below: fruits.map(stand.settings.menu.mostPieces(of:)))
        for fruit in fruits { stand.maker.stock(of: fruit).map { shortages.note($0, of: fruit, at: now) } }
        let out = FactPublisher(shortages)
        var outcome = Outcome()
        outcome.levels.reserveCapacity(span.instants * fruits.count)
        var share = mostEvents
        /// Whether `time` was reached.
        func advance(to time: SimulationTime) -> Bool {
            while true {
                let slice = min(Self.slice, share)
                var left = slice
                let isThere = stand.advance(to: time, left: &left, out)
                share -= slice - left
                if isThere { return true }
                guard share > 0 else {
                    stop(stand.now)
                    return false
                }
                guard goOn() else { return false }
            }
        }
        for step in 1...span.instants {
            guard advance(to: instant(step)) else { return nil }
            stand.appendLevels(to: &outcome.levels)
            outcome.queue.append(stand.queue)
        }
        guard advance(to: horizon) else { return nil }
        outcome.shorts = shortages.shorts
        outcome.stockouts = shortages.stockouts
        outcome.metrics = stand.metricValues(at: horizon)
        return outcome
    }

    /// The time of an instant with levels, counted from 1. Now is not one of them.
    func instant(_ step: Int) -> SimulationTime {
        now + SimulationTime(nanoseconds: span.every.nanoseconds * Int64(step))
    }

    /// The number of events between two calls of `goOn`.
    private static let slice = 16_384
}

/// Notes when each fruit is first short and first sold out. It is the only observer, so it needs no wiring.
private final class ShortageObserver: FactObserver {
    var wanted: FactSet { FactSet(.stockChanged) }
    private let needs: [Int]
    /// For each fruit, when it was first short; `never` if it has not been.
    private(set) var shorts: [SimulationTime]
    /// For each fruit, when it was first sold out; `never` if it has not been.
    private(set) var stockouts: [SimulationTime]

    /// - Parameter needs: For each fruit the pieces below which it is short.
    init(below needs: [Int]) {
        self.needs = needs
        shorts = needs.map { _ in .never }
        stockouts = shorts
    }

    func note(_ level: Int, of fruit: Fruit, at time: SimulationTime) {
        let index = fruit.index
        if level < needs[index], shorts[index] == .never { shorts[index] = time }
        if level == 0, stockouts[index] == .never { stockouts[index] = time }
    }

    func hear(_ fact: StockChanged) { note(fact.to, of: fact.fruit, at: fact.stamp.time) }
}
