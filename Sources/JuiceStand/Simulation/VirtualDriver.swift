/// Runs a stand in virtual time, as fast as the machine allows.
package struct VirtualDriver {
    /// Nil if the run ends by itself with the last order of a trace.
    package var horizon: SimulationTime?
    package var warmUp = SimulationTime.zero
    /// Samples the stand at regular instants, for series over time.
    package var sampling: Sampling?

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

    package init(horizon: SimulationTime?, warmUp: SimulationTime = .zero, sampling: Sampling? = nil) {
        self.horizon = horizon
        self.warmUp = warmUp
        self.sampling = sampling
    }

    /// Opens `stand`, runs it to the end and closes it. Calls `goOn` every few thousand events; if it returns false, the
    /// stand closes early.
    ///
    /// - Returns: Whether the run was complete.
    @discardableResult
    package func run(
        _ stand: inout Stand, _ wiring: any Wiring, while goOn: (Stand) -> Bool = { _ in true }
    ) -> Bool {
        let out = FactPublisher(wiring)
        let horizon = horizon ?? .never
        stand.open(out)
        var isWhole = true
        var nextLook = sampling?.interval ?? .never
        if warmUp > .zero {
            isWhole = advance(&stand, to: min(warmUp, horizon), &nextLook, out, while: goOn)
            stand.endWarmUp(at: stand.isOver || !isWhole ? stand.now : min(warmUp, horizon))
        }
        isWhole = isWhole && advance(&stand, to: horizon, &nextLook, out, while: goOn)
        // A run without a horizon, or over before it, ends with its last event.
        let hasEnded = stand.isOver || horizon == .never || !isWhole
        stand.close(at: hasEnded ? stand.now : horizon, out)
        wiring.settle()
        return isWhole
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
