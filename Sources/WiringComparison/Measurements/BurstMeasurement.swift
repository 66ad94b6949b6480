import JuiceStand
import Platform

/// Counts what observers hear of posts as fast as possible, and of posts at a steady pace.
///
/// Call it on the main thread: some mechanisms need it.
struct BurstMeasurement {
    private static let nanosecondsApart: UInt64 = 1_000_000

    /// A till with its observers.
    private struct Crowd {
        let till: any Idiom
        let counts: [PostCount]
        /// Displays and observations, which a till may hold weakly.
        private let kept: [Any]

        init(_ profile: Profile) {
            var counts: [PostCount] = []
            (till, kept) = profile.plain.crowd {
                let count = PostCount()
                counts.append(count)
                return Display { count.note($0) }
            }
            self.counts = counts
        }

        func post(_ number: UInt64) { till.post(Sale(time: Int64(monotonicNanoseconds()), order: number)) }

        /// The posts that each observer has heard when all are done; nil if one is not done in time.
        func heard(of posted: Int) -> [Int]? {
            let isDrained = isIdle(after: .seconds(10))
            let heard = counts.map { Int($0.latency.count) }
            return isDrained || heard.allSatisfy { $0 == posted } ? heard : nil
        }
    }

    /// What was heard under each wiring; none if `goOn` returned false before the end.
    func measure(_ choices: [WiringChoice], while goOn: () -> Bool) -> [WiringChoice: Comparison.Burst] {
        var found: [WiringChoice: Comparison.Burst] = [:]
        for choice in choices {
            guard goOn() else { continue }
            let crowd = Crowd(choice.profile)
            for number in 1...UInt64(Comparison.Burst.postedAtOnce) { crowd.post(number) }
            crowd.till.turn()
            found[choice] = Comparison.Burst(heard: crowd.heard(of: Comparison.Burst.postedAtOnce), paced: nil)
        }
        // All wirings take part at the same time, each with one post a millisecond.
        let crowds = choices.map { ($0, Crowd($0.profile)) }
        var next = monotonicNanoseconds()
        for number in 1...UInt64(Comparison.Burst.postedPaced) {
            guard goOn() else { return [:] }
            for (_, crowd) in crowds { crowd.post(number) }
            // A late post does not shorten the next pause, because that would make a burst.
            next = max(next + Self.nanosecondsApart, monotonicNanoseconds())
            repeat {
                for (_, crowd) in crowds { crowd.till.turn() }
                usleep(50)
            } while monotonicNanoseconds() < next
        }
        for (choice, crowd) in crowds {
            found[choice]?.paced = crowd.heard(of: Comparison.Burst.postedPaced)
            found[choice]?.latency = crowd.counts.last?.latency ?? Histogram()
        }
        return found
    }
}

/// Counts posts on any thread, with the time since each.
private final class PostCount: Sendable {
    private let times = Guarded(Histogram())

    var latency: Histogram { times.withLock { $0 } }

    func note(_ sale: Sale) {
        let time = SimulationTime(nanoseconds: Int64(monotonicNanoseconds()) - sale.time)
        times.withLock { $0.record(time) }
    }
}
