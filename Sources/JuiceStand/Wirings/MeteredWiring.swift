import Dispatch
import NotificationBus
import Platform

/// Keeps the observers of each fact, and measures how long a wiring takes to deliver a fact: from the post until
/// every observer has returned.
///
/// If the wiring delivers on other threads, the time includes the wait for them.
package final class MeteredWiring: Wiring {
    private let base: any Wiring
    private let meter: DeliveryMeter

    package init(_ base: any Wiring, _ meter: DeliveryMeter) {
        self.base = base
        self.meter = meter
        if let notification = base as? NotificationWiring { meter.watch(notification.center) }
    }

    package var wanted: FactSet { base.wanted }

    package func connect(_ observer: AnyObject) {
        base.connect(observer)
        meter.connect(observer)
    }

    package func connect<F: Fact>(_ observer: F.Observer, to type: F.Type) {
        base.connect(observer, to: type)
        meter.connect(observer, to: type)
    }

    package func disconnect(_ observer: AnyObject) {
        base.disconnect(observer)
        meter.disconnect(observer)
    }

    package func announce<F: Fact>(_ fact: F) {
        let posted = DispatchTime.now().uptimeNanoseconds
        fact.announce(to: base)
        meter.record(F.kind, DispatchTime.now().uptimeNanoseconds - posted)
    }

    package func settle() { base.settle() }
}

/// What a ``MeteredWiring`` has noted and measured, readable from any thread.
///
/// Deliveries are always timed. The calls of each observer are timed between ``begin(announced:)`` and
/// ``end(announced:)``, with the hook of the notification center; other wirings have none.
///
/// It is a wiring itself, so that it finds the facts of an observer as others do; it announces nothing.
package final class DeliveryMeter: Wiring, Sendable {
    /// The posts of one kind of fact, and the time of their deliveries.
    struct Posts {
        var count = 0
        var nanoseconds: UInt64 = 0
    }

    private struct Listener {
        var owner: ObjectIdentifier
        var name: String
    }

    private struct State {
        var spans = Histogram()
        var posts = Array(repeating: Posts(), count: FactKind.allCases.count)
        /// In the order of connecting, by kind of fact.
        var listeners: [[Listener]] = Array(repeating: [], count: FactKind.allCases.count)
        /// What the center calls the facts that were connected to.
        var types: [FactKind: String] = [:]
        var center: TypedNotificationCenter?
        /// The calls that were timed since the measurement began.
        var calls: [ObservationIdentity: WiringMap.Calls] = [:]
        /// The posts, and all facts that were announced, when the measurement began.
        var start: (posts: [Posts], announced: UInt64)?
    }

    private let state = Guarded(State())

    package init() {}

    /// Wall time of each delivery so far.
    package var deliveries: Histogram { state.withLock { $0.spans } }

    func record(_ kind: FactKind, _ nanoseconds: UInt64) {
        state.withLock { state in
            state.spans.record(SimulationTime(nanoseconds: Int64(nanoseconds)))
            state.posts[kind.rawValue].count += 1
            state.posts[kind.rawValue].nanoseconds += nanoseconds
        }
    }

    /// Has the calls of the center's observers timed, when calls are.
    func watch(_ center: TypedNotificationCenter) { state.withLock { $0.center = center } }

    package var wanted: FactSet { [] }

    package func connect<F: Fact>(_ observer: F.Observer, to type: F.Type) {
        let object = observer as AnyObject
        let listener = Listener(
            owner: ObjectIdentifier(object),
            name: (object as? any CustomStringConvertible)?.description ?? "\(Swift.type(of: object))")
        state.withLock { state in
            state.listeners[F.kind.rawValue].append(listener)
            state.types[F.kind] = String(reflecting: type)
        }
    }

    package func disconnect(_ observer: AnyObject) {
        state.withLock { state in
            for kind in state.listeners.indices {
                state.listeners[kind].removeAll { $0.owner == ObjectIdentifier(observer) }
            }
        }
    }

    package func announce<F: Fact>(_ fact: F) {}
}

// MARK: - Measuring for a while

extension DeliveryMeter {
    /// Starts to time the calls of each observer. Call it between two posts.
    ///
    /// - Parameter announced: The facts announced so far, heard or not.
    package func begin(announced: UInt64) {
        let center = state.withLock { state in
            state.start = (state.posts, announced)
            state.calls = [:]
            return state.center
        }
        center?.onDelivery = { [weak self] observation, _, duration in
            if let observation { self?.count(observation, duration) }
        }
    }

    private func count(_ observation: ObservationIdentity, _ duration: Duration) {
        state.withLock { state in
            var calls = state.calls[observation] ?? WiringMap.Calls(count: 0, total: .zero, slowest: .zero)
            calls.count += 1
            calls.total += duration
            calls.slowest = max(calls.slowest, duration)
            state.calls[observation] = calls
        }
    }

    /// Ends what ``begin(announced:)`` started, and says what was found. From here on posts cost what they did before.
    package func end(announced: UInt64) -> WiringMap {
        let center = state.withLock { $0.center }
        center?.onDelivery = nil
        // In the order of delivery, which is that of connecting.
        let reports = Dictionary(grouping: center?.observations() ?? [], by: \.notification)
        return state.withLock { state in
            let start = state.start ?? (state.posts, announced)
            state.start = nil
            let entries = FactKind.allCases.map { kind in
                let listeners = state.listeners[kind.rawValue].enumerated().map { place, listener in
                    let observed = state.types[kind].flatMap { reports[$0] } ?? []
                    let report = place < observed.count ? observed[place] : nil
                    let none = WiringMap.Calls(count: 0, total: .zero, slowest: .zero)
                    return WiringMap.Listener(
                        name: listener.name, calls: report.map { state.calls[$0.identity] ?? none })
                }
                let (before, now) = (start.posts[kind.rawValue], state.posts[kind.rawValue])
                return WiringMap.Entry(
                    kind: kind, posts: now.count - before.count,
                    delivery: .nanoseconds(Int64(now.nanoseconds - before.nanoseconds)), listeners: listeners)
            }
            let heard = entries.reduce(0) { $0 + $1.posts }
            return WiringMap(entries: entries, unheard: max(0, Int(announced - start.announced) - heard))
        }
    }

    /// How much more a call costs while calls are timed: the best of several short measurements on a center of its own.
    package static func price() -> Duration {
        let center = TypedNotificationCenter()
        let token = center.observe(Paused.self) { _ in }
        defer { token.cancel() }
        func pass() -> Duration {
            (0..<5).map { _ in
                ContinuousClock().measure {
                    for number in 0..<200 as Range<UInt64> {
                        center.post(Paused(stamp: Stamp(sequence: number, time: .zero)))
                    }
                }
            }.min()! / 200
        }
        let plain = pass()
        let meter = DeliveryMeter()
        meter.watch(center)
        meter.begin(announced: 0)
        return max(.zero, pass() - plain)
    }
}
