import JuiceStand
import StandState
import TextFormats

// The changes of a running stand.

extension StandControl {
    /// Places an order. It queues like a customer's and never runs out of patience.
    package func order(_ juice: String, cups: Int, key: String? = nil, reply: @escaping Reply<OrderAnswer>) {
        submit(.order(juice: juice, cups: cups), key) { result in
            reply(result.map { if case .order(let answer) = $0 { answer } else { fatalError("\($0)") } })
        }
    }

    /// Changes the stock by differences, all or none; with `ifTag`, only if that is still the edit tag.
    package func changeStock(
        _ changes: [StandChange.StockDifference], ifTag: UInt64? = nil, key: String? = nil,
        reply: @escaping Reply<(editTag: UInt64, levels: [StockLevel])>
    ) {
        submit(.stock(changes, ifTag: ifTag), key) { result in
            reply(
                result.map {
                    guard case .stock(let editTag, let levels) = $0 else { fatalError("\($0)") }
                    return (editTag, levels)
                })
        }
    }

    /// Multiplies the configured arrival rate.
    package func setRate(_ factor: Double, key: String? = nil, reply: @escaping Reply<SimulationTime>) {
        submit(.rate(factor), key, at: reply)
    }

    /// Changes the speed, in stand seconds per wall second, until the program ends.
    ///
    /// The ledger does not depend on the speed, so nothing is journalled.
    package func setSpeed(_ speed: Double, reply: @escaping Reply<SimulationTime>) {
        driver.async {
            guard speed > 0, speed <= 1e9 else {
                return reply(
                    .failure(.invalid("speed must be above 0 and at most 1e9, found \(Columns.readable(speed))")))
            }
            guard let time = self.driver.setSpeed(speed) else { return reply(.failure(.closed)) }
            self.publish()
            reply(.success(time))
        }
    }

    /// Stops stand time.
    package func pause(key: String? = nil, reply: @escaping Reply<SimulationTime>) { submit(.pause, key, at: reply) }

    /// Resumes stand time.
    package func resume(key: String? = nil, reply: @escaping Reply<SimulationTime>) { submit(.resume, key, at: reply) }

    /// Reads the configuration again and applies the differences, all or none.
    package func reload(key: String? = nil, reply: @escaping Reply<[SettingChange]>) {
        guard let reloading else {
            return driver.async { reply(.failure(.invalid("the stand has no configuration file to reload"))) }
        }
        driver.async {
            // A known key gets its first answer, whatever the file contains now.
            let known = self.cache.withLock { $0.answer(to: .reload(configuration: ""), key: key) }
            if let known { return reply(known.map(Self.changes)) }
            self.readAgain(reloading, key, reply)
        }
    }

    private static func changes(_ answer: ChangeAnswer) -> [SettingChange] {
        if case .reloaded(let changes) = answer { changes } else { fatalError("\(answer)") }
    }

    private func readAgain(
        _ reloading: @escaping @Sendable () throws(ConfigurationError) -> StandSettings, _ key: String?,
        _ reply: @escaping Reply<[SettingChange]>
    ) {
        reading.async {
            let settings: StandSettings
            do throws(ConfigurationError) { settings = try reloading() } catch {
                return self.driver.async { reply(.failure(.badConfiguration(error.lines))) }
            }
            self.reload(settings, key: key, reply: reply)
        }
    }

    /// Applies the differences of a new configuration.
    func reload(_ settings: StandSettings, key: String? = nil, reply: @escaping Reply<[SettingChange]> = { _ in }) {
        let difference = SettingsDifference(from: status.settings, to: settings, ignoringWiring: true)
        guard difference.obstacles.isEmpty else {
            return driver.async { reply(.failure(.cannotChange(difference.obstacles))) }
        }
        // Without a key there is nothing to remember.
        if difference.changes.isEmpty, key == nil { return driver.async { reply(.success([])) } }
        submit(.reload(configuration: settings.resolved().compact()), key) { result in
            reply(result.map(Self.changes))
        }
    }

    /// Releases the due events and closes the stand.
    package func stop(key: String? = nil, reply: @escaping Reply<SimulationTime> = { _ in }) {
        submit(.stop, key, at: reply)
    }

    private func submit(_ change: StandChange, _ key: String?, at reply: @escaping Reply<SimulationTime>) {
        submit(change, key) { result in
            reply(result.map { if case .done(let time) = $0 { time } else { fatalError("\($0)") } })
        }
    }
}
