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
        var metrics: [Metric] = []
    }

    /// Runs all futures of all courses.
    ///
    /// The result depends on the forecast alone, not on `jobs`.
    ///
    /// - Parameters:
    ///   - jobs: The number of futures at a time.
    ///   - goOn: Called every few thousand events, on several threads. If it returns false, there is no result.
    package func run(jobs: Int, while goOn: @escaping @Sendable () -> Bool = { true }) -> ForecastResult? {
        answer(jobs: jobs, while: goOn)?.result
    }

    /// A result, and when fruit runs out in each future.
    package struct Answer: Sendable {
        package var result: ForecastResult
        /// For each fruit of the first run, the seconds from now until it is first sold out, in ascending order, of the
        /// futures in which it is.
        package var stockouts: [[Double]]
    }

    /// Runs all futures of all courses, as ``run(jobs:while:)``.
    package func answer(jobs: Int, while goOn: @escaping @Sendable () -> Bool = { true }) -> Answer? {
        let outcomes = inParallel(span.replications, jobs: jobs, while: goOn) { number in
            let start = futures.stand(UInt64(number))
            return courses.map { outcome(of: $0, start, while: goOn) }
        }
        var byCourse = courses.map { _ in [Outcome]() }
        for outcomes in outcomes {
            guard let outcomes else { return nil }
            for (course, outcome) in outcomes.enumerated() {
                guard let outcome else { return nil }
                byCourse[course].append(outcome)
            }
        }
        let stockouts = fruits.map { fruit in
            byCourse[0].map { $0.stockouts[fruit.index] }.filter { $0 < .never }.map { ($0 - futures.time).seconds }
                .sorted()
        }
        return Answer(result: result(byCourse), stockouts: stockouts)
    }

    /// - Returns: Nil if `goOn` has returned false.
    private func outcome(of course: Course, _ start: Stand, while goOn: () -> Bool) -> Outcome? {
        var stand = start
        let now = futures.time
        let fruits = stand.settings.menu.allFruits
        let watch = StockoutWatch(fruits: fruits.count)
        let wiring = WiringChoice.closure.makeWiring()
        wiring.connect(watch)
        let out = FactPublisher(wiring)
        do { try course.begin(&stand, at: now, out) } catch {
            preconditionFailure("a change that was possible before: \(error)")
        }
        // What happened at this very instant is no news.
        watch.begin(with: fruits.map { stand.maker.stock(of: $0) == 0 ? now : .never })
        var outcome = Outcome()
        for step in 1...span.instants {
            let time = now + SimulationTime(nanoseconds: span.every.nanoseconds * Int64(step))
            while !stand.advance(to: time, limit: Self.slice, out) {
                guard goOn() else { return nil }
            }
            for fruit in fruits { outcome.levels.append(stand.maker.stock(of: fruit) ?? 0) }
            outcome.queue.append(stand.queue)
        }
        while !stand.advance(to: horizon, limit: Self.slice, out) {
            guard goOn() else { return nil }
        }
        outcome.stockouts = watch.first
        outcome.metrics = stand.metrics(at: horizon)
        return outcome
    }

    var horizon: SimulationTime { futures.time + span.length }

    /// The number of events between two calls of `goOn`.
    private static let slice = 16_384
}

/// Notes when each fruit is first sold out.
private final class StockoutWatch: StockChangedObserver {
    private let times: Guarded<[SimulationTime]>

    init(fruits: Int) { times = Guarded(Array(repeating: .never, count: fruits)) }

    func begin(with first: [SimulationTime]) { times.withLock { $0 = first } }

    var first: [SimulationTime] { times.withLock { $0 } }

    func receive(_ fact: StockChanged) {
        guard fact.to == 0 else { return }
        times.withLock { times in
            if times[fact.fruit.index] == .never { times[fact.fruit.index] = fact.stamp.time }
        }
    }
}
