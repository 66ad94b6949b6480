import JuiceStand
import TextFormats

/// Samples a stand and keeps the data of the plots.
///
/// Memory is bounded: a run of any length keeps about ``mostLevels`` levels of each fruit.
struct ChartSampler {
    private static let mostLevels = 600
    /// Short enough to distinguish the hours of the day.
    private static let longestInterval = SimulationTime(seconds: 300)

    let interval: SimulationTime
    private let fruits: [Fruit]
    private let settings: StandSettings
    /// Nanoseconds from midnight to the opening.
    private let openedAt: Int64
    private var looks = 0
    /// Levels are kept at every `stride`-th sample.
    private var stride = 1
    private var levels: [[Int]]
    private var areas = Array(repeating: 0.0, count: 24)
    private var seconds = Array(repeating: 0.0, count: 24)
    private var last: (time: SimulationTime, area: Double)

    /// - Parameters:
    ///   - stand: The stand at the start of the run.
    ///   - length: The expected length of the run. A run that ends by itself may be longer.
    init(_ stand: Stand, length: SimulationTime) {
        settings = stand.settings
        last = (stand.now, 0)
        interval = max(
            SimulationTime(nanoseconds: 1),
            min(Self.longestInterval, SimulationTime(nanoseconds: length.nanoseconds / Int64(Self.mostLevels))))
        fruits = stand.settings.menu.allFruits.filter { stand.maker.stock(of: $0) != nil }
        levels = fruits.map { [stand.maker.stock(of: $0) ?? 0] }
        openedAt = CalendarTime(settings.opens)?.nanosecondsOfDay ?? 0
    }

    mutating func look(_ stand: Stand, at time: SimulationTime) {
        looks += 1
        if looks % stride == 0 { keepLevels(stand) }
        measureLine(stand, to: time)
    }

    private mutating func keepLevels(_ stand: Stand) {
        for (index, fruit) in fruits.enumerated() { levels[index].append(stand.maker.stock(of: fruit) ?? 0) }
        guard let kept = levels.first?.count, kept > 2 * Self.mostLevels else { return }
        stride *= 2
        for index in levels.indices { levels[index] = Swift.stride(from: 0, to: kept, by: 2).map { levels[index][$0] } }
    }

    /// Adds the queue length since the last sample to the hour in which the middle of that interval lies.
    private mutating func measureLine(_ stand: Stand, to time: SimulationTime) {
        let tally = stand.tally
        if tally.start > last.time { last = (tally.start, 0) }
        guard time > last.time else { return }
        let area = tally.queue.integral(to: time)
        let middle = last.time.nanoseconds + (time - last.time).nanoseconds / 2
        let hour = Int((openedAt + middle) / 3_600_000_000_000 % 24)
        areas[hour] += area - last.area
        seconds[hour] += (time - last.time).seconds
        last = (time, area)
    }

    /// - Parameter number: The replication. Only the first one keeps levels.
    func charts(of stand: Stand, number: Int) -> ReplicationCharts {
        var whole = self
        whole.measureLine(stand, to: stand.now)
        var charts = ReplicationCharts()
        charts.waits = SpanDistribution(stand.tally.waits)
        charts.lineByHour = zip(whole.areas, whole.seconds).map { $1 > 0 ? $0 / $1 : nil }
        guard number == 0 else { return charts }
        charts.levels = LevelSeries(
            step: SimulationTime(nanoseconds: interval.nanoseconds * Int64(stride)),
            fruits: zip(fruits, levels).map { fruit, levels in
                LevelSeries.Fruit(
                    name: settings.menu.name(of: fruit),
                    reorderPoint: settings.shelves[fruit.index].restock.reorderPoint, levels: levels)
            })
        return charts
    }
}
