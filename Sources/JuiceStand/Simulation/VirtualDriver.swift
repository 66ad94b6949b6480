/// Runs a stand in virtual time, as fast as the machine goes.
package struct VirtualDriver {
    /// nil where the run ends by itself, with the last order of a trace.
    package var horizon: SimulationTime?
    package var warmUp = SimulationTime.zero
    /// Who looks at the stand at regular instants, for series over time.
    package var sampling: Sampling?

    /// Looks at a stand every so often: after all that is due before the instant, and before what is due at it.
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

    /// Events between two looks at whether to go on.
    private static let slice = 16_384

    package init(horizon: SimulationTime?, warmUp: SimulationTime = .zero, sampling: Sampling? = nil) {
        self.horizon = horizon
        self.warmUp = warmUp
        self.sampling = sampling
    }

    /// Opens `stand`, runs it to the end and closes it.
    ///
    /// `goOn` is asked every few thousand events; where it says no, the stand closes early.
    ///
    /// - Returns: whether the run was whole.
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
        // Without a horizon, and where the end came before it, the last thing that happened is the end.
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
