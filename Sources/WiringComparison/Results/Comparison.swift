import JuiceStand

/// The result of `compare`.
package struct Comparison: Sendable {
    package static let schema = "juicestand.comparison/2"

    package var machine: Machine
    /// In the order of ``WiringChoice``.
    package var wirings: [Wiring]
    /// The stand that was measured.
    package var stand: StandFigures?
    /// Whether it was interrupted.
    package var isInterrupted = false
    /// The parts for which there was no time, in a few words each.
    package var cutOff: [String] = []

    /// Whether something is missing.
    package var isPartial: Bool { isInterrupted || !cutOff.isEmpty }

    package init(machine: Machine, wirings: [Wiring]) {
        self.machine = machine
        self.wirings = wirings
    }

    /// One wiring's figures; those that were not asked for or not reached are empty.
    package struct Wiring: Sendable {
        package var choice: WiringChoice
        package var speed: [Speed] = []
        /// Options and other forms, with one observer.
        package var variants: [(name: String, speed: Speed)] = []
        package var observing: Observing?
        package var stand: Outcome<StandSpeed>?
        /// Processor time of a post while another thread posts, over that of a post alone.
        package var twoThreads: Outcome<Spread>?
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
        /// The ratio to `closure`, computed within each pass.
        package var ratioToClosure: Spread
        /// Heap blocks of a post; nil if they can't be counted.
        package var allocations: Double?

        /// - Parameters:
        ///   - times: Nanoseconds of each pass.
        ///   - closure: The nanoseconds of `closure` in the same passes.
        package init(observers: Int, times: [Double], closure: [Double], allocations: Double? = nil) {
            self.observers = observers
            nanoseconds = Spread(times)
            ratioToClosure = Spread(zip(times, closure).map { $0 / $1 })
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

    /// What was measured, or why nothing was.
    package enum Outcome<Figures: Sendable>: Sendable {
        case measured(Figures)
        case refused(why: String)
    }

    /// How fast the whole stand runs, against `closure`.
    package struct StandSpeed: Sendable {
        package var ordersPerSecond: Spread
        package var ratioToClosure: Spread
        /// The part of the time that goes into building, delivering and handling facts.
        package var deliveryShare: Double
    }

    /// The number of posts that each observer heard of those in a burst, and of those at a steady pace.
    package struct Burst: Sendable {
        static let postedAtOnce = 20_000
        static let postedPaced = 1000

        /// Why there is no ``heard`` or ``paced``: what comes late on a busy machine is not lost.
        static let notDrained = "observers were still busy with the posts 10 s later"

        /// The number heard of posts as fast as possible; nil if observers did not finish in time.
        package var heard: [Int]?
        /// The number heard of posts at a pace of one a millisecond; nil as for ``heard``.
        package var paced: [Int]?
        /// The time from a paced post to the entry of the observer that was connected last.
        package var latency = Histogram()

        package init(heard: [Int]?, paced: [Int]?) {
            self.heard = heard
            self.paced = paced
        }
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

/// A median with its confidence interval, and the smallest and the largest value.
package struct Spread: Equatable, Sendable {
    package var median: Double
    package var min: Double
    package var max: Double
    /// The 95% confidence interval of the median, found by ranks; nil for too few values.
    package var interval: ClosedRange<Double>?

    /// - Precondition: there is at least one value.
    package init(_ values: [Double]) {
        let sorted = values.sorted()
        median = sorted[sorted.count / 2]
        min = sorted[0]
        max = sorted[sorted.count - 1]
        let reach = Int((0.98 * Double(sorted.count).squareRoot()).rounded(.up))
        let low = sorted.count / 2 - reach
        let high = sorted.count / 2 + reach
        interval = low >= 0 && high < sorted.count ? sorted[low]...sorted[high] : nil
    }

    /// Whether ``interval`` is within `part` of the median on both sides; false for too few values.
    func isSettled(within part: Double) -> Bool {
        interval.map { $0.upperBound - $0.lowerBound <= 2 * part * median } ?? false
    }
}

extension Comparison {
    /// The costs whose order is not known, by the number of observers: pairs whose intervals of the ratio overlap.
    package func overlaps(_ observers: Int) -> [(WiringChoice, WiringChoice)] {
        let known = wirings.compactMap { wiring in
            wiring.speed.first { $0.observers == observers }.flatMap { speed in
                speed.ratioToClosure.interval.map {
                    (choice: wiring.choice, interval: $0, ratio: speed.ratioToClosure.median)
                }
            }
        }.sorted { $0.ratio < $1.ratio }
        return zip(known, known.dropFirst()).filter { $0.interval.overlaps($1.interval) }.map { ($0.choice, $1.choice) }
    }

    /// The cells without a verdict: the property, and the wirings.
    package var unknown: [(property: Property, wirings: [WiringChoice])] {
        rows.compactMap { row in
            let choices = wirings.filter { $0.findings[row]?.isUnknown == true }.map(\.choice)
            return choices.isEmpty ? nil : (row, choices)
        }
    }
}
