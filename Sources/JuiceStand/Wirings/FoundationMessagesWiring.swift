import FoundationEssentials
import NotificationBus

/// Foundation's typed messages as sequences: the stand posts a value, and a task for each observer reads it.
///
/// Couples both sides to Foundation's center and the message's type, but not to each other. The center keeps the newest
/// ten messages for each reader and drops the others.
final class FoundationMessagesWiring: WaitingWiring, Wiring {
    private let center = NotificationCenter()

    func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        // The center keeps messages for an iterator, and a task begins in its own time. So the task is handed one.
        let iterator = center.messages(for: FactMessage<F>.self).makeAsyncIterator()
        let reader = read(observer, type) { hear in
            var messages = iterator
            while let message = await messages.next(isolation: nil) { hear(message.fact) }
        }
        table.append(reader, to: F.kind, of: observer)
    }

    func hear<F: Fact>(_ fact: F) {
        center.post(FactMessage(fact: fact))
        wait(for: F.kind)
    }
}

extension WiringChoice {
    package static let foundationMessages = WiringChoice(
        "foundation-messages", "Foundation's messages(of:for:): a sequence that keeps ten", .later
    ) { FoundationMessagesWiring() }
}
