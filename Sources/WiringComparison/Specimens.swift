import Dispatch
import JuiceStand

extension WiringChoice {
    /// The mechanism for the probes; one without a specimen of its own is probed by its wiring alone.
    package func makeSpecimen() -> any Specimen {
        switch self {
        case .direct: DirectSpecimen()
        case .delegate: DelegateSpecimen()
        case .closure: ClosureSpecimen()
        case .multicastDelegate: MulticastDelegateSpecimen()
        case .notification: NotificationSpecimen()
        case .foundationNotification: FoundationNotificationSpecimen()
        case .foundationMessage: FoundationMessageSpecimen()
        case .foundationMessageMain: FoundationMainMessageSpecimen()
        case .observation: ObservationSpecimen()
        case .asyncStream: AsyncStreamSpecimen()
        default: WiringSpecimen(makeBareWiring)
        }
    }
}

final class DirectSpecimen: WiringBacked {
    let wiring: any Wiring = DirectWiring()

    /// Somebody the poster knows, who knows something.
    private final class Clerk {
        let answer: UInt64
        init(_ answer: UInt64) { self.answer = answer }
        @inline(never) func howMuchIsLeft() -> UInt64 { answer }
    }

    func ask(_ answer: UInt64) -> UInt64? { Clerk(answer).howMuchIsLeft() }
    func makeAnotherPoster() -> any Specimen { DirectSpecimen() }
}

final class DelegateSpecimen: WiringBacked {
    private let stand = DelegateWiring()
    var wiring: any Wiring { stand }

    /// A delegate of its own instead of the coordinator that passes facts on.
    private final class Listener: FactSink {
        let body: @Sendable (UInt64) -> Void
        init(_ body: @escaping @Sendable (UInt64) -> Void) { self.body = body }
        func announce<F: Fact>(_ fact: F) { if let placed = fact as? OrderPlaced { body(placed.order) } }
    }

    private final class Asker {
        weak var delegate: (any AskedDelegate)?
        func ask() -> UInt64? { delegate?.howMuchIsLeft() }
    }

    private final class Clerk: AskedDelegate {
        let answer: UInt64
        init(_ answer: UInt64) { self.answer = answer }
        func howMuchIsLeft() -> UInt64 { answer }
    }

    func observePlainly(_ body: @escaping @Sendable (UInt64) -> Void) -> Subscription {
        let listener = Listener(body)
        stand.delegate = listener
        return Subscription { [stand] in if stand.delegate === listener { stand.delegate = nil } }
    }

    func ask(_ answer: UInt64) -> UInt64? {
        let (asker, clerk) = (Asker(), Clerk(answer))
        asker.delegate = clerk
        return withExtendedLifetime(clerk) { asker.ask() }
    }

    func makeAnotherPoster() -> any Specimen { DelegateSpecimen() }

    func postUnheard() -> String? {
        func call() -> Void? { stand.delegate?.announce(OrderPlaced(number: 1)) }
        let listener = Listener { _ in }
        stand.delegate = listener
        let isHeard = withExtendedLifetime(listener) { call() != nil }
        stand.delegate = nil
        return isHeard && call() == nil ? "the poster, whose call gave nil" : nil
    }
}

private protocol AskedDelegate: AnyObject {
    func howMuchIsLeft() -> UInt64
}

final class MulticastDelegateSpecimen: WiringBacked {
    let wiring: any Wiring = MulticastDelegateWiring()

    func makeAnotherPoster() -> any Specimen { MulticastDelegateSpecimen() }
}

final class ClosureSpecimen: WiringBacked {
    let wiring: any Wiring = ClosureWiring()

    func ask(_ answer: UInt64) -> UInt64? {
        let howMuchIsLeft = Slot<(() -> UInt64)?>(nil)
        howMuchIsLeft.value = { answer }
        return howMuchIsLeft.value?()
    }

    func makeAnotherPoster() -> any Specimen { ClosureSpecimen() }
}

final class AsyncStreamSpecimen: WiringBacked {
    let wiring: any Wiring = AsyncStreamWiring()

    func makeAnotherPoster() -> any Specimen { AsyncStreamSpecimen() }

    func observeInTwoParts(
        _ first: @escaping @Sendable (UInt64) -> Void, suspendingWhile isWaiting: @escaping @Sendable (UInt64) -> Bool,
        _ second: @escaping @Sendable (UInt64) -> Void
    ) -> Subscription {
        let (stream, continuation) = AsyncStream.makeStream(of: UInt64.self)
        Task { [underWay] in
            for await number in stream {
                first(number)
                while isWaiting(number) { await Task.yield() }
                second(number)
                underWay.leave()
            }
        }
        let key = suspending.isEmpty ? 0 : suspending.keys.max()! + 1
        suspending[key] = continuation
        return Subscription { [self] in suspending.removeValue(forKey: key)?.finish() }
    }

    /// Streams that are not the wiring's, in the order of observing.
    private var suspending: [Int: AsyncStream<UInt64>.Continuation] = [:]
    /// What was yielded to them and has yet to be dealt with.
    private let underWay = DispatchGroup()

    func post(_ number: UInt64) {
        for (_, continuation) in suspending.sorted(by: { $0.key < $1.key }) {
            underWay.enter()
            continuation.yield(number)
        }
        wiring.announce(OrderPlaced(number: number))
    }

    func settle() {
        wiring.settle()
        underWay.wait()
    }

    func postToThrowing(_ observers: [@Sendable () throws -> Void]) -> String? {
        let done = DispatchGroup()
        var continuations: [AsyncStream<UInt64>.Continuation] = []
        for observer in observers {
            let (stream, continuation) = AsyncStream.makeStream(of: UInt64.self)
            done.enter()
            Task {
                defer { done.leave() }
                for await _ in stream { try observer() }
            }
            continuations.append(continuation)
        }
        for continuation in continuations { continuation.yield(1) }
        for continuation in continuations { continuation.finish() }
        done.wait()
        return "it ended that observer's task, which nobody waits for"
    }
}
