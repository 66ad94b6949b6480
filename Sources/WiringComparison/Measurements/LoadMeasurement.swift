import Dispatch
import JuiceStand
import Platform
import Synchronization

/// Delivery latency while the stand runs in wall-clock time, so fast that orders come at a given rate.
struct LoadMeasurement {
    let settings: StandSettings
    /// Orders a second of stand time.
    let ordersPerSecond: Double
    /// Wall seconds a measurement takes.
    let seconds: Double

    /// - Parameter goOn: Asked a few times a second.
    /// - Returns: Nil if `goOn` returned false.
    func measure(_ choice: WiringChoice, rate: Double, while goOn: () -> Bool) -> Comparison.Load? {
        let speed = rate / ordersPerSecond
        let horizon = SimulationTime(seconds: speed * seconds)
        // The seed determines the number of facts.
        var rehearsal = Stand(settings)
        VirtualDriver(horizon: horizon).run(&rehearsal, DirectWiring())
        let clock = PostClock(facts: Int(rehearsal.factsAnnounced))
        // Not the display: it relies on hearing of the opening first, which a wiring that delivers later does not
        // promise.
        let listeners = (0..<3).map { _ in LatencyListener(clock) }
        let wiring = TimedWiring(choice.makeBareWiring(), clock)
        for listener in listeners { wiring.connect(listener) }
        // On the driver's queue alone, as the wiring itself.
        let turn = Slot<TimedWiring?>(choice.delivery == .nextTurn ? wiring : nil)
        let closed = DispatchSemaphore(value: 0)
        let driver = LiveDriver(
            Stand(settings), wiring, queue: DispatchQueue(label: "stand", qos: .userInteractive), speed: speed,
            horizon: horizon, afterRelease: { turn.value?.settle() })
        driver.start { _ in closed.signal() }
        while closed.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
            guard goOn() else {
                driver.stop()
                closed.wait()
                return nil
            }
        }
        let heard = listeners[2].heard
        let posted = clock.posted.load(ordering: .acquiring)
        return Comparison.Load(
            rate: rate, latency: heard.latency, backlog: heard.backlog, dropped: posted - heard.count, posted: posted)
    }
}

/// When each fact was posted, by its sequence number.
private final class PostClock: Sendable {
    private final class Instant: Sendable {
        let nanoseconds = Atomic<UInt64>(0)
    }

    private let instants: [Instant]
    let posted = Atomic(0)

    init(facts: Int) {
        instants = (0...facts).map { _ in Instant() }
    }

    func post(_ sequence: UInt64) {
        posted.add(1, ordering: .relaxed)
        instants[Int(sequence)].nanoseconds.store(DispatchTime.now().uptimeNanoseconds, ordering: .releasing)
    }

    func nanosecondsSincePost(_ sequence: UInt64) -> UInt64 {
        let now = DispatchTime.now().uptimeNanoseconds
        let then = instants[Int(sequence)].nanoseconds.load(ordering: .acquiring)
        return now > then ? now - then : 0
    }
}

/// Notes the time of every post that the listener hears of.
private final class TimedWiring: Wiring {
    private let base: any Wiring
    private let clock: PostClock

    init(_ base: any Wiring, _ clock: PostClock) {
        self.base = base
        self.clock = clock
    }

    var wanted: FactSet { base.wanted }
    func connect(_ observer: AnyObject) { base.connect(observer) }
    func connect<F: Fact>(_ observer: F.Observer, to type: F.Type) { base.connect(observer, to: type) }
    func disconnect(_ observer: AnyObject) { base.disconnect(observer) }
    func settle() { base.settle() }

    func announce<F: Fact>(_ fact: F) {
        clock.post(fact.stamp.sequence)
        fact.announce(to: base)
    }
}

/// The observer that was connected last: how long after its post each fact came.
private final class LatencyListener: OrderPlacedObserver, OrderStartedObserver, OrderServedObserver, OrderLostObserver,
    StockChangedObserver
{
    struct Heard {
        var latency = Histogram()
        var count = 0
        var backlog = 0
    }

    private let clock: PostClock
    private let state = Guarded(Heard())

    init(_ clock: PostClock) {
        self.clock = clock
    }

    var heard: Heard { state.withLock { $0 } }

    func receive<F: Fact>(_ fact: F) {
        let delay = clock.nanosecondsSincePost(fact.stamp.sequence)
        state.withLock {
            $0.latency.record(SimulationTime(nanoseconds: Int64(delay)))
            $0.count += 1
            $0.backlog = max($0.backlog, clock.posted.load(ordering: .relaxed) - $0.count)
        }
    }
}
