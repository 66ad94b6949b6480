import JuiceStand
import StandState
import TextFormats

/// A change that people ask of a running stand, and what the stand answers to it.
package struct Change<Answer: Sendable>: Sendable {
    let request: StandChange
    /// The answer to this kind of change; nil for that to another kind.
    let answer: @Sendable (ChangeAnswer) -> Answer?
}

extension Change<OrderAnswer> {
    /// Places an order. It queues like a customer's and never runs out of patience.
    package static func order(_ juice: String, cups: Int = 1) -> Change {
        Change(request: .order(juice: juice, cups: cups)) { if case .order(let answer) = $0 { answer } else { nil } }
    }
}

/// The edit tag and the levels after a change of the stock.
package typealias EditedStock = (editTag: UInt64, levels: [StockLevel])

extension Change<EditedStock> {
    /// Changes the stock by differences, all or none; with `ifTag`, only if that is still the edit tag.
    package static func stock(_ changes: [StandChange.StockDifference], ifTag: UInt64? = nil) -> Change {
        Change(request: .stock(changes, ifTag: ifTag)) { answer in
            if case .stock(let editTag, let levels) = answer { (editTag, levels) } else { nil }
        }
    }
}

/// The answer is the stand time at which the change took effect.
extension Change<SimulationTime> {
    /// Multiplies the configured arrival rate.
    package static func rate(_ factor: Double) -> Change { Change(at: .rate(factor)) }
    /// Stops stand time.
    package static var pause: Change { Change(at: .pause) }
    package static var resume: Change { Change(at: .resume) }
    /// Releases the due events and closes the stand.
    package static var stop: Change { Change(at: .stop) }

    private init(at request: StandChange) {
        self.request = request
        answer = { if case .done(let time) = $0 { time } else { nil } }
    }
}

extension Change<[SettingChange]> {
    /// Applies the differences of a new configuration.
    fileprivate static func reload(_ settings: StandSettings?) -> Change {
        Change(request: .reload(configuration: settings?.resolved().compact() ?? "")) { answer in
            if case .reloaded(let changes) = answer { changes } else { nil }
        }
    }
}

// MARK: - Changes that are more than a request

extension StandControl {
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

    /// Reads the configuration again and applies the differences, all or none.
    package func reload(key: String? = nil, reply: @escaping Reply<[SettingChange]>) {
        driver.async {
            guard let reloading = self.reloading else {
                return reply(.failure(.invalid("the stand has no configuration file to reload")))
            }
            // A known key gets its first answer, whatever the file contains now.
            if let known = self.known(.reload(nil), key: key) { return reply(known) }
            self.reading.async {
                let settings: StandSettings
                do throws(ConfigurationError) { settings = try reloading() } catch {
                    return self.driver.async { reply(.failure(.badConfiguration(error.lines))) }
                }
                self.reload(settings, key: key, reply: reply)
            }
        }
    }

    /// Applies the differences of a new configuration.
    func reload(_ settings: StandSettings, key: String? = nil, reply: @escaping Reply<[SettingChange]> = { _ in }) {
        let difference = SettingsDifference(from: status.settings, to: settings)
        guard difference.obstacles.isEmpty else {
            return driver.async { reply(.failure(.cannotChange(difference.obstacles))) }
        }
        // Without a key there is nothing to remember.
        if difference.changes.isEmpty, key == nil { return driver.async { reply(.success([])) } }
        submit(.reload(settings), key: key, reply: reply)
    }
}
