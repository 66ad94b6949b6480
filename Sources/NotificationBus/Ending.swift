import Synchronization

/// Ends an observation from inside its own observer.
final class Ending: Sendable {
    private struct Place {
        weak var channel: Channel?
        var key: UInt64
    }

    private let place = Guarded<Place?>(nil)
    private let isBegun = Atomic(false)

    func arm(_ channel: Channel, _ key: UInt64) {
        place.withLock { $0 = Place(channel: channel, key: key) }
    }

    func end() {
        let (channel, key) = place.withLock { ($0?.channel, $0?.key) }
        if let channel, let key { channel.remove(key) }
    }

    /// `true` for the first of several calls, whatever threads they are on.
    func begins() -> Bool { !isBegun.exchange(true, ordering: .acquiringAndReleasing) }

    var hasBegun: Bool { isBegun.load(ordering: .acquiring) }
}
