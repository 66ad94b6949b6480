import Platform

/// How much past days and other weekdays count for the rates of a day.
struct Memory: Equatable, Sendable {
    /// The days after which a day counts half; infinite if all days count alike.
    var halfLife: Double
    /// The weight of the hourly shares of all weekdays beside those of one, in orders.
    var sharedOrders: Double
    /// The weight of the mean of all weekdays beside that of one, in days.
    var sharedDays: Double
    /// The days after which a day counts half for the level that multiplies all rates; infinite for no such level.
    var levelHalfLife = Double.infinity

    /// For tills that are too short to choose.
    static let standard = Memory(halfLife: .infinity, sharedOrders: 300, sharedDays: 1)

    static let halfLives: [Double] = [.infinity, 180, 90, 60, 40, 28, 20, 14]

    /// In the order of ``halfLives``, so that equal half-lives are neighbours.
    static let choices = halfLives.flatMap { halfLife in
        [30.0, 300, 3000].flatMap { orders in
            [0.5, 4, 32].map { Memory(halfLife: halfLife, sharedOrders: orders, sharedDays: $0) }
        }
    }

    /// Models of the days to come, as hold-outs compare them.
    enum Model: String, CaseIterable {
        /// Rates by weekday and hour, with one half-life for everything.
        case weekdays
        /// An exponentially weighted level × weekday × hour: the level follows the last days or weeks.
        case level

        var choices: [Memory] {
            guard self == .level else { return Memory.choices }
            return [5.0, 10, 20].flatMap { halfLife in
                Memory.choices.filter { [.infinity, 90].contains($0.halfLife) && $0.sharedDays < 32 }.map {
                    var memory = $0
                    memory.levelHalfLife = halfLife
                    return memory
                }
            }
        }
    }
}

/// The weighted sums of the days so far, from which the next day's rates follow.
struct RunningWeek {
    let memory: Memory
    private let bins: Int
    /// The weighted orders, by weekday, then by bin. Later days weigh more, instead of earlier ones less.
    private var sums: [Double]
    private var binSums: [Double]
    private var totals = [Double](repeating: 0, count: 7)
    private(set) var weights = [Double](repeating: 0, count: 7)
    private var scale = 1.0
    /// The weighted sums of the recent orders, and of those expected from the rates without a level.
    private var recent = (orders: 0.0, expected: 0.0)
    /// The weight of a level of 1, in days.
    private static let levelDays = 1.0

    init(bins: Int, memory: Memory) {
        self.bins = bins
        self.memory = memory
        sums = [Double](repeating: 0, count: 7 * bins)
        binSums = [Double](repeating: 0, count: bins)
    }

    /// Whether no day was added yet.
    var isEmpty: Bool { weights.allSatisfy { $0 == 0 } }

    /// Adds an open day.
    mutating func add(_ counts: ArraySlice<Double>, weekday: Int) {
        if memory.levelHalfLife.isFinite, !isEmpty {
            recent.orders += counts.reduce(0, +)
            recent.expected += base(weekday)
        }
        weights[weekday] += scale
        for bin in 0..<bins {
            let count = counts[counts.startIndex + bin]
            guard count > 0 else { continue }
            sums[weekday * bins + bin] += scale * count
            binSums[bin] += scale * count
            totals[weekday] += scale * count
        }
    }

    /// Goes on to the next day.
    mutating func endDay() {
        let keep = exp2(-1 / memory.levelHalfLife)
        recent = (recent.orders * keep, recent.expected * keep)
        guard memory.halfLife.isFinite else { return }
        scale *= exp2(1 / memory.halfLife)
        guard scale > 1e100 else { return }
        // Keeps the numbers of very long tills finite.
        for index in sums.indices { sums[index] /= scale }
        for index in binSums.indices { binSums[index] /= scale }
        for index in totals.indices {
            totals[index] /= scale
            weights[index] /= scale
        }
        scale = 1
    }

    /// The mean count of an open day of that weekday.
    func total(_ weekday: Int) -> Double {
        let base = base(weekday)
        guard memory.levelHalfLife.isFinite, base > 0 else { return base }
        let shared = Self.levelDays * totals.reduce(0, +) / weights.reduce(0, +)
        return base * (recent.orders + shared) / (recent.expected + shared)
    }

    /// The mean count without a level.
    private func base(_ weekday: Int) -> Double {
        let sum = totals.reduce(0, +)
        let weight = weights.reduce(0, +)
        guard weight > 0, sum > 0 else { return 0 }
        let mean = sum / weight
        let shared = memory.sharedDays * scale
        return mean * (totals[weekday] / mean + shared) / (weights[weekday] + shared)
    }

    /// How much ``total(_:)`` grows with the count of one of its days, if all days weigh the same.
    func leverage(_ weekday: Int) -> Double {
        (1 + memory.sharedDays / weights.reduce(0, +)) / (weights[weekday] + memory.sharedDays)
    }

    /// The share of each bin in the orders of that weekday. The shares sum to 1.
    ///
    /// - Parameter spread: Orders that are spread over all bins, so that no share is 0.
    func shares(_ weekday: Int, spread: Double, into shares: inout [Double]) {
        let all = totals.reduce(0, +) + spread * scale
        let shared = memory.sharedOrders * scale
        let whole = totals[weekday] + shared
        for bin in 0..<bins {
            let common = (binSums[bin] + spread * scale / Double(bins)) / all
            shares[bin] = (sums[weekday * bins + bin] + shared * common) / whole
        }
    }
}
