import JuiceStand
import Platform

/// The effect of an order on the time after it.
///
/// A till takes one order at a time, so it may have fewer short gaps than independent customers would leave. People who
/// come one after another cause more of them. The spacing and the followers are those of ``Arrivals/Week``.
///
/// A spacing alone has an interval. Followers have none: a larger share with longer delays gives nearly the same gaps,
/// a spacing makes up for followers, and the estimated rates absorb a part of them.
package struct ShortGaps: Sendable {
    /// The seconds after an order in which no other comes.
    package var spacing = 0.0
    /// The probability that an order is followed by another.
    package var share = 0.0
    /// The time between an order and its follower.
    package var delay = Delay(isGamma: true, mean: 60, variation: 1)
    /// The 95% interval of ``spacing``; nil without a spacing, or with followers.
    private(set) var interval: ClosedRange<Double>?

    package init() {}

    /// A law of the delay of followers.
    package struct Delay: Equatable, Sendable {
        /// Gamma or lognormal.
        var isGamma: Bool
        /// The mean delay in seconds.
        var mean: Double
        /// The deviation divided by the mean.
        var variation: Double

        package init(isGamma: Bool, mean: Double, variation: Double) {
            self.isGamma = isGamma
            self.mean = mean
            self.variation = variation
        }

        var law: Distribution {
            isGamma
                ? .gamma(shape: 1 / (variation * variation), mean: mean)
                : .lognormal(mean: mean, deviation: variation * mean)
        }

        /// The probability of a shorter delay.
        func callAsFunction(below seconds: Double) -> Double {
            guard seconds > 0 else { return 0 }
            let squared = variation * variation
            if isGamma { return GammaFunction.lower(1 / squared, seconds / mean / squared) }
            let variance = log1p(squared)
            return 1 - Normal.tail((log(seconds / mean) + variance / 2) / variance.squareRoot())
        }
    }

    /// The base rate that gives a mean rate, both in orders per second. It holds outside the spacing, for all orders
    /// but followers.
    func outside(_ perSecond: Double) -> Double {
        // Without a lower bound, a rate near 1 / spacing would give an infinite base rate.
        perSecond * (1 - share) / max(0.05, 1 - perSecond * spacing)
    }

    /// The index of dispersion of the number of orders at a constant rate: variance divided by mean.
    func dispersion(_ rates: WeekRates) -> Double {
        var orders = 0.0
        var sum = 0.0
        for weekday in 0..<7 {
            let width = 86_400 / Double(rates.shares[weekday].count)
            for share in rates.shares[weekday] {
                let count = rates.days[weekday] * share * rates.totals[weekday]
                orders += count
                sum += count * pow(1 - min(0.95, share * rates.totals[weekday] / width * spacing), 2)
            }
        }
        // Followers make groups whose size is geometric.
        return orders > 0 ? sum / orders * (1 + share) / (1 - share) : 1
    }
}

// MARK: - Fitting

extension ShortGaps {
    private static let fewestGaps = 100.0
    /// An effect counts if the p-value of its likelihood ratio is below this.
    private static let leastChance = 0.01
    private static let longestSpacing = 59.0
    private static let means = 1.0...300.0
    private static let variations = 0.05...2.0
    private static let mostFollowers = 0.95

    /// The spacing, the followers or both that make the gaps most likely, if they do so by more than chance.
    init(_ gaps: GapCounts) {
        self.init()
        guard gaps.total >= Self.fewestGaps else { return }
        let none = gaps.logLikelihood(self)
        var spaced = self
        spaced.fitSpacing(gaps)
        var followed = self
        followed.fitFollowers(gaps)
        let ofSpaced = gaps.logLikelihood(spaced)
        let ofFollowed = gaps.logLikelihood(followed)
        let isSpaced = Self.isBetter(ofSpaced, than: none, parameters: 1)
        let isFollowed = Self.isBetter(ofFollowed, than: none, parameters: 3)
        guard isSpaced || isFollowed else { return }
        self = isFollowed && (!isSpaced || ofFollowed - 3 > ofSpaced - 1) ? followed : spaced
        if isFollowed {
            // A till that blocks delays followers, too.
            var both = followed
            // A longer spacing and more followers make up for each other, so it takes some rounds.
            var before = -Double.infinity
            var value = ofFollowed
            for _ in 0..<20 where value > before + 0.1 {
                both.fitSpacing(gaps)
                both.fitFollowers(gaps)
                before = value
                value = gaps.logLikelihood(both)
            }
            let more = share > 0 ? 1.0 : 3
            if Self.isBetter(value, than: max(ofSpaced, ofFollowed), parameters: more) { self = both }
        }
        if share == 0 { interval = intervalOfSpacing(gaps) }
    }

