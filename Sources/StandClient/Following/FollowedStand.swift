import HTTPServer
import Platform
import TextFormats

/// One of the stands that a ``StandsFollower`` follows: how far it has come, and its connection.
package final class FollowedStand {
    enum Phase {
        /// Waits until this instant of the monotonic clock, in nanoseconds.
        case idle(until: UInt64)
        /// Waits for a name server.
        case resolving(Resolution)
        /// Has the status, and waits until all stands can get their names.
        case nameless
        /// Gives up at the deadline, an instant of the same clock.
        case talking(Exchange, deadline: UInt64)
    }

    /// The addresses of a name, once they are known.
    final class Resolution: Sendable {
        let addresses = Guarded<[NetworkAddress]?>(nil)
    }

    package let target: StandTarget
    /// The name that the list of targets gives it.
    private var label: String?
    /// Its label or its own name, made unique among the stands followed; nil before the first contact.
    package internal(set) var name: String?
    /// The stand's clock when it was last reached.
    package var clock: StandClock { (status ?? StatusDocument()).clock }
    /// The number of the last event that was reported; nil before the first contact.
    package internal(set) var last: UInt64?
    /// Whether its last event has been reported.
    package internal(set) var hasEnded = false

    /// Whether it is among the targets.
    var isWanted = true
    /// Whether it has answered or failed to.
    var wasTried = false
    /// The last status.
    var status: StatusDocument?
    var phase = Phase.idle(until: 0)
    var addresses: [NetworkAddress] = []
    /// Failed attempts since it was last heard of.
    package internal(set) var failures = 0
    /// Whether its absence was reported.
    var isAway = false
    /// Whether its last answer was not that of a stand. A heartbeat alone then does not show that it is back.
    var isFaulty = false
    /// Whether it has sent an event.
    var hasSpoken = false

    init(_ target: StandTarget, label: String?, after last: UInt64?) {
        self.target = target
        self.label = label
        self.last = last
    }

    var isNameless: Bool { if case .nameless = phase { true } else { false } }

    /// The name that it has unless another stand has it, too.
    var wish: String { label ?? (status?.stand).flatMap { $0.isEmpty ? nil : $0 } ?? "\(target)" }

    /// - Returns: Whether it has a new label, and so needs another name.
    func relabel(_ label: String?) -> Bool {
        defer { self.label = label }
        return label != self.label
    }

    /// The name; the target until it has one.
    package var nameOrTarget: String { name ?? "\(target)" }

    func close(until instant: UInt64) {
        if case .talking(let exchange, _) = phase { exchange.close() }
        phase = .idle(until: instant)
    }
}

extension FollowedStand: CustomStringConvertible {
    /// For a message: the name, if it is known, and the target.
    package var description: String { name.map { "\($0) (\(target))" } ?? "\(target)" }
}
