import JuiceStand

/// Measures what one notification costs, under every wiring in turn.
///
/// Times are processor time, so other programs on the machine change them little. Passes take turns, so that a change
/// of the machine's speed affects all wirings alike. Each observer's sum is checked.
struct SpeedMeasurement {
    /// Empty for a wiring that lost or doubled a post.
    struct Figures {
        var rows: [WiringChoice: [Comparison.Speed]] = [:]
        var variants: [WiringChoice: [(name: String, speed: Comparison.Speed)]] = [:]
        /// Nanoseconds of a post with the option that gives a property.
        var prices: [WiringChoice: [Property: Double]] = [:]
    }

    /// The least number of passes.
    var passes: Int
    /// The most. There are no more than needed for settled medians.
    var mostPasses: Int
    var nanosecondsAPass: Double
    private static let precision = 0.02

    /// Measures `choices` with each number of observers, and `closure` in any case: ratios are to it.
    ///
    /// Every pass visits every wiring with every number of observers. If `goOn` ends it early, the figures are those of
    /// the passes so far.
    ///
    /// - Parameters:
    ///   - hasTime: Whether another pass may begin, after the first one.
    ///   - beforePass: Called with the number of every pass but the one that warms up, for measurements that run in
    ///     between.
    func measure(
        _ choices: [WiringChoice], observers: [Int], while goOn: () -> Bool, hasTime: () -> Bool,
        beforePass: (Int) -> Void
    ) -> Figures {
        let all = choices.contains(.closure) ? choices : [.closure] + choices
        var groups = observers.map { count in (count, all.compactMap { Contender.row($0, observers: count) }) }
        // Variants and options have one observer.
        let others = (Contender.variants() + Contender.options()).filter { choices.contains($0.choice) }
        groups.append((1, [Contender.row(.closure, observers: 1)!] + others))
        for contender in groups.flatMap(\.1) {
            // A short pass of a wiring that delivers later mostly shows whether threads happened to be awake.
            contender.calibrate(contender.choice.delivery == .later ? 8 * nanosecondsAPass : nanosecondsAPass)
        }
        var times = groups.map { $0.1.map { _ in [Double]() } }
        passes: for pass in 0...mostPasses {
            if pass > 1, !hasTime() { break }
            if pass > passes, times.joined().allSatisfy({ Spread($0).isSettled(within: Self.precision, $0) }) { break }
            if pass > 0 { beforePass(pass) }
            for group in groups.indices {
                guard goOn() else { break passes }
                let row = groups[group].1
                for turn in row.indices {
                    // Another contender begins each pass, so that none always follows the same one.
                    let index = (turn + pass) % row.count
                    let count = row[index].count / 2
                    let time = (0..<2).map { _ in row[index].pass(count) / Double(count) }.min()!
                    // The first pass warms up.
                    if pass > 0 { times[group][index].append(time) }
                }
            }
        }
        return figures(groups, times)
    }

    private func figures(_ groups: [(Int, [Contender])], _ times: [[[Double]]]) -> Figures {
        var figures = Figures()
        for (group, (count, contenders)) in groups.enumerated() {
            let closure = times[group][contenders.firstIndex { $0.choice == .closure && $0.variant == nil }!]
            for (index, contender) in contenders.enumerated() where contender.isSound && !times[group][index].isEmpty {
                let speed = Comparison.Speed(
                    observers: count, nanoseconds: Spread(times[group][index]),
                    ratioToClosure: Spread(zip(times[group][index], closure).map { $0 / $1 }).median,
                    allocations: contender.blocks())
                for property in contender.properties {
                    figures.prices[contender.choice, default: [:]][property] = speed.nanoseconds.median
                }
                if let variant = contender.variant {
                    figures.variants[contender.choice, default: []].append((variant, speed))
                } else if group < groups.count - 1 {
                    figures.rows[contender.choice, default: []].append(speed)
                }
            }
        }
        return figures
    }
}