    /// The same effect with the spacing fitted to other gaps. With followers, it stays as it is.
    func refitted(_ gaps: GapCounts) -> ShortGaps {
        var fitted = self
        if spacing > 0, share == 0 { fitted.fitSpacing(gaps, steps: 14) }
        return fitted
    }

    private static func isBetter(_ logLikelihood: Double, than other: Double, parameters: Double) -> Bool {
        let gain = logLikelihood - other
        return gain > 0 && Normal.chiSquareTail(2 * gain, degrees: parameters) < leastChance
    }

    /// Fits the spacing by golden-section search.
    private mutating func fitSpacing(_ gaps: GapCounts, steps: Int = 24) {
        // Followers make up for a spacing that is too short, so the search begins at the shortest gap.
        let least = share > 0 ? min(gaps.shortest, Self.longestSpacing) : 0
        var candidate = self
        spacing = goldenMaximum(least...Self.longestSpacing, steps: steps) {
            candidate.spacing = $0
            return gaps.logLikelihood(candidate)
        }
    }

    /// Fits the share and the law of the delay together, from several starts.
    private mutating func fitFollowers(_ gaps: GapCounts) {
        var best = (self, -Double.infinity)
        let starts =
            share > 0
            ? [delay]
            : [true, false].flatMap { isGamma in
                [40.0, 120].map { Delay(isGamma: isGamma, mean: $0, variation: 0.5) }
            }
        for start in starts {
            var candidate = self
            candidate.delay = start
            if candidate.share == 0 { candidate.share = 0.1 }
            candidate.climb(gaps)
            let value = gaps.logLikelihood(candidate)
            if value > best.1 { best = (candidate, value) }
        }
        self = best.0
    }

    /// Climbs to a maximum of the likelihood by searches along each parameter of followers, with shrinking steps.
    private mutating func climb(_ gaps: GapCounts) {
        var best = gaps.logLikelihood(self)
        func moved(_ parameter: Int, _ step: Double) -> ShortGaps {
            var other = self
            switch parameter {
            case 0: other.delay.mean = Self.clamped(delay.mean * exp(step), Self.means)
            case 1: other.delay.variation = Self.clamped(delay.variation * exp(step), Self.variations)
            default: other.share = Self.clamped(share * exp(step), 1e-4...Self.mostFollowers)
            }
            return other
        }
        var steps = [0.4, 0.4, 0.4]
        for _ in 0..<40 where steps.contains(where: { $0 > 0.004 }) {
            for parameter in steps.indices {
                let tried = [moved(parameter, steps[parameter]), moved(parameter, -steps[parameter])]
                let values = tried.map(gaps.logLikelihood)
                let index = values[0] >= values[1] ? 0 : 1
                if values[index] > best {
                    self = tried[index]
                    best = values[index]
                    steps[parameter] *= 1.5
                } else {
                    steps[parameter] *= 0.4
                }
            }
        }
    }

    private static func clamped(_ value: Double, _ range: ClosedRange<Double>) -> Double {
        min(max(value, range.lowerBound), range.upperBound)
    }

    /// The 95% interval of the spacing, by likelihood ratio.
    private func intervalOfSpacing(_ gaps: GapCounts) -> ClosedRange<Double> {
        let top = gaps.logLikelihood(self)
        func end(toward limit: Double) -> Double {
            var inside = self
            var outside = self
            outside.spacing = limit
            func isNear(_ other: ShortGaps) -> Bool {
                top - gaps.logLikelihood(other) < Normal.halfOfChiSquare
            }
            guard !isNear(outside) else { return limit }
            for _ in 0..<12 {
                var middle = self
                middle.spacing = (inside.spacing + outside.spacing) / 2
                if isNear(middle) { inside = middle } else { outside = middle }
            }
            return inside.spacing
        }
        return end(toward: 0)...end(toward: Self.longestSpacing)
    }
}
