import JuiceStand

/// What `compare` found.
package struct Comparison: Sendable {
    package static let schema = "juicestand.comparison/2"

    package var machine: Machine
    /// In the order of ``WiringChoice``.
    package var wirings: [Wiring]
    /// The stand that was measured.
    package var stand: StandFigures?
    /// Whether it was interrupted.
    package var isInterrupted = false
    /// What there was no time for, in a few words each.
    package var cutOff: [String] = []

    /// Whether figures are missing.
    package var isPartial: Bool { isInterrupted || !cutOff.isEmpty }

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
        package var burst: Burst?
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
        case measured(StandSpeed)
        /// Why it was not measured.
        case refused(why: String)
    }

    /// How fast the whole stand runs, against `closure`.
    package struct StandSpeed: Sendable {
        package var ordersPerSecond: Spread
        package var ratioToClosure: Double
        /// The 95% confidence interval of the ratio; nil if there were too few passes.
        package var interval: ClosedRange<Double>?
        /// The part of the time that goes into building, delivering and handling facts.
        package var deliveryShare: Double
    }

    /// What each observer heard.
    package struct Burst: Sendable {
        static let postedAtOnce = 20_000
        static let postedPaced = 1000

        /// Why there is no ``heard`` or ``paced``: what comes late on a busy machine is not lost.
        static let notDrained = "observers were still busy with the posts 10 s later"

        /// Of posts as fast as possible; nil if observers did not come to an end with them.
        package var heard: [Int]?
        /// Of posts at a pace of one a millisecond; nil as for ``heard``.
        package var paced: [Int]?
        /// From a paced post to the entry of the observer that was connected last.
        package var latency = Histogram()

        package init(heard: [Int]?, paced: [Int]?) {
            self.heard = heard
            self.paced = paced
        }
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
    /// The version of Swift whose compiler said so; nil if it was established now.
    package var recorded: String?
    /// What happened in the probe; nil for most rows.
    package var trace: CallTrace?

    package init(
        _ holds: Bool?, _ evidence: String, applies: Bool = true, price: Double? = nil, recorded: String? = nil
    ) {
        self.holds = holds
        self.evidence = evidence
        self.applies = applies
        self.price = price
        self.recorded = recorded
    }

    /// The evidence, with the version of Swift if it is recorded.
    package var datedEvidence: String { recorded.map { "\(evidence) (\($0))" } ?? evidence }
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

    /// The 95% confidence interval of the median, found by ranks; nil for too few values.
    static func interval(_ values: [Double]) -> ClosedRange<Double>? {
        let sorted = values.sorted()
        let reach = Int((0.98 * Double(sorted.count).squareRoot()).rounded(.up))
        let (low, high) = (sorted.count / 2 - reach, sorted.count / 2 + reach)
        return low >= 0 && high < sorted.count ? sorted[low]...sorted[high] : nil
    }

    /// Whether ``interval(_:)`` is within `part` of the median on both sides.
    ///
    /// - Parameter values: The values of this spread.
    func isSettled(within part: Double, _ values: [Double]) -> Bool {
        Self.interval(values).map { $0.upperBound - $0.lowerBound <= 2 * part * median } ?? false
    }
}
