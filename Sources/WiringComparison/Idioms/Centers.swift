import Foundation
import NotificationBus

/// Our center with a token for each observer and no option.
final class TypedCenter<Observer: SaleObserver>: OpenIdiom {
    let center: TypedNotificationCenter

    init() { center = TypedNotificationCenter() }

    /// Another poster to the same center.
    init(_ center: TypedNotificationCenter) { self.center = center }

    func add(_ observer: Observer) -> ObservationToken {
        center.observe(Sale.self) { observer.note($0) }
    }

    func remove(_ token: ObservationToken) { token.cancel() }

    @inline(__always)
    func post(_ sale: Sale) { center.post(sale) }
}

/// Foundation's center with a name and a dictionary.
final class NamedCenter<Observer: SaleObserver>: OpenIdiom {
    let center: NotificationCenter
    private let name = Notification.Name.juiceSold

    init() { center = NotificationCenter() }
    init(_ center: NotificationCenter) { self.center = center }

    func add(_ observer: Observer) -> any NSObjectProtocol {
        center.addObserver(forName: name, object: nil, queue: nil) {
            if let sale = $0.userInfo?["sale"] as? Sale { observer.note(sale) }
        }
    }

    func remove(_ token: any NSObjectProtocol) { center.removeObserver(token) }

    func post(_ sale: Sale) { center.post(name: name, object: nil, userInfo: ["sale": sale]) }
}

extension Notification.Name {
    static let juiceSold = Notification.Name("juice.sold")
}

/// Foundation's typed messages, delivered later by tasks.
final class MessageCenter<Observer: SaleObserver>: OpenIdiom {
    struct Message: NotificationCenter.AsyncMessage {
        typealias Subject = NotificationCenter
        let sale: Sale
    }

    let center: NotificationCenter

    init() { center = NotificationCenter() }
    init(_ center: NotificationCenter) { self.center = center }

    func add(_ observer: Observer) -> NotificationCenter.ObservationToken {
        center.addObserver(for: Message.self) { observer.note($0.sale) }
    }

    func remove(_ token: NotificationCenter.ObservationToken) { center.removeObserver(token) }

    func post(_ sale: Sale) { center.post(Message(sale: sale)) }
}

/// Foundation's typed messages as a sequence, which a task reads. The center keeps the newest ten for each reader.
final class MessageSequence<Observer: SaleObserver>: OpenIdiom {
    struct Message: NotificationCenter.AsyncMessage {
        typealias Subject = NotificationCenter
        let sale: Sale
    }

    let center: NotificationCenter

    init() { center = NotificationCenter() }
    init(_ center: NotificationCenter) { self.center = center }

    func add(_ observer: Observer) -> Task<Void, Never> {
        // The center keeps messages for an iterator, and a task begins in its own time. So the task is handed one.
        let iterator = center.messages(for: Message.self).makeAsyncIterator()
        return Task {
            var messages = iterator
            while let message = await messages.next(isolation: nil) { observer.note(message.sale) }
        }
    }

    func remove(_ task: Task<Void, Never>) { task.cancel() }

    func post(_ sale: Sale) { center.post(Message(sale: sale)) }
}

/// Foundation's typed messages for the main actor, delivered at once.
///
/// Posts must come from the main actor.
final class MainMessageCenter<Observer: SaleObserver>: OpenIdiom {
    private struct Message: NotificationCenter.MainActorMessage {
        typealias Subject = NotificationCenter
        let sale: Sale
    }

    let center: NotificationCenter

    init() { center = NotificationCenter() }
    init(_ center: NotificationCenter) { self.center = center }

    func add(_ observer: Observer) -> NotificationCenter.ObservationToken {
        center.addObserver(for: Message.self) { observer.note($0.sale) }
    }

    func remove(_ token: NotificationCenter.ObservationToken) { center.removeObserver(token) }

    func post(_ sale: Sale) {
        MainActor.assumeIsolated { [center] in center.post(Message(sale: sale)) }
    }
}
