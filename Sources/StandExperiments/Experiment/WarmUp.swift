import JuiceStand

/// The beginning of each replication that the figures leave out.
package enum WarmUp: Equatable, Sendable {
    /// A given span of stand time.
    case fixed(SimulationTime)
    /// The span that MSER-5 finds.
    case automatic
}

/// Finds the end of the warm-up by ``MSER5``.
///
/// The series are the customers present and the pieces on hand, averaged over slices of stand time and over several
/// replications. Source: Hoad, Robinson and Davies, "Automating warm-up length estimation", Journal of the Operational
/// Research Society 61 (2010), for rejecting a cut beyond one half.
package struct WarmUpSearch {
    /// The most replications that the search runs.
    static let mostReplications = 5
    private static let slices: Int64 = 2000

    let interval: SimulationTime
    private var last = (time: SimulationTime.zero, present: 0.0)
    private var index = 0
    private var present: [Double] = []
    private var pieces: [Double] = []

    init(horizon: SimulationTime) {
        interval = SimulationTime(nanoseconds: max(1, horizon.nanoseconds / Self.slices))
    }

    /// Prepares for the samples of another replication.
    mutating func beginReplication() {
        index = 0
        last = (.zero, 0)
    }

    /// Takes the sample at the horizon, which the driver leaves out, so that the last batch is whole.
    ///
    /// - Parameter length: From the start of the replication to the horizon.
    mutating func endReplication(_ stand: Stand, at horizon: SimulationTime, length: SimulationTime) {
        if stand.now <= horizon, interval.nanoseconds * Int64(index + 1) == length.nanoseconds {
            look(stand, at: horizon)
        }
    }

    mutating func look(_ stand: Stand, at time: SimulationTime) {
        let area = stand.tally.present.integral(to: time)
        let level = stand.settings.menu.allFruits.reduce(0) { $0 + (stand.maker.stock(of: $1) ?? 0) }
        if index == present.count {
            present.append(0)
            pieces.append(0)
        }
        present[index] += area - last.present
        pieces[index] += Double(level)
        index += 1
        last = (time, area)
    }

    /// The length of the warm-up; nil if it is more than half of the run.
    var end: SimulationTime? {
        var longest = 0
        for series in [present, pieces] {
            guard let batches = MSER5.truncation(ofBatches: MSER5.batches(series)) else { return nil }
            longest = max(longest, batches)
        }
        return SimulationTime(nanoseconds: interval.nanoseconds * Int64(longest * MSER5.batch))
    }
}
