import NotificationBus
import Platform

/// `Explorer [PREEMPTIONS DELAYS] [WORD]`: explores the scenarios whose names have the word.
@main
enum Main {
    static func main() {
        var words = CommandLine.arguments.dropFirst()
        var bound = Explorer.Bound()
        if words.count >= 2, let preemptions = words.first.flatMap(Int.init), let delays = Int(words.dropFirst().first!)
        {
            bound = Explorer.Bound(preemptions: preemptions, delays: delays)
            words = words.dropFirst(2)
        }
        let clock = ContinuousClock()
        var total = 0
        for scenario in Scenario.all where words.isEmpty || words.contains(where: scenario.name.contains) {
            for hasBarrier in [true, false] {
                for isReusing in scenario.reuses ? [false, true] : [false] {
                    let name =
                        scenario.name + (hasBarrier ? "" : ", no barrier on all threads")
                        + (isReusing ? ", memory used again" : "")
                    let explorer = Explorer(name, bound, isReusing: isReusing, hasBarrier: hasBarrier)
                    let time = clock.measure { explore(scenario, explorer) }
                    total += explorer.schedules
                    print("✔ \(name): \(explorer.schedules) schedules, \(time)")
                    fflush(nil)
                }
            }
        }
        print("\(total) schedules")
    }

    private static func explore(_ scenario: Scenario, _ explorer: Explorer) {
        unsafe seam = explorer
        explorer.explore {
            let example = Case(explorer)
            scenario.prepare(example)
            let known = scenario.programs.indices.filter { !scenario.newcomers.contains($0) }
            example.run(known: known, scenario.programs)
            scenario.check(example)
        }
    }
}
