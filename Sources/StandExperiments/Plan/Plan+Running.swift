import JuiceStand

extension Plan {
    /// Visits the grid, or searches it if it is too large, and selects the best setting.
    ///
    /// The result depends on the plan alone, not on the number of jobs.
    package func run(_ execution: Experiment.Execution) -> PlanResult {
        var run = PlanRun(self, execution)
        if isSearched {
            search(&run)
        } else {
            run.visit(0..<grid.count)
        }
        select(&run)
        return PlanResult(run)
    }

    /// Whether the grid is too large to visit every setting.
    package var isSearched: Bool { grid.count > Self.mostRaced }

    /// Races the visited settings. In a search, all neighbours of the winner enter the race too.
    private func select(_ run: inout PlanRun) {
        var count = min(max(Self.firstReplications, run.race.fewestReplications), mostReplications)
        while true {
            run.replicate(run.race.racing, to: count)
            if run.isInterrupted { return }
            run.leaveOutUnobserved()
            run.race.judge()
            if run.race.isDecided {
                guard isSearched, let leader = run.race.leader,
                    run.visit(neighbours(of: run.combinations[leader], strides: grid.axes.map { _ in 1 }))
                else { return }
            } else if count >= mostReplications {
                return
            } else {
                count = min(mostReplications, count + max(1, count / 10))
            }
        }
    }
}

// MARK: - Searching

extension Plan {
    /// The most settings of the first lattice.
    private static let mostOfLattice = 100
    /// While no setting of a lattice is a valid stand, a finer one is tried, until a lattice has this many settings.
    private static let mostOfFinestLattice = 10_000
    /// The number of best settings whose neighbours are visited.
    private static let elites = 6

    /// Visits a lattice over the grid, then the neighbours of the best settings at shorter and shorter distances.
    ///
    /// The phases are those of Xu, Nelson and Hong, "Industrial strength COMPASS", ACM TOMACS 20 (2010): a global
    /// search, a local search and a selection. The local search halves its steps, as Hooke and Jeeves, "Direct search
    /// solution of numerical and statistical problems", Journal of the ACM 8 (1961). It is much simpler than COMPASS,
    /// because common random numbers make neighbours comparable after few replications.
    private func search(_ run: inout PlanRun) {
        var strides = grid.axes.map { _ in 1 }
        func lattice(_ axis: Int) -> [Int] {
            let size = grid.axes[axis].values.count
            // Half a stride away from the ends, so that the lattice is spread evenly.
            return Array(stride(from: min(strides[axis] / 2, (size - 1) / 2), to: size, by: strides[axis]))
        }
        while strides.indices.reduce(1.0, { $0 * Double(lattice($1).count) }) > Double(Self.mostOfLattice) {
            let widest = strides.indices.max { lattice($0).count < lattice($1).count } ?? 0
            strides[widest] *= 2
        }
        while true {
            var places: [[Int]] = [[]]
            for axis in strides.indices { places = places.flatMap { place in lattice(axis).map { place + [$0] } } }
            if run.visit(places.map { grid.index(of: $0) }) || run.isInterrupted { break }
            // No combination of the lattice is a valid stand.
            guard places.count < Self.mostOfFinestLattice, strides.contains(where: { $0 > 1 }) else { return }
            strides = strides.map { max(1, $0 / 2) }
        }
        let count = min(Self.firstReplications, mostReplications)
        run.replicate(run.race.racing, to: count)
        while !run.isInterrupted {
            let elites = run.race.ranking(run.race.racing).prefix(Self.elites)
            let found = elites.flatMap { neighbours(of: run.combinations[$0], strides: strides) }
            if run.visit(found) {
                run.replicate(run.race.racing, to: count)
            } else if strides.allSatisfy({ $0 == 1 }) {
                return
            } else {
                strides = strides.map { max(1, $0 / 2) }
            }
        }
    }

    /// The combinations one stride away: on each axis, and on all axes at once if there are up to three.
    private func neighbours(of combination: Int, strides: [Int]) -> [Int] {
        let place = grid.place(of: combination)
        var steps: [[Int]] = [[]]
        if place.count <= 3 {
            for _ in place { steps = steps.flatMap { step in [-1, 0, 1].map { step + [$0] } } }
        } else {
            steps = place.indices.flatMap { axis in
                [-1, 1].map { step in place.indices.map { $0 == axis ? step : 0 } }
            }
        }
        return steps.compactMap { step -> Int? in
            let moved = place.indices.map { place[$0] + step[$0] * strides[$0] }
            guard moved != place, zip(grid.axes, moved).allSatisfy({ $0.values.indices.contains($1) }) else {
                return nil
            }
            return grid.index(of: moved)
        }
    }
}
