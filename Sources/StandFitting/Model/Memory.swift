import Platform

/// How much past days and other weekdays count for the rates of a day.
struct Memory: Equatable, Sendable {
    /// The days after which a day counts half; infinite if all days count alike.
    var halfLife: Double
    /// The weight of the hourly shares of all weekdays beside those of one, in orders.
    var sharedOrders: Double
    /// The weight of the mean of all weekdays beside that of one, in days.
    var sharedDays: Double

    /// For tills that are too short to choose.
    static let standard = Memory(halfLife: .infinity, sharedOrders: 300, sharedDays: 1)

    static let halfLives: [Double] = [.infinity, 180, 90, 60, 40, 28, 20, 14]

    /// In the order of ``halfLives``, so that equal half-lives are neighbours.
    static let choices = halfLives.flatMap { halfLife in
        [30.0, 300, 3000].flatMap { orders in
            [0.5, 4, 32].map { Memory(halfLife: halfLife, sharedOrders: orders, sharedDays: $0) }
        }
    }
}

/// The weighted sums of the days so far, from which the next day's rates follow.
struct RunningWeek {
    let memory: Memory
    private let bins: Int
    /// By weekday, then by bin. Later days weigh more, instead of earlier ones less.
    private var sums: [Double]
    private var binSums: [Double]
    private var totals = [Double](repeating: 0, count: 7)
    private var weights = [Double](repeating: 0, count: 7)
    private var scale = 1.0

    init(bins: Int, memory: Memory) {
        self.bins = bins
        self.memory = memory
        sums = [Double](repeating: 0, count: 7 * bins)
        binSums = [Double](repeating: 0, count: bins)
    }

    /// Whether any day was added.
    var isEmpty: Bool { weights.allSatisfy { $0 == 0 } }

    /// Adds an open day.
    mutating func add(_ counts: ArraySlice<Double>, weekday: Int) {
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
        let (sum, weight) = (totals.reduce(0, +), weights.reduce(0, +))
        guard weight > 0, sum > 0 else { return 0 }
        let mean = sum / weight
        let shared = memory.sharedDays * scale
        return mean * (totals[weekday] / mean + shared) / (weights[weekday] + shared)
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
