import Dispatch
import Foundation
import NotificationBus
import Platform
import Synchronization

/// Our center. Each form beyond plain observing and posting is an option with a price of its own.
final class TypedCenterSpecimen: IdiomSpecimen {
    let idiom: TypedCenter<Listener>
    private var center: TypedNotificationCenter { idiom.center }

    private struct Level: TypedNotification {
        static var keepsLatest: Bool { true }
        var number: UInt64
    }

    init(_ center: TypedNotificationCenter = TypedNotificationCenter()) {
        idiom = TypedCenter(center)
    }

    func post(_ number: UInt64) {
        idiom.post(Sale(order: number))
        // The same as a type that keeps its latest value.
        center.post(Level(number: number))
    }

    func observeFromNow(_ body: @escaping PostHandler) -> LateSubscription? {
        let token = center.observe(Level.self, replayingLatest: true) { body($0.number) }
        return (Subscription { token.cancel() }, "replayingLatest gave it the kept value")
    }

    func observe(on queue: DispatchQueue, _ body: @escaping PostHandler) -> Subscription? {
        let token = center.observe(Sale.self, on: queue) { body($0.order) }
        return Subscription { token.cancel() }
    }

    func observeHeldWeakly(whenReleased: @escaping @Sendable () -> Void) -> Subscription? {
        let token = center.observe(Sale.self, with: Listener({ _ in }, whenReleased: whenReleased)) { $0.note($1) }
        return Subscription { token.cancel() }
    }

    func observeWithWaitingCancel(_ body: @escaping PostHandler) -> Subscription? {
        let token = center.observe(Sale.self) { body($0.order) }
        return Subscription { token.cancelAndWait() }
    }

    func postToThrowing(_ observers: [@Sendable () throws -> Void]) -> String? {
        let failures = Atomic(0)
        let tokens =
            [center.observe(ObserverFailed.self) { _ in failures.add(1, ordering: .relaxed) }]
            + observers.map { observer in center.observe(Sale.self) { _ in try observer() } }
        post(1)
        return withExtendedLifetime(tokens) {
            "the center posted it as ObserverFailed, \(failures.load(ordering: .relaxed)) time"
        }
    }

    func makeAnotherPoster() -> any Specimen { TypedCenterSpecimen(center) }

    func callsForSubclass() -> Int {
        let calls = Atomic(0)
        let token = center.observe(BaseFact.self) { _ in calls.add(1, ordering: .relaxed) }
        center.post(SubFact())
        return withExtendedLifetime(token) { calls.load(ordering: .relaxed) }
    }

    func observersListed() -> [String]? { center.diagnostics.observations().map { "\($0.place)" } }

    func postUnheard() -> String? {
        center.diagnostics.isMeasuring = true
        defer { center.diagnostics.isMeasuring = false }
        idiom.post(Sale(order: 1))
        let isCounted = center.diagnostics.unheardPosts().contains { $0.notification == Sale.self && $0.count == 1 }
        return isCounted ? "the center, which counts such posts while it measures" : nil
    }
}

/// Unchecked because the probe needs a subclass, and the compiler accepts only final classes. It has no state.
private class BaseFact: TypedNotification, @unchecked Sendable {
    init() {}
}

/// Unchecked because its superclass is. It adds no state.
private final class SubFact: BaseFact, @unchecked Sendable {}

final class NamedCenterSpecimen: IdiomSpecimen {
    let idiom: NamedCenter<Listener>

    init(_ idiom: NamedCenter<Listener> = NamedCenter()) {
        self.idiom = idiom
    }

    func observe(on queue: DispatchQueue, _ body: @escaping PostHandler) -> Subscription? {
        let operations = OperationQueue()
        unsafe operations.underlyingQueue = queue
        let center = idiom.center
        let token = center.addObserver(forName: .juiceSold, object: nil, queue: operations) {
            if let sale = $0.userInfo?["sale"] as? Sale { body(sale.order) }
        }
        // The center does not keep the queue alive.
        return Subscription { withExtendedLifetime(operations) { center.removeObserver(token) } }
    }

    func makeAnotherPoster() -> any Specimen { NamedCenterSpecimen(NamedCenter(idiom.center)) }

    func callsForSubclass() -> Int {
        let calls = Atomic(0)
        let token = idiom.center.addObserver(forName: .juiceSold, object: nil, queue: nil) {
            if $0.userInfo?["sale"] is BaseSale { calls.add(1, ordering: .relaxed) }
        }
        idiom.center.post(name: .juiceSold, object: nil, userInfo: ["sale": SubSale()])
        return withExtendedLifetime(token) { calls.load(ordering: .relaxed) }
    }
}

final class MessageCenterSpecimen: IdiomSpecimen {
    let idiom: MessageCenter<Listener>
    var isConcurrent: Bool { true }
    /// Messages that something still holds.
    private let underWay: DispatchGroup

    init(_ idiom: MessageCenter<Listener> = MessageCenter(), _ underWay: DispatchGroup = DispatchGroup()) {
        self.idiom = idiom
        self.underWay = underWay
    }

    func observe(asynchronously body: @escaping AsyncPostHandler) -> Subscription? {
        let center = idiom.center
        let token = center.addObserver(for: MessageCenter<Listener>.Message.self) { message in
            await body(message.sale.order)
            withExtendedLifetime(message) {}
        }
        return Subscription { center.removeObserver(token) }
    }

    func post(_ number: UInt64) {
        idiom.center.post(MessageCenter<Listener>.Message(sale: Sale(order: number), receipt: Receipt(underWay)))
    }

    /// Messages of two posters can stay in the center for good, so this also returns when no thread has anything left
    /// to do.
    func settle() {
        while underWay.wait(timeout: .now() + .milliseconds(10)) == .timedOut, !isIdle() {}
    }

    func makeAnotherPoster() -> any Specimen { MessageCenterSpecimen(MessageCenter(idiom.center), underWay) }

    func callsForSubclass() -> Int {
        let calls = Hearing()
        let token = idiom.center.addObserver(for: BaseMessage.self) { _ in calls.note(1) }
        idiom.center.post(SubMessage())
        while !isIdle() { usleep(1000) }
        return withExtendedLifetime(token) { calls.count }
    }
}

private class BaseMessage: NotificationCenter.AsyncMessage, @unchecked Sendable {
    typealias Subject = NotificationCenter
    init() {}
}

private final class SubMessage: BaseMessage, @unchecked Sendable {}

final class MainMessageCenterSpecimen: IdiomSpecimen {
    let idiom: MainMessageCenter<Listener>

    init(_ idiom: MainMessageCenter<Listener> = MainMessageCenter()) {
        self.idiom = idiom
    }

    func makeAnotherPoster() -> any Specimen { MainMessageCenterSpecimen(MainMessageCenter(idiom.center)) }

    func callsForSubclass() -> Int {
        let calls = Atomic(0)
        let token = idiom.center.addObserver(for: BaseMainMessage.self) { _ in calls.add(1, ordering: .relaxed) }
        MainActor.assumeIsolated { [center = idiom.center] in center.post(SubMainMessage()) }
        return withExtendedLifetime(token) { calls.load(ordering: .relaxed) }
    }
}

private class BaseMainMessage: NotificationCenter.MainActorMessage, @unchecked Sendable {
    typealias Subject = NotificationCenter
    init() {}
}

private final class SubMainMessage: BaseMainMessage, @unchecked Sendable {}
