import JuiceStand

/// What `compare` found.
package struct Comparison: Sendable {
    package static let schema = "juicestand.comparison/2"

    package var machine: Machine
    /// In the order of ``WiringChoice``.
    package var wirings: [Wiring]
    /// The stand that was measured.
    package var stand: StandFigures?
    /// Whether it was interrupted, so that figures are missing.
    package var isPartial = false

    package init(machine: Machine, wirings: [Wiring]) {
        self.machine = machine
        self.wirings = wirings
    }

    /// One wiring's figures; those that were not asked for or not reached are empty.
    package struct Wiring: Sendable {
        package var choice: WiringChoice
        package var speed: [Speed] = []
        /// Other plain ways that go by the same name, with one observer.
        package var variants: [(name: String, speed: Speed)] = []
        package var observing: Observing?
        package var stand: Stand?
        package var twoThreads: TwoThreads?
        package var findings: [Property: Finding] = [:]

        package init(_ choice: WiringChoice) {
            self.choice = choice
        }
    }

    /// The cost of one notification.
    package struct Speed: Sendable {
        package var observers: Int
        /// Processor time of all threads.
        package var nanoseconds: Spread
        /// The median over passes of the ratio within a pass.
        package var ratioToClosure: Double
        /// nil if they can't be counted.
        package var allocations: Double?

        package init(observers: Int, nanoseconds: Spread, ratioToClosure: Double, allocations: Double? = nil) {
            self.observers = observers
            self.nanoseconds = nanoseconds
            self.ratioToClosure = ratioToClosure
            self.allocations = allocations
        }
    }

    /// The cost of observing, in processor time of the thread that observes and cancels.
    package struct Observing: Sendable {
        package var nanoseconds: Spread
        package var besideThousand: Spread
        /// nil if the wiring must be used from one thread.
        package var whileAnotherPosts: Spread?
        /// Memory of one observation, without the observer; nil if it can't be counted.
        package var bytes: Double?
        package var allocations: Double?
        /// Memory of an event with its poster, before the first observer.
        package var eventBytes: Double?
    }

    /// The whole stand under a wiring.
    package enum Stand: Sendable {
        case measured(ordersPerSecond: Spread, loads: [Load])
        /// Why it was not measured.
        case refused(why: String)
    }

    /// Delivery under live load, from the post to the entry of the observer that was connected last.
    package struct Load: Sendable {
        /// Orders a wall second, on average.
        package var rate: Double
        package var latency = Histogram()
        /// The most notifications that were posted and not yet heard.
        package var backlog = 0
        /// Posted and never heard.
        package var dropped = 0
        /// 0 if there was no time for this rate.
        package var posted = 0
    }

    package enum TwoThreads: Sendable {
        /// Processor time of a post while another thread posts, over that of a post alone.
        case measured(slowdown: Spread)
        case refused(why: String)
    }

    /// The stand that was measured, in figures that do not depend on the wiring.
    package struct StandFigures: Sendable {
        package var name: String
        package var seed: UInt64
        package var horizon: SimulationTime
        package var orders: Int
        /// Facts with an observer.
        package var facts: Int
        package var observers: Int
    }
}

extension Comparison.Load {
    package init(notReached rate: Double) { self.init(rate: rate) }
}

/// Whether a property holds, and what was seen.
package struct Finding: Equatable, Sendable {
    /// nil if it could not be established, and where the property does not apply.
    package var holds: Bool?
    /// The observation, in one line.
    package var evidence: String
    /// False if the property makes no sense for the wiring.
    package var applies = true
    /// Nanoseconds of a post with the option that gives the property; nil without such an option.
    package var price: Double?

    package init(_ holds: Bool?, _ evidence: String, applies: Bool = true, price: Double? = nil) {
        self.holds = holds
        self.evidence = evidence
        self.applies = applies
        self.price = price
    }
}

/// A median with the smallest and the largest value.
package struct Spread: Equatable, Sendable {
    package var median: Double
    package var min: Double
    package var max: Double

    /// - Precondition: there is at least one value.
    package init(_ values: [Double]) {
        let sorted = values.sorted()
        median = sorted[sorted.count / 2]
        min = sorted[0]
        max = sorted[sorted.count - 1]
    }

    /// Whether the 95% confidence interval of the median, found by ranks, is within `part` of the median on both sides.
    ///
    /// - Parameter values: The values of this spread.
    func isSettled(within part: Double, _ values: [Double]) -> Bool {
        let sorted = values.sorted()
        let reach = Int((0.98 * Double(sorted.count).squareRoot()).rounded(.up))
        let (low, high) = (sorted.count / 2 - reach, sorted.count / 2 + reach)
        return low >= 0 && high < sorted.count && sorted[high] - sorted[low] <= 2 * part * median
    }
}
