import JuiceStand

/// What `compare` found: contract, section 7.
package struct Comparison: Sendable {
    package static let schema = "juicestand.comparison/1"

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

    /// One wiring's figures; what was not asked for or not reached is empty.
    package struct Wiring: Sendable {
        package var choice: WiringChoice
        package var speed: [Speed] = []
        package var observing: Observing?
        package var stand: Stand?
        package var twoThreads: TwoThreads?
        /// What one more observer, and what one more fact takes; empty where there is no worked example.
        package var efforts: [WorkedExample.Addition: Effort] = [:]
        package var properties: [(property: Property, finding: Finding)] = []

        package init(_ choice: WiringChoice) {
            self.choice = choice
        }
    }

    /// The cost of one notification.
    package struct Speed: Sendable {
        package var observers: Int
        package var nanoseconds: Spread
        /// The median over passes of the ratio within a pass.
        package var ratioToDirect: Double
        /// nil where they can't be counted.
        package var allocations: Double?

        package init(observers: Int, nanoseconds: Spread, ratioToDirect: Double, allocations: Double?) {
            self.observers = observers
            self.nanoseconds = nanoseconds
            self.ratioToDirect = ratioToDirect
            self.allocations = allocations
        }
    }

    /// The cost of observing and cancelling again, and what an observation takes while it lasts.
    package struct Observing: Sendable {
        package var nanoseconds: Spread
        /// Of memory, the observer itself not included; nil where it can't be counted.
        package var bytes: Double?
        package var allocations: Double?
    }

    /// The whole stand under a wiring.
    package enum Stand: Sendable {
        case measured(ordersPerSecond: Spread, loads: [Load])
        /// Why it could not be.
        case refused(why: String)
    }

    /// Delivery under live load, from the post to the entry of the observer that was connected last.
    package struct Load: Sendable {
        /// Orders a wall second, on average.
        package var rate: Double
        package var latency: Histogram
        /// The most notifications that were posted and not heard yet.
        package var backlog: Int
        /// Posted and never heard.
        package var dropped: Int
        package var posted: Int
    }

    package enum TwoThreads: Sendable {
        /// What a post takes while another thread posts too ÷ what it takes alone.
        case measured(slowdown: Spread)
        case refused(why: String)
    }

    /// The stand that was measured, in figures that do not depend on the wiring.
    package struct StandFigures: Sendable {
        package var name: String
        package var seed: UInt64
        package var horizon: SimulationTime
        package var orders: Int
        /// Facts that somebody heard.
        package var facts: Int
        package var observers: Int
    }
}

/// The outcome of a probe.
package struct Finding: Equatable, Sendable {
    /// nil where it could not be established.
    package var holds: Bool?
    /// What the probe saw, in one line.
    package var evidence: String

    package init(holds: Bool?, evidence: String) {
        self.holds = holds
        self.evidence = evidence
    }
}

/// A median with the smallest and the largest.
package struct Spread: Equatable, Sendable {
    package var median: Double
    package var min: Double
    package var max: Double

    /// - Precondition: there is at least one.
    package init(_ values: [Double]) {
        let sorted = values.sorted()
        median = sorted[sorted.count / 2]
        min = sorted[0]
        max = sorted[sorted.count - 1]
    }

    /// Whether the median of what these are drawn from lies, with 95% confidence, within a part of it to both sides: by the
    /// ranks between which a median falls that often.
    ///
    /// - Parameter values: What the spread was made of.
    func isSettled(within part: Double, _ values: [Double]) -> Bool {
        let sorted = values.sorted()
        let reach = Int((0.98 * Double(sorted.count).squareRoot()).rounded(.up))
        let (low, high) = (sorted.count / 2 - reach, sorted.count / 2 + reach)
        return low >= 0 && high < sorted.count && sorted[high] - sorted[low] <= 2 * part * median
    }
}
