import JuiceStand

/// One way of reaching observers, as the probes use it: what is posted is a number.
///
/// A specimen says what its mechanism has, in the idiom of those who use it; the defaults are those of one that has no
/// more than observing and posting.
package protocol Specimen: AnyObject {
    /// Has `body` called with every post until it is cancelled, or until the subscription is released where the
    /// mechanism sees to that.
    func observe(_ body: @escaping @Sendable (UInt64) -> Void) -> Subscription

    func post(_ number: UInt64)

    /// Returns when everything posted so far has been heard.
    func settle()

    /// As ``observe(_:)``, by the mechanism alone and nothing that was built around it.
    func observePlainly(_ body: @escaping @Sendable (UInt64) -> Void) -> Subscription

    /// As ``observe(_:)``, for an observer that wants the current value first.
    func observeFromNow(_ body: @escaping @Sendable (UInt64) -> Void) -> Subscription

    /// As ``observe(_:)``, for an observer that suspends between two parts of its work, as long as `isWaiting` says so.
    ///
    /// Where observers are called and not awaited they can't suspend, and `isWaiting` is not asked.
    func observeInTwoParts(
        _ first: @escaping @Sendable (UInt64) -> Void, suspendingWhile isWaiting: @escaping @Sendable (UInt64) -> Bool,
        _ second: @escaping @Sendable (UInt64) -> Void
    ) -> Subscription

    /// Posts to observers that may throw, in order; nil where the mechanism does not let them.
    ///
    /// - Returns: what became of an error.
    func postToThrowing(_ observers: [@Sendable () throws -> Void]) -> String?

    /// Asks an observer that would answer `answer`; nil where nothing comes back.
    func ask(_ answer: UInt64) -> UInt64?

    /// Another poster, made later, which has what the mechanism gives to strangers.
    func makeAnotherPoster() -> any Specimen

    /// How many of the observers the mechanism can name; nil where it has no way to.
    func observersListed() -> Int?

    /// Posts something that nobody hears, and tells who noticed; nil where nobody did.
    func postUnheard() -> String?

    /// Posts under a misspelt name and with a misspelt payload, and tells what became of it; nil where a program that
    /// did would not compile.
    func postMisspelt() -> String?
}

/// A specimen that is one of the stand's wirings and perhaps a little more.
protocol WiringBacked: Specimen {
    var wiring: any Wiring { get }
}

/// A wiring about which nothing more is known.
package final class WiringSpecimen: WiringBacked {
    package let wiring: any Wiring
    private let make: () -> any Wiring

    package init(_ make: @escaping () -> any Wiring) {
        self.make = make
        wiring = make()
    }

    package func makeAnotherPoster() -> any Specimen { WiringSpecimen(make) }
}

extension WiringBacked {
    package func observe(_ body: @escaping @Sendable (UInt64) -> Void) -> Subscription {
        let listener = FactListener { body($0.order) }
        wiring.connect(listener, to: OrderPlaced.self)
        return Subscription { [wiring] in wiring.disconnect(listener) }
    }

    package func post(_ number: UInt64) {
        wiring.announce(OrderPlaced(number: number))
    }

    package func settle() {
        wiring.settle()
    }

    /// Looks through what the poster holds, and what that holds.
    package func observersListed() -> Int? {
        var seen: Set<ObjectIdentifier> = []
        var found = 0
        func look(_ value: Any, _ depth: Int) {
            guard depth < 10 else { return }
            let mirror = Mirror(reflecting: value)
            if mirror.displayStyle == .class {
                guard seen.insert(ObjectIdentifier(value as AnyObject)).inserted else { return }
                if value is FactListener { found += 1 }
            }
            for child in mirror.children { look(child.value, depth + 1) }
        }
        look(wiring, 0)
        return found > 0 ? found : nil
    }

    package func postUnheard() -> String? {
        observe { _ in }.cancel()
        settle()
        post(1)
        return wiring.wanted.contains(.orderPlaced) ? nil : "the poster, whose own list is empty"
    }
}

extension Specimen {
    package func observePlainly(_ body: @escaping @Sendable (UInt64) -> Void) -> Subscription { observe(body) }

    package func observeFromNow(_ body: @escaping @Sendable (UInt64) -> Void) -> Subscription { observe(body) }

    package func observeInTwoParts(
        _ first: @escaping @Sendable (UInt64) -> Void, suspendingWhile isWaiting: @escaping @Sendable (UInt64) -> Bool,
        _ second: @escaping @Sendable (UInt64) -> Void
    ) -> Subscription {
        observe {
            first($0)
            second($0)
        }
    }

    package func postToThrowing(_ observers: [@Sendable () throws -> Void]) -> String? { nil }

    package func ask(_ answer: UInt64) -> UInt64? { nil }

    package func observersListed() -> Int? { nil }

    package func postUnheard() -> String? { nil }

    package func postMisspelt() -> String? { nil }
}

extension OrderPlaced {
    /// What is posted in measurements.
    package init(number: UInt64) {
        self.init(
            stamp: Stamp(sequence: number, time: .zero), order: number, juice: Juice(index: 0), cups: 1, by: .customer)
    }
}
