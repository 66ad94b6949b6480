import NotificationBus
import Platform

/// `Explorer [PREEMPTIONS DELAYS [SECONDS]] [WORD…]`: explores the scenarios whose names have a word, each for that time.
@main
enum Main {
    static func main() {
        let numbers = CommandLine.arguments.dropFirst().map(Int.init).prefix { $0 != nil }.compactMap(\.self)
        let words = CommandLine.arguments.dropFirst(1 + numbers.count)
        var bound = Explorer.Bound()
        if numbers.count > 1 { bound = Explorer.Bound(preemptions: numbers[0], delays: numbers[1]) }
        let limit = Duration.seconds(numbers.count > 2 ? numbers[2] : 1_000_000)
        let clock = ContinuousClock()
        var total = 0
        for scenario in Scenario.all where words.isEmpty || words.contains(where: scenario.name.contains) {
            for hasBarrier in [true, false] {
                for isReusing in scenario.reuses ? [false, true] : [false] {
                    let name =
                        scenario.name + (hasBarrier ? "" : ", no barrier on all threads")
                        + (isReusing ? ", memory used again" : "")
                    let explorer = Explorer(name, bound, isReusing: isReusing, hasBarrier: hasBarrier)
                    let start = clock.now
                    let isAll = explore(scenario, explorer, until: start + limit)
                    total += explorer.schedules
                    print("\(isAll ? "✔" : "…") \(name): \(explorer.schedules) schedules, \(clock.now - start)")
                    fflush(nil)
                }
            }
        }
        print("\(total) schedules")
    }

    private static func explore(
        _ scenario: Scenario, _ explorer: Explorer, until end: ContinuousClock.Instant
    ) -> Bool {
        unsafe seam = explorer
        return explorer.explore(until: end) {
            let example = Case(explorer)
            scenario.prepare(example)
            let known = scenario.programs.indices.filter { !scenario.newcomers.contains($0) }
            example.run(known: known, scenario.programs)
            scenario.check(example)
        }
    }
}
