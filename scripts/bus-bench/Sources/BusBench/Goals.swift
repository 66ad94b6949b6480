/// What this run found for each goal; `nil` where the system does not tell.
struct Figures {
    /// A post ÷ a loop over closures, by number of observers.
    var againstClosures: [Int: Double] = [:]
    /// A post to 3 observers ÷ calls that have no closure.
    var againstFloor: Double?
    /// Heap allocations a post.
    var allocations: Double?
    /// Retains or releases a post, whichever are more.
    var retains: Double?
    /// Two threads at once ÷ one, each.
    var slowdown: Double?
    /// Observing and cancelling with 1,000 others ÷ with none; the worse of the circumstances.
    var churn: Double?
    /// Bytes an observation.
    var bytes: Double?
    /// Nanoseconds a post for features that are not used.
    var unusedFeatures: Double?
}

/// What is wanted of the library beside what was found: a reader sees which goals are met, and no run fails by them.
func goalTable(_ figures: Figures) {
    let closures = [(1, 0.60, 0.20), (3, 0.30, 0.16), (10, 0.20, 0.14), (100, 0.15, 0.13)].map {
        ("a post to \($0) ÷ closure loop", $1, $2, figures.againstClosures[$0])
    }
    let goals: [(name: String, atLeast: Double, aim: Double, found: Double?)] =
        closures + [
            ("a post to 3 ÷ floor without closures", 2.0, 1.4, figures.againstFloor),
            ("heap allocations a post", 0, 0, figures.allocations),
            ("retains and releases a post", 0, 0, figures.retains),
            ("two threads, slowdown of each", 1.3, 1.05, figures.slowdown),
            ("observe + cancel, 1,000 others ÷ none", 2, 1, figures.churn),
            ("bytes an observation", 250, 180, figures.bytes),
            ("unused features, ns a post", 1, 0, figures.unusedFeatures),
        ]
    print("\n\("goal".trailing(38)) at least      aim    found")
    for goal in goals {
        // Compared as they are printed: a hundredth is less than two runs differ by.
        let found = goal.found.map { ($0 * 100).rounded() / 100 }
        let verdict = found.map { $0 <= goal.aim ? "aim met" : $0 <= goal.atLeast ? "met" : "missed" } ?? "unknown"
        print(
            """
            \(goal.name.trailing(38)) \(goal.atLeast.text(2, width: 8)) \(goal.aim.text(2, width: 8)) \
            \(found?.text(2, width: 8) ?? "–".leading(8))  \(verdict)
            """)
    }
}
