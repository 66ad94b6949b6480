import Synchronization

/// What is known of one observer's calls.
struct Tally {
    var deliveries = 0
    var timeSpent = Duration.zero
    var slowest = Duration.zero
}

/// What a center's diagnostics collect; it takes part in no post unless it is asked to.
final class Watch: Sendable {
    struct State {
        var isMeasuring = false
        var unheard: [ObjectIdentifier: UnheardPosts] = [:]
    }

    let state = Guarded(State())
    /// Whether somebody wants to know of all posts.
    let isOn = Atomic(false)
    let taps = Channel(
        name: "taps", notification: nil, tombstone: Body<any TypedNotification>("", 0, { _ in }), latest: nil)

    /// Sends the posts of a center the long way if somebody watches, and only then.
    func refresh(_ center: TypedNotificationCenter) {
        state.withLock { state in
            let isWatched = state.isMeasuring || taps.state.withLock { $0.live > 0 }
            isOn.store(isWatched, ordering: .releasing)
            center.setWatched(isWatched)
        }
    }

    func close() {
        taps.close()
    }

    /// Shows a post to the taps.
    func see<N: TypedNotification>(_ notification: N, by center: TypedNotificationCenter) {
        unsafe taps.walk(by: center) { (body: Body<any TypedNotification>, _) in body.call(notification) }
    }

    /// Counts a post that nobody heard.
    func missed<N: TypedNotification>(_ type: N.Type) {
        state.withLock { state in
            guard state.isMeasuring else { return }
            state.unheard[ObjectIdentifier(type), default: UnheardPosts(notification: type, count: 0)].count += 1
        }
    }

    /// Times one call of an observer.
    func measure(_ channel: Channel, _ key: UInt64, _ call: () -> Void) {
        guard state.withLock({ $0.isMeasuring }) else { return call() }
        let clock = ContinuousClock()
        let time = clock.measure(call)
        channel.count(time, of: key)
    }
}

/// Tells a center that one of its taps is gone.
final class TapRelay: Relay {
    private let center: Guarded<Center>

    private struct Center {
        weak var center: TypedNotificationCenter?
    }

    init(_ center: TypedNotificationCenter) {
        self.center = Guarded(Center(center: center))
    }

    func end() {
        let center = center.withLock { $0.center }
        if let center { center.watch.refresh(center) }
    }

    func waitForCalls() {}
}

extension Channel {
    /// Adds a call to an observer's tally, if it still observes.
    func count(_ time: Duration, of key: UInt64) {
        for branch in family.dropFirst() { branch.count(time, of: key) }
        state.withLock { state in
            guard observer(key) != nil else { return }
            state.tallies[key, default: Tally()].deliveries += 1
            state.tallies[key, default: Tally()].timeSpent += time
            let slowest = state.tallies[key, default: Tally()].slowest
            state.tallies[key, default: Tally()].slowest = max(slowest, time)
        }
    }

    /// Reports on every observer, in the order of delivery.
    var report: [ObservationReport] {
        let reports = family.flatMap(\.reportsByKey)
        return reports.sorted { $0.key < $1.key }.map(\.report)
    }

    private var reportsByKey: [(key: UInt64, report: ObservationReport)] {
        placePending()
        return state.withLock { state in
            let rack = unsafe Rack(address: self.rack.relaxedLoad())
            return unsafe (0..<rack.count).compactMap { index in
                let key = unsafe rack.key(index)
                guard let place = observer(key)?.place else { return nil }
                return (key, ObservationReport(name, place, key, state.tallies[key] ?? Tally()))
            }
        }
    }

    /// The observer that `key` stands for; the lock must be held.
    func observer(_ key: UInt64) -> Observer? {
        let rack = unsafe Rack(address: self.rack.relaxedLoad())
        let index = unsafe rack.index(of: key)
        guard unsafe index < rack.count, unsafe rack.key(index) == key else { return nil }
        let address = unsafe rack.slot(index).pointee.relaxedLoad()
        guard address != tombstone, let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
        return unsafe Unmanaged<Observer>.fromOpaque(pointer).takeUnretainedValue()
    }
}
