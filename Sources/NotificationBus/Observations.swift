/// Tells an observation from every other of the process.
public struct ObservationIdentity: Sendable, Hashable {
    let key: UInt
}

/// One observation, as ``TypedNotificationCenter/observations()`` lists it.
public struct ObservationReport: Sendable, Hashable {
    /// The identity that its ``ObservationToken`` has, too.
    public var identity: ObservationIdentity
    /// The name of the observed type, with its module.
    public var notification: String
    /// Where the observation began: `Module/File.swift:12`.
    public var place: String
}

extension TypedNotificationCenter {
    /// Every observation and every answerer, in the order in which they began.
    ///
    /// - Complexity: O(*n* log *n*) in the number of observations.
    public func observations() -> [ObservationReport] {
        var found: [ObservationReport] = []
        for channel in state.withLock({ $0.channels }) {
            let name = channel.name
            found += channel.mapObservers { observer, key in
                ObservationReport(
                    identity: ObservationIdentity(key: key), notification: name, place: observer.place)
            }
        }
        return found.sorted { $0.identity.key < $1.identity.key }
    }
}
