/// Runs a stand in virtual time, as fast as the machine goes.
package struct VirtualDriver: Sendable {
    /// nil where the run ends by itself, with the last order of a trace.
    package var horizon: SimulationTime?
    package var warmUp = SimulationTime.zero

    /// Events between two looks at whether to go on.
    private static let slice = 16_384

    package init(horizon: SimulationTime?, warmUp: SimulationTime = .zero) {
        self.horizon = horizon
        self.warmUp = warmUp
    }

    /// Opens `stand`, runs it to the end and closes it.
    ///
    /// `goOn` is asked every few thousand events; where it says no, the stand closes early.
    ///
    /// - Returns: whether the run was whole.
    @discardableResult
    package func run(_ stand: inout Stand, _ wiring: any Wiring, while goOn: () -> Bool = { true }) -> Bool {
        let out = Outlet(wiring)
        let horizon = horizon ?? .never
        stand.open(out)
        var isWhole = true
        if warmUp > .zero {
            isWhole = advance(&stand, to: min(warmUp, horizon), out, while: goOn)
            stand.endWarmUp(at: stand.isOver || !isWhole ? stand.now : min(warmUp, horizon))
        }
        isWhole = isWhole && advance(&stand, to: horizon, out, while: goOn)
        // Without a horizon, and where the end came before it, the last thing that happened is the end.
        let hasEnded = stand.isOver || horizon == .never || !isWhole
        stand.close(at: hasEnded ? stand.now : horizon, out)
        wiring.settle()
        return isWhole
    }

    private func advance(
        _ stand: inout Stand, to horizon: SimulationTime, _ out: Outlet, while goOn: () -> Bool
    ) -> Bool {
        while !stand.advance(to: horizon, limit: Self.slice, out) {
            guard goOn() else { return false }
        }
        return true
    }
}
