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
        var groups = observers.map { count in
            (count, all.compactMap { MeasuredTill($0.profile, observers: count) })
        }
        // Options have one observer.
        let options = choices.flatMap { choice in choice.profile.options.map { MeasuredTill(choice, $0) } }
        groups.append((1, [MeasuredTill(WiringChoice.closure.profile, observers: 1)!] + options))
        for till in groups.flatMap(\.1) {
            // A short pass of a till whose threads deliver mostly shows whether they happened to be awake.
            till.calibrate(till.isConcurrent ? 8 * nanosecondsAPass : nanosecondsAPass)
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
                    // Another till begins each pass, so that none always follows the same one.
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

    private func figures(_ groups: [(Int, [MeasuredTill])], _ times: [[[Double]]]) -> Figures {
        var figures = Figures()
        for (group, (count, tills)) in groups.enumerated() {
            let closure = times[group][tills.firstIndex { $0.choice == .closure && $0.option == nil }!]
            for (index, till) in tills.enumerated() where till.isSound && !times[group][index].isEmpty {
                let speed = Comparison.Speed(
                    observers: count, times: times[group][index], closure: closure, allocations: till.blocks())
                if let option = till.option {
                    figures.variants[till.choice, default: []].append((option.name, speed))
                } else if group < groups.count - 1 {
                    figures.rows[till.choice, default: []].append(speed)
                }
            }
        }
        return figures
    }
}
