import JuiceStand

/// Measures what one notification costs, under every wiring in turn.
///
/// Times are processor time, so other programs on the machine change them little. Passes take turns, so that a change
/// of the machine's speed affects all wirings alike. Each observer's sum is checked.
struct SpeedMeasurement {
    /// The least number of passes.
    var passes: Int
    /// The greatest number of passes. Fewer are made if the medians settle before.
    var mostPasses: Int
    var nanosecondsAPass: Double
    /// The half-width of the interval, as a share of the median, at which a median counts as settled.
    private static let precision = 0.02

    /// Tills with the same number of observers, and nanoseconds of a post in each pass. The first till is `closure`.
    private struct Group {
        let tills: [MeasuredTill]
        var times: [[Double]]

        /// Leaves out forms that can't have that number of observers.
        init(_ forms: [(choice: WiringChoice, form: Form)], observers: Int) {
            tills = forms.compactMap { MeasuredTill($0.choice, $0.form, observers: observers) }
            times = tills.map { _ in [] }
        }
    }

    /// Measures `choices` with each number of observers, and their options with one. Ratios are to `closure`.
    ///
    /// Every pass visits every wiring with every number of observers. If `goOn` ends it early, the figures are those of
    /// the passes so far. A wiring that lost or doubled a post has no figures.
    ///
    /// - Parameters:
    ///   - hasTime: Whether another pass may begin, after the first one.
    ///   - beforePass: Called with the number of every pass but the one that warms up, for measurements that run in
    ///     between.
    func measure(
        _ choices: [WiringChoice], observers: [Int], while goOn: () -> Bool, hasTime: () -> Bool,
        beforePass: (Int) -> Void
    ) -> [(till: MeasuredTill, speed: Comparison.Speed)] {
        let plain = ([.closure] + choices.filter { $0 != .closure }).map { ($0, $0.profile.plain) }
        let options = choices.flatMap { choice in choice.profile.options.map { (choice, $0) } }
        var groups = observers.map { Group(plain, observers: $0) } + [Group([plain[0]] + options, observers: 1)]
        for till in groups.flatMap(\.tills) {
            // A short pass of a till whose threads deliver mostly shows whether they happened to be awake.
            till.calibrate(till.isConcurrent ? 8 * nanosecondsAPass : nanosecondsAPass)
        }
        passes: for pass in 0...mostPasses {
            if pass > 1, !hasTime() { break }
            if pass > passes, groups.flatMap(\.times).allSatisfy({ Spread($0).isSettled(within: Self.precision) }) {
                break
            }
            if pass > 0 { beforePass(pass) }
            for group in groups.indices {
                guard goOn() else { break passes }
                let tills = groups[group].tills
                for turn in tills.indices {
                    // Another till begins each pass, so that none always follows the same one.
                    let index = (turn + pass) % tills.count
                    let count = tills[index].count / 2
                    let time = (0..<2).map { _ in tills[index].pass(count) / Double(count) }.min()!
                    // The first pass warms up.
                    if pass > 0 { groups[group].times[index].append(time) }
                }
            }
        }
        return groups.enumerated().flatMap { place, group in
            zip(group.tills, group.times).filter { till, times in
                // `closure` is beside the options for their ratios alone.
                let isAskedFor = place < observers.count ? choices.contains(till.choice) : !till.form.name.isEmpty
                return isAskedFor && till.isSound && !times.isEmpty
            }.map { till, times in
                let speed = Comparison.Speed(
                    observers: till.observers, times: times, closure: group.times[0], allocations: till.blocks())
                return (till, speed)
            }
        }
    }
}
