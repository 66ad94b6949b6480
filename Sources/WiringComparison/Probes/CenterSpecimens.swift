import Dispatch
import Foundation
import NotificationBus
import Platform
import Synchronization

/// Our center. Each form beyond plain observing and posting is an option with a price of its own.
final class TypedCenterSpecimen: IdiomSpecimen {
    let idiom: TypedCenter<Listener>
    private var center: TypedNotificationCenter { idiom.center }

    private struct Level: KeptNotification {
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

    func makeAnotherPoster() -> any Specimen { TypedCenterSpecimen(center) }

    func observersListed() -> [String]? { center.observations().map { "\($0.place)" } }

    func postUnheard() -> String? {
        let unheard = Atomic(0)
        center.onDelivery = { observation, type, _ in
            if observation == nil && type == Sale.self { unheard.add(1, ordering: .relaxed) }
        }
        defer { center.onDelivery = nil }
        idiom.post(Sale(order: 1))
        return unheard.load(ordering: .relaxed) == 1 ? "the center, which tells `onDelivery` of such posts," : nil
    }
}

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
}

final class MessageCenterSpecimen: IdiomSpecimen {
    let idiom: MessageCenter<Listener>
    var isConcurrent: Bool { true }

    init(_ idiom: MessageCenter<Listener> = MessageCenter()) {
        self.idiom = idiom
    }

    func observe(asynchronously body: @escaping AsyncPostHandler) -> Subscription? {
        let center = idiom.center
        let token = center.addObserver(for: MessageCenter<Listener>.Message.self) { await body($0.sale.order) }
        return Subscription { center.removeObserver(token) }
    }

    func observe(on queue: DispatchQueue, _ body: @escaping PostHandler) -> Subscription? {
        let reader = QueueReader(queue)
        return observe(asynchronously: { await reader.pass($0, to: body) })
    }

    func makeAnotherPoster() -> any Specimen { MessageCenterSpecimen(MessageCenter(idiom.center)) }
}

final class MessageSequenceSpecimen: SequenceSpecimen {
    let idiom: MessageSequence<Listener>

    init(_ idiom: MessageSequence<Listener> = MessageSequence()) {
        self.idiom = idiom
    }

    func read(_ take: @escaping Taking) -> Subscription {
        let iterator = idiom.center.messages(for: MessageSequence<Listener>.Message.self).makeAsyncIterator()
        let task = Task {
            var messages = iterator
            while let message = await messages.next(isolation: nil), await take(message.sale.order) {}
        }
        return Subscription { task.cancel() }
    }

    func makeAnotherPoster() -> any Specimen { MessageSequenceSpecimen(MessageSequence(idiom.center)) }
}

final class MainMessageCenterSpecimen: IdiomSpecimen {
    let idiom: MainMessageCenter<Listener>

    init(_ idiom: MainMessageCenter<Listener> = MainMessageCenter()) {
        self.idiom = idiom
    }

    func makeAnotherPoster() -> any Specimen { MainMessageCenterSpecimen(MainMessageCenter(idiom.center)) }
}
