import Dispatch
import Foundation
import Synchronization

/// Foundation's center with names and dictionaries.
final class FoundationNotificationSpecimen: Specimen {
    private let center: NotificationCenter
    private static let name = Notification.Name("juice.sold")

    init(_ center: NotificationCenter = NotificationCenter()) {
        self.center = center
    }

    func observe(_ body: @escaping @Sendable (UInt64) -> Void) -> Subscription {
        observe(Self.name, "number", body)
    }

    private func observe(
        _ name: Notification.Name, _ key: String, _ body: @escaping @Sendable (UInt64) -> Void
    ) -> Subscription {
        let token = center.addObserver(forName: name, object: nil, queue: nil) { notification in
            guard let number = notification.userInfo?[key] as? UInt64 else { return }
            body(number)
        }
        return Subscription { [center] in center.removeObserver(token) }
    }

    func post(_ number: UInt64) {
        center.post(name: Self.name, object: nil, userInfo: ["number": number])
    }

    func settle() {}

    func makeAnotherPoster() -> any Specimen { FoundationNotificationSpecimen(center) }

    func postMisspelt() -> String? {
        let heard = Slot(0)
        let subscriptions = [
            observe(Notification.Name("juice.slod"), "number") { _ in heard.value += 1 },
            observe(Self.name, "nubmer") { _ in heard.value += 1 },
        ]
        post(1)
        for subscription in subscriptions { subscription.cancel() }
        guard heard.value == 0 else { return nil }
        return "of 1 post, an observer of a misspelt name and one that reads a misspelt key heard 0"
    }
}

/// Foundation's typed messages, delivered by tasks.
final class FoundationMessageSpecimen: Specimen {
    private let center: NotificationCenter
    /// Posts whose message is still somewhere.
    private let underWay: DispatchGroup
    /// Calls that were made.
    private let heard = Tally()

    private final class Tally: Sendable {
        private let count = Atomic(0)
        func add(_ more: Int) { count.add(more, ordering: .relaxed) }
        var value: Int { count.load(ordering: .relaxed) }
    }

    private struct Note: NotificationCenter.AsyncMessage {
        typealias Subject = NotificationCenter
        let number: UInt64
        let receipt: Receipt
    }

    /// Goes when the last copy of its message goes.
    private final class Receipt: Sendable {
        private let underWay: DispatchGroup

        init(_ underWay: DispatchGroup) {
            underWay.enter()
            self.underWay = underWay
        }

        deinit {
            underWay.leave()
        }
    }

    init(_ center: NotificationCenter = NotificationCenter(), _ underWay: DispatchGroup = DispatchGroup()) {
        self.center = center
        self.underWay = underWay
    }

    func observe(_ body: @escaping @Sendable (UInt64) -> Void) -> Subscription {
        // The receipt must not go before the call is over.
        let token = center.addObserver(for: Note.self) { [heard] note in
            withExtendedLifetime(note) { body(note.number) }
            heard.add(1)
        }
        return Subscription { [center] in center.removeObserver(token) }
    }

    func observeInTwoParts(
        _ first: @escaping @Sendable (UInt64) -> Void, suspendingWhile isWaiting: @escaping @Sendable (UInt64) -> Bool,
        _ second: @escaping @Sendable (UInt64) -> Void
    ) -> Subscription {
        let token = center.addObserver(for: Note.self) { note in
            first(note.number)
            while isWaiting(note.number) { await Task.yield() }
            withExtendedLifetime(note) { second(note.number) }
        }
        return Subscription { [center] in center.removeObserver(token) }
    }

    func post(_ number: UInt64) {
        center.post(Note(number: number, receipt: Receipt(underWay)))
    }

    /// Waits as long as anything moves: messages of two posters have been seen to stay where they are.
    func settle() {
        var before = -1
        while underWay.wait(timeout: .now() + .seconds(3)) == .timedOut {
            let now = heard.value
            if now == before { return }
            before = now
        }
    }

    func makeAnotherPoster() -> any Specimen { FoundationMessageSpecimen(center, underWay) }
}

/// Foundation's typed messages for the main actor.
final class FoundationMainMessageSpecimen: Specimen {
    private let center: NotificationCenter

    private struct Note: NotificationCenter.MainActorMessage {
        typealias Subject = NotificationCenter
        let number: UInt64
    }

    init(_ center: NotificationCenter = NotificationCenter()) {
        self.center = center
    }

    func observe(_ body: @escaping @Sendable (UInt64) -> Void) -> Subscription {
        let token = center.addObserver(for: Note.self) { body($0.number) }
        return Subscription { [center] in center.removeObserver(token) }
    }

    /// - Precondition: called on the main actor.
    func post(_ number: UInt64) {
        MainActor.assumeIsolated { [center] in center.post(Note(number: number)) }
    }

    func settle() {}

    func makeAnotherPoster() -> any Specimen { FoundationMainMessageSpecimen(center) }
}
