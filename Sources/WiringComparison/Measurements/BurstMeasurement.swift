import JuiceStand
import Platform

/// Counts what observers hear of posts as fast as possible, and of posts at a steady pace.
///
/// Call it on the main thread: some mechanisms need it.
struct BurstMeasurement: IdiomVisitor {
    private static let nanosecondsApart: UInt64 = 1_000_000

    typealias Observer = PostCount

    /// A wiring with its observers.
    struct Subject {
        var post: (UInt64) -> Void
        /// The poster's next turn.
        var turn: () -> Void
        var observers: [PostCount] = []
        /// They keep the observations alive.
        var keys: Any

        /// The posts that each observer has heard when all are done; nil if one is not done in time.
        func heard(of posted: Int) -> [Int]? {
            let isDrained = isIdle(after: .seconds(10))
            let heard = observers.map { Int($0.latency.count) }
            return isDrained || heard.allSatisfy { $0 == posted } ? heard : nil
        }
    }

    func visit<Way: Idiom>(_ way: Way, keys: Any) -> Subject where Way.Observer == PostCount {
        Subject(
            post: { way.post(Sale(time: Int64(monotonicNanoseconds()), order: $0)) }, turn: { way.turn() }, keys: keys)
    }

    /// What was heard under each wiring; none if `goOn` returned false before the end.
    func measure(_ choices: [WiringChoice], while goOn: () -> Bool) -> [WiringChoice: Comparison.Burst] {
        var found: [WiringChoice: Comparison.Burst] = [:]
        for choice in choices {
            guard goOn(), let subject = subject(choice) else { continue }
            for number in 1...UInt64(Comparison.Burst.postedAtOnce) { subject.post(number) }
            subject.turn()
            found[choice] = Comparison.Burst(heard: subject.heard(of: Comparison.Burst.postedAtOnce), paced: nil)
        }
        // All take part in one second, each with a post a millisecond.
        let subjects = choices.compactMap { choice in subject(choice).map { (choice, $0) } }
        var next = monotonicNanoseconds()
        for number in 1...UInt64(Comparison.Burst.postedPaced) {
            guard goOn() else { return [:] }
            for (_, subject) in subjects {
                subject.post(number)
                subject.turn()
            }
            // A delay is not made up for: that would be a burst.
            next = max(next + Self.nanosecondsApart, monotonicNanoseconds())
            while monotonicNanoseconds() < next { usleep(UInt32((next - monotonicNanoseconds()) / 1000 + 1)) }
        }
        for (choice, subject) in subjects {
            found[choice]?.paced = subject.heard(of: Comparison.Burst.postedPaced)
            found[choice]?.latency = subject.observers.last?.latency ?? Histogram()
        }
        return found
    }

    private func subject(_ choice: WiringChoice) -> Subject? {
        let observers = (0..<3).map { _ in PostCount() }
        for count in [3, 1] {
            guard var subject = choice.visit(self, observers: Array(observers[..<count])) else { continue }
            subject.observers = Array(observers[..<count])
            return subject
        }
        return nil
    }
}

/// Counts posts on any thread, with the time since each.
final class PostCount: SaleObserver {
    private let times = Guarded(Histogram())

    var latency: Histogram { times.withLock { $0 } }

    func note(_ sale: Sale) {
        let time = SimulationTime(nanoseconds: Int64(monotonicNanoseconds()) - sale.time)
        times.withLock { $0.record(time) }
    }
}
