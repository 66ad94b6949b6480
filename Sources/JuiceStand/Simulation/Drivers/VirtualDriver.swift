/// Runs a stand in virtual time, as fast as the machine allows.
package struct VirtualDriver {
    /// The length of the run; nil if it ends by itself with the last order of a trace.
    package var horizon: SimulationTime?
    package var warmUp = SimulationTime.zero
    /// Lets the run go on with an open stand from its present time; nil if the run opens the stand.
    package var goingOn: GoingOn?
    /// Samples the stand at regular instants, for series over time.
    package var sampling: Sampling?

    /// The settings of a stand that goes on.
    package struct GoingOn: Sendable {
        package var settings: StandSettings
        /// The differences from the stand's settings so far. An open stand must be able to follow them.
        package var changes: [SettingChange]

        package init(_ settings: StandSettings, _ changes: [SettingChange]) {
            self.settings = settings
            self.changes = changes
        }
    }

    /// Samples a stand at regular instants: after all events due before the instant and before those due at it.
    package struct Sampling {
        package var interval: SimulationTime
        package var look: (Stand, SimulationTime) -> Void

        /// - Precondition: `interval` is above 0.
        package init(every interval: SimulationTime, look: @escaping (Stand, SimulationTime) -> Void) {
            precondition(interval > .zero, "an interval of \(interval.seconds) s")
            self.interval = interval
            self.look = look
        }
    }

    /// The number of events between two calls of `goOn`.
    private static let slice = 16_384

    package init(
        horizon: SimulationTime?, warmUp: SimulationTime = .zero, sampling: Sampling? = nil, goingOn: GoingOn? = nil
    ) {
        self.horizon = horizon
        self.warmUp = warmUp
        self.sampling = sampling
        self.goingOn = goingOn
    }

    /// Opens `stand` or goes on with it, runs it to the end and closes it. Calls `goOn` every few thousand events; if
    /// it returns false, the stand closes early.
    ///
    /// - Returns: Whether the run was complete.
    @discardableResult
    package func run(
        _ stand: inout Stand, _ wiring: any Wiring, while goOn: (Stand) -> Bool = { _ in true }
    ) -> Bool {
        let out = FactPublisher(wiring)
        let start = goingOn == nil ? .zero : stand.now
        let horizon = horizon.map { start + $0 } ?? .never
        begin(&stand, out)
        var isWhole = true
        var nextLook = sampling.map { start + $0.interval } ?? .never
        if warmUp > .zero {
            let end = min(start + warmUp, horizon)
            isWhole = advance(&stand, to: end, &nextLook, out, while: goOn)
            stand.endWarmUp(at: stand.isOver || !isWhole ? stand.now : end)
        }
        isWhole = isWhole && advance(&stand, to: horizon, &nextLook, out, while: goOn)
        // A run without a horizon, or over before it, ends with its last event.
        let hasEnded = stand.isOver || horizon == .never || !isWhole
        stand.close(at: hasEnded ? stand.now : horizon, out)
        return isWhole
    }

    private func begin(_ stand: inout Stand, _ out: FactPublisher) {
        guard let goingOn else { return stand.open(out) }
        guard !goingOn.changes.isEmpty else { return }
        stand.reload(goingOn.settings, goingOn.changes, at: stand.now, out)
    }

    private func advance(
        _ stand: inout Stand, to horizon: SimulationTime, _ nextLook: inout SimulationTime, _ out: FactPublisher,
        while goOn: (Stand) -> Bool
    ) -> Bool {
        while true {
            let stop = min(horizon, nextLook)
            while !stand.advance(to: stop, limit: Self.slice, out) {
                guard goOn(stand) else { return false }
            }
            guard let sampling, nextLook < horizon, !stand.isOver else { return true }
            if horizon == .never, stand.isStuck { return true }
            sampling.look(stand, nextLook)
            nextLook = nextLook + sampling.interval
            guard goOn(stand) else { return false }
        }
    }
}
