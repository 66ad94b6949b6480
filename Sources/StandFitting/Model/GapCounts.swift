import Platform
import TextFormats

/// The gaps after the orders of some days, as the till's clock shows them, and their likelihood.
///
/// Given the number of a day's orders, the rate of the others is known. So a level of the day makes no difference.
package struct GapCounts {
    /// The ends of the cells in which gaps are counted, in seconds.
    private let ends: [Double]
    /// The resolution of the till's clock, in seconds.
    private let resolution: Double
    /// Classes of orders with nearly the same rate around them. The first class has rates below one order in three
    /// hours.
    ///
    /// In wider classes a mean rate would predict fewer short gaps than the rates themselves, and the spacing would
    /// come out too short.
    private var classes = [Class](repeating: Class(), count: 15 * Self.classesPerDoubling + 1)
    private static let classesPerDoubling = 4
    /// The number of gaps, including those that the closing cuts short.
    private(set) var total = 0.0
    /// The least time between two orders, as far as the clock shows it, in seconds; infinite without a gap.
    private(set) var shortest = Double.infinity

    private struct Class {
        var orders = 0.0
        /// The sum of the rates.
        var rates = 0.0
        /// The number of gaps in each cell; the last cell has all longer gaps.
        var counts: [Double] = []
        /// The number of orders that are the last before closing, by the cell of the time left until then.
        var unended: [Double] = []
    }

    /// - Parameter resolution: The resolution of the till's clock, in nanoseconds.
    package init(resolution: Int64) {
        let clock = Double(max(resolution, DurationText.second)) / Double(DurationText.second)
        self.resolution = clock
        // Whole minutes: a real till is never blocked for exactly the same time, so shorter cells would fit the spacing
        // to the few shortest gaps, and not to their share.
        let width = (60 / clock).rounded(.up) * clock
        ends = (1...10).map { Double($0) * width }
        for index in classes.indices {
            classes[index].counts = [Double](repeating: 0, count: ends.count + 1)
            classes[index].unended = classes[index].counts
        }
    }

    /// Adds the orders of an open day.
    ///
    /// - Parameters:
    ///   - times: Seconds from midnight, sorted. Those in closed bins are passed over.
    ///   - shares: The share of each bin of the day in its orders.
    package mutating func add(_ times: [Double], _ shares: [Double]) {
        let width = 86_400 / Double(shares.count)
        let open = times.filter { shares[min(Int($0 / width), shares.count - 1)] > 0 }
        var closing = 0.0
        for (index, exact) in open.enumerated() {
            let time = (exact / resolution).rounded(.down) * resolution
            var bin = Int(exact / width)
            let rate = Double(open.count - 1) * shares[bin] / width
            guard rate > 0 else { return }
            if exact >= closing {
                while bin < shares.count, shares[bin] > 0 { bin += 1 }
                closing = Double(bin) * width
            }
            let doublings = log2(rate * 10_800) * Double(Self.classesPerDoubling)
            let place = min(max(Int(doublings.rounded(.down)) + 1, 0), classes.count - 1)
            classes[place].orders += 1
            classes[place].rates += rate
            total += 1
            let next = index + 1 < open.count ? open[index + 1] : .infinity
            if next < closing {
                let gap = (next / resolution).rounded(.down) * resolution - time
                shortest = min(shortest, max(0, gap - resolution))
                classes[place].counts[ends.firstIndex { gap < $0 } ?? ends.count] += 1
            } else {
                let left = closing - time
                classes[place].unended[ends.firstIndex { left < $0 } ?? ends.count] += 1
            }
        }
    }

    /// The logarithm of the probability of these gaps.
    ///
    /// No other order comes within g of one with the probability (1 − p F(g)) exp(−m g − r p ∫(1 − F)): neither its own
    /// follower, nor an order at the base rate m, nor a follower of an earlier one; r is the mean rate, and p the share
    /// of followers, with the law F of their delay. On the clock, g is uniform over a span of its resolution.
    package func logLikelihood(_ gaps: ShortGaps) -> Double {
        let points = resolution < 5 ? 1 : 12
        var delays: [(time: Double, below: Double, missing: Double)] = []
        var last = 0.0
        var missing = 0.0
        for end in ends {
            for point in 0..<points {
                let time = end - resolution + (Double(point) + 0.5) * resolution / Double(points)
                let below = gaps.share > 0 ? gaps.delay(below: time) : 0
                let middle = gaps.share > 0 ? gaps.delay(below: (last + time) / 2) : 0
                // Simpson's rule.
                missing += (time - last) * (1 - ((delays.last?.below ?? 0) + 4 * middle + below) / 6)
                delays.append((time, below, missing))
                last = time
            }
        }
        var sum = 0.0
        for part in classes where part.orders > 0 {
            let rate = part.rates / part.orders
            let base = gaps.outside(rate)
            let others = rate * gaps.share
            var before = 1.0
            var place = 0
            for cell in 0...ends.count {
                var reached = 0.0
                if cell < ends.count {
                    for _ in 0..<points {
                        let (time, below, missing) = delays[place]
                        place += 1
                        let chance =
                            time < gaps.spacing
                            ? 1 : (1 - gaps.share * below) * exp(-base * (time - gaps.spacing) - others * missing)
                        reached += chance / Double(points)
                    }
                }
                if part.counts[cell] > 0 { sum += part.counts[cell] * log(max(before - reached, 1e-12)) }
                if part.unended[cell] > 0 { sum += part.unended[cell] * log(before) }
                before = reached
            }
        }
        return sum
    }
}
