/// Ends an observation from inside its own observer.
final class Ending: Sendable {
    private struct Place {
        weak var channel: Channel?
        var key: UInt64
    }

    private let place = Guarded<Place?>(nil)

    func arm(_ token: ObservationToken) {
        place.withLock { $0 = Place(channel: token.channel, key: token.observer) }
    }

    func end() {
        let (channel, key) = place.withLock { ($0?.channel, $0?.key) }
        if let channel, let key { channel.remove(key) }
    }
}
