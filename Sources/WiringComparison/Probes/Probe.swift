import Dispatch
import Foundation
import JuiceStand
import Platform

/// Runs the probes of one wiring; each begins with new specimens.
///
/// A probe may crash the program or never end, so the program runs each one in a process of its own; see
/// ``ProbeProcess``.
package struct Probe {
    let make: () -> any Idiom
    private let options: [Form]
    /// The processor time for a probe that repeats until it has seen enough.
    let budget: Duration

    package init(_ make: @escaping () -> any Idiom, options: [Form] = [], budget: Duration = .seconds(3)) {
        self.make = make
        self.options = options
        self.budget = budget
    }

    package init(_ choice: WiringChoice) { self.init(choice.profile.make, options: choice.profile.options) }

    /// Asks the plain form, and if the property is missing there, the option that gives it.
    package func find(_ property: Property) -> Finding {
        let plain = ask(property)
        guard plain.holds == false, let option = options.first(where: { $0.properties.contains(property) }) else {
            return plain
        }
        var found = Probe({ option.make([]) }, budget: budget).ask(property)
        guard found.holds == true else { return plain }
        found.option = option.name
        return found
    }

    private func ask(_ property: Property) -> Finding {
        property.probe?(self) ?? Finding(nil, "the compiler or a measurement establishes this")
    }

    /// Waits until `event` is true or no thread has anything left to do.
    ///
    /// - Returns: whether it is true; nil if that is not known after 10 s.
    func happens(in till: any Idiom, _ event: () -> Bool) -> Bool? {
        guard till.isConcurrent else {
            while till.turn() {}
            return event()
        }
        for _ in 0..<10_000 {
            if event() { return true }
            if isIdle(), !till.turn() { return event() }
            usleep(1000)
        }
        return nil
    }

    /// `none`, `some` or `all`: how often a race goes one way says little.
    func share(_ count: Int, _ runs: Int) -> String {
        (count == 0 ? "none" : count == runs ? "all" : "some") + " of \(runs)"
    }
}

/// What observers heard, or how often something happened, from any thread.
final class Hearing: Sendable {
    private let entries = Guarded<[UInt64]>([])

    func note(_ number: UInt64) { entries.withLock { $0.append(number) } }
    func note() { note(0) }

    /// - Returns: Whether nothing was noted before.
    func noteFirst() -> Bool {
        entries.withLock { entries in
            entries.append(0)
            return entries.count == 1
        }
    }

    var all: [UInt64] { entries.withLock { $0 } }
    var count: Int { entries.withLock { $0.count } }
    var isEmpty: Bool { count == 0 }
}

/// Observers of a till, and what each of them heard.
struct Audience {
    let till: any Idiom
    let hearings: [Hearing]
    let subscriptions: [Subscription]

    /// - Parameter hear: Called with an observer's hearing and the number of a post.
    init(
        _ till: any Idiom, _ count: Int = 1, hear: @escaping @Sendable (Hearing, UInt64) -> Void = { $0.note($1) }
    ) {
        self.till = till
        hearings = (0..<count).map { _ in Hearing() }
        subscriptions = hearings.map { hearing in till.subscribe { hear(hearing, $0) } }
    }

    /// Cancels all when every post was delivered.
    func end() {
        till.settle()
        for subscription in subscriptions { subscription.cancel() }
        till.settle()
    }
}

/// Holds the first call of an observer up until the probe has done something meanwhile.
///
/// A call on the probe's own thread is let through: the probe can't go on before it returns. If a post waits for a call
/// on another thread, neither ends, and the probe has no verdict.
final class HeldCall: Sendable {
    private let own = ObjectIdentifier(Thread.current)
    private let calls = Hearing()
    private let isInside = DispatchSemaphore(value: 0)
    private let mayGoOn = DispatchSemaphore(value: 0)

    /// Posts on another thread.
    ///
    /// - Returns: what to wait for until the post returns; nil if no observer was called in time.
    func begin(by till: any Idiom) -> DispatchGroup? {
        let group = DispatchGroup()
        let till = Slot(till)
        DispatchQueue(label: "poster").async(group: group) { till.value.post(1) }
        return isInside.wait(timeout: .now() + .seconds(15)) == .success ? group : nil
    }

    /// Called by the observers.
    ///
    /// - Returns: whether the call was held up.
    @discardableResult
    func hold() -> Bool {
        guard ObjectIdentifier(Thread.current) != own, calls.noteFirst() else { return false }
        isInside.signal()
        mayGoOn.wait()
        return true
    }

    func goOn() { mayGoOn.signal() }
}
