import Dispatch
import NotificationBus
import Platform

/// Times deliveries with the hook of the notification center; other wirings have none.
///
/// The hook makes a call cost several times as much. So it is set during a measurement, which ``begin(_:announced:)``
/// starts, and otherwise for one release of due events a second; see ``releaseEnded()``.
package final class DeliveryTimes: Sendable {
    private struct State {
        var deliveries = Histogram()
        /// The post under way: its type, its first observer, and the time of its calls.
        var post: (type: ObjectIdentifier, first: ObservationIdentity, time: Duration)?
        /// Whether the next release is timed.
        var isOn = false
        /// When another release may be timed, in nanoseconds of `DispatchTime`.
        var nextRelease: UInt64 = 0
        var measurement: Measurement?

        mutating func endPost() {
            guard let time = post?.time.components else { return }
            let nanoseconds = time.seconds * 1_000_000_000 + time.attoseconds / 1_000_000_000
            deliveries.record(SimulationTime(nanoseconds: nanoseconds))
            post = nil
        }
    }

    private struct Measurement {
        let counter: FactCounter
        /// The number of facts announced before it.
        let announced: UInt64
        var calls: [ObservationIdentity: WiringMap.Calls] = [:]
    }

    private let center: TypedNotificationCenter?
    private let state = Guarded(State())

    package init(_ wiring: any Wiring) {
        center = (wiring as? NotificationWiring)?.center
    }

    /// The wall time of each timed delivery so far, from the post until every observer had returned.
    package var deliveries: Histogram {
        state.withLock { state in
            state.endPost()
            return state.deliveries
        }
    }

    /// Times the next release if no release was timed in the last second. Call it after each release.
    package func releaseEnded() {
        let now = DispatchTime.now().uptimeNanoseconds
        let change = state.withLock { state -> Bool? in
            guard state.measurement == nil else { return nil }
            let wasOn = state.isOn
            state.isOn = now >= state.nextRelease
            if state.isOn { state.nextRelease = now + 1_000_000_000 }
            return state.isOn == wasOn ? nil : state.isOn
        }
        if let change { setHook(change) }
    }

    private func setHook(_ isOn: Bool) {
        guard isOn else {
            center?.onDelivery = nil
            return
        }
        center?.onDelivery = { [weak self] observation, type, duration in
            if let observation { self?.note(observation, ObjectIdentifier(type), duration) }
        }
    }

    private func note(_ observation: ObservationIdentity, _ type: ObjectIdentifier, _ duration: Duration) {
        state.withLock { state in
            if state.post?.type == type, state.post?.first != observation {
                state.post?.time += duration
            } else {
                state.endPost()
                state.post = (type, observation, duration)
            }
            state.measurement?.calls[observation, default: WiringMap.Calls()].add(duration)
        }
    }
}

// MARK: - Measuring for a while

extension DeliveryTimes {
    /// Starts to count facts and to time each call.
    ///
    /// - Parameters:
    ///   - wiring: The wiring whose deliveries are timed.
    ///   - announced: The number of facts announced so far, heard or not.
    package func begin(_ wiring: any Wiring, announced: UInt64) {
        let counter = FactCounter(wiring.wanted)
        wiring.connect(counter)
        state.withLock { state in
            state.measurement = Measurement(counter: counter, announced: announced)
            state.isOn = true
        }
        setHook(true)
    }

    /// Ends what ``begin(_:announced:)`` started. From here on posts cost what they did before.
    ///
    /// - Parameters:
    ///   - wiring: The wiring whose deliveries were timed.
    ///   - observers: In the order of connecting.
    ///   - announced: The number of facts announced so far, heard or not.
    package func end(
        _ wiring: any Wiring, _ observers: [any FactObserver & Sendable], announced: UInt64
    ) -> WiringMap {
        setHook(false)
        let ended = state.withLock { state in
            defer { state.measurement = nil }
            state.isOn = false
            return state.measurement
        }
        guard let ended else { preconditionFailure("a measurement ends that has not begun") }
        wiring.disconnect(ended.counter)
        let posts = ended.counter.posts
        let center = wiring as? NotificationWiring
        var entries: [WiringMap.Entry] = []
        for kind in FactKind.allCases {
            var listeners: [WiringMap.Listener] = []
            for observer in observers where observer.wanted.contains(kind) {
                let identity = center?.identity(of: observer, kind)
                let calls = identity.map { ended.calls[$0] ?? WiringMap.Calls() }
                listeners.append(WiringMap.Listener(observer, calls: calls))
            }
            entries.append(WiringMap.Entry(kind: kind, posts: posts[kind.rawValue], listeners: listeners))
        }
        return WiringMap(
            entries: entries, unheard: max(0, Int(announced - ended.announced) - posts.reduce(0, +)))
    }

    /// How much more a call costs while calls are timed: the best of several short measurements on a center of its own.
    package static func price() -> Duration {
        let wiring = NotificationWiring()
        let token = wiring.center.observe(Paused.self) { _ in }
        defer { token.cancel() }
        func pass() -> Duration {
            (0..<5).map { _ in
                ContinuousClock().measure {
                    for number in 0..<200 as Range<UInt64> {
                        wiring.hear(Paused(stamp: Stamp(sequence: number, time: .zero)))
                    }
                }
            }.min()! / 200
        }
        let plain = pass()
        let times = DeliveryTimes(wiring)
        times.begin(wiring, announced: 0)
        return max(.zero, pass() - plain)
    }
}

/// Counts facts by kind.
private final class FactCounter: FactObserver, Sendable {
    let wanted: FactSet
    private let counts = Guarded(Array(repeating: 0, count: FactKind.allCases.count))

    init(_ wanted: FactSet) {
        self.wanted = wanted
    }

    /// The number of facts of each kind, by the raw value of the kind.
    var posts: [Int] { counts.withLock { $0 } }

    func hear<F: Fact>(_ fact: F) { counts.withLock { $0[F.kind.rawValue] += 1 } }
}
