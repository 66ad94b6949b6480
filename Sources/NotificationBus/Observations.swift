/// Tells an observation from every other of the process.
public struct ObservationIdentity: Sendable, Hashable {
    let key: UInt
}

/// The place in the source where an observation began.
public struct ObservationPlace: Sendable, Hashable {
    /// Module and file, as `#fileID` gives them.
    public var fileID: String
    /// The line, counted from 1.
    public var line: Int
}

extension ObservationPlace: CustomStringConvertible {
    /// `Module/File.swift:12`.
    public var description: String { "\(fileID):\(line)" }
}

/// One observation, as ``TypedNotificationCenter/observations()`` lists it.
public struct ObservationReport: Sendable, Hashable {
    /// Tells it from others, and is that of its ``ObservationToken``.
    public var identity: ObservationIdentity
    /// What is observed, with its module.
    public var notification: String
    /// Where the observation began.
    public var place: ObservationPlace
}

extension TypedNotificationCenter {
    /// Every observation and every answerer, by type, in the order in which they began.
    ///
    /// - Complexity: O(*n* log *n*) in the number of observations.
    public func observations() -> [ObservationReport] {
        var places: [ObjectIdentifier: Int] = [:]
        var found: [(place: Int, report: ObservationReport)] = []
        for channel in state.withLock({ $0.channels }) {
            let name = channel.name
            let place = places[ObjectIdentifier(channel.type)] ?? places.count
            places[ObjectIdentifier(channel.type)] = place
            found += channel.mapObservers { observer, key in
                let identity = ObservationIdentity(key: key)
                return (place, ObservationReport(identity: identity, notification: name, place: observer.place))
            }
        }
        found.sort { ($0.place, $0.report.identity.key) < ($1.place, $1.report.identity.key) }
        return found.map(\.report)
    }
}
