import JuiceStand

extension Experiment {
    /// An instant of an open stand, from which replications go on.
    ///
    /// Each replication is another of its ``Futures``. Replication *r* is the same future in every setting.
    package struct Start: Sendable {
        package let origin: SimulationResult.Origin
        let futures: Futures
        /// The settings of the stand so far, with the seed of the futures.
        let settings: StandSettings

        /// - Parameters:
        ///   - stand: An open stand.
        ///   - time: Now. If an event is late, the replications go on from that event's time.
        ///   - seed: The seed of the futures; nil for the stand's own.
        /// - Throws: ``ForecastError``
        package init(of stand: Stand, at time: SimulationTime, seed: UInt64? = nil) throws(ForecastError) {
            let time = try Self.present(of: stand, at: time)
            var settings = stand.settings
            settings.seed = seed ?? settings.seed
            self.settings = settings
            futures = Futures(of: stand, at: time, seed: settings.seed)
            origin = .init(at: time, sequence: stand.factsAnnounced)
        }

        /// The instant from which `stand` has futures: `time`, or that of an event that is late.
        ///
        /// - Throws: ``ForecastError`` if it has none.
        package static func present(of stand: Stand, at time: SimulationTime) throws(ForecastError) -> SimulationTime {
            guard !stand.isClosed else { throw .closed }
            guard !stand.settings.endsWithItsOrders else { throw .replaysTrace }
            return max(stand.now, min(time, stand.nextTime))
        }

        /// Refuses settings that can't change while the stand is open.
        ///
        /// - Throws: ``ForecastError/cannotChange(_:)``
        package func check(_ new: StandSettings) throws(ForecastError) {
            let obstacles = difference(to: new).obstacles
            guard obstacles.isEmpty else { throw .cannotChange(obstacles) }
        }

        func goingOn(with new: StandSettings) -> VirtualDriver.GoingOn { .init(new, difference(to: new).announced) }

        private func difference(to new: StandSettings) -> SettingsDifference {
            SettingsDifference(from: settings, to: new)
        }
    }
}
