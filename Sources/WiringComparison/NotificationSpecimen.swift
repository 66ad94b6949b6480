import NotificationBus

/// Our center, in the idiom of those who use it: a type for each notification, and a token that is kept.
final class NotificationSpecimen: Specimen {
    private let center: TypedNotificationCenter

    private struct Note: TypedNotification {
        var number: UInt64
    }

    private struct Level: TypedNotification {
        static var keepsLatest: Bool { true }
        var number: UInt64
    }

    private struct HowMuchIsLeft: TypedQuestion {
        typealias Answer = UInt64
    }

    init(_ center: TypedNotificationCenter = TypedNotificationCenter()) {
        self.center = center
    }

    func observe(_ body: @escaping @Sendable (UInt64) -> Void) -> Subscription {
        let token = center.observe(Note.self) { body($0.number) }
        return Subscription { token.cancel() }
    }

    func observeFromNow(_ body: @escaping @Sendable (UInt64) -> Void) -> Subscription {
        let token = center.observe(Level.self, replayingLatest: true) { body($0.number) }
        return Subscription { token.cancel() }
    }

    func post(_ number: UInt64) {
        center.post(Note(number: number))
        // The same as a type that keeps its latest value, for those who want it first.
        center.post(Level(number: number))
    }

    func settle() {}

    func postToThrowing(_ observers: [@Sendable () throws -> Void]) -> String? {
        let failures = Slot<[ObserverFailed]>([])
        let tokens =
            [center.observe(ObserverFailed.self) { failures.value.append($0) }]
            + observers.map { observer in center.observe(Note.self) { _ in try observer() } }
        post(1)
        return withExtendedLifetime(tokens) { "it was posted as ObserverFailed, \(failures.value.count) time" }
    }

    func ask(_ answer: UInt64) -> UInt64? {
        let token = center.answer(HowMuchIsLeft.self) { _ in answer }
        return withExtendedLifetime(token) { () -> UInt64? in
            do { return try center.ask(HowMuchIsLeft()) } catch { return nil }
        }
    }

    func makeAnotherPoster() -> any Specimen { NotificationSpecimen(center) }

    func observersListed() -> Int? { center.diagnostics.observations().count }

    func postUnheard() -> String? {
        center.diagnostics.isMeasuring = true
        defer { center.diagnostics.isMeasuring = false }
        post(1)
        let isCounted = center.diagnostics.unheardPosts().contains { $0.notification == Note.self && $0.count == 1 }
        return isCounted ? "the center's diagnostics, which count such posts" : nil
    }
}
