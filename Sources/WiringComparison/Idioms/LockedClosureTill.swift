import Synchronization

final class LockedClosureTill: Sendable {
    private let handlers = Mutex<[(key: Int, call: @Sendable (Sale) -> Void)]>([])
    private let lastKey = Atomic(0)
    func post(_ sale: Sale) { for handler in handlers.withLock({ $0 }) { handler.call(sale) } }
    func observe(_ call: @escaping @Sendable (Sale) -> Void) -> Int {
        let key = lastKey.add(1, ordering: .relaxed).newValue
        handlers.withLock { $0.append((key, call)) }
        return key
    }
    func cancel(_ key: Int) {
        // What a handler captured is released after unlocking: its deinit may come back here.
        let removed = handlers.withLock { list in list.firstIndex { $0.key == key }.map { list.remove(at: $0) } }
        withExtendedLifetime(removed) {}
    }
}

// MARK: - In the comparison

extension LockedClosureTill: Idiom {
    func observe(_ display: Display) -> Int { observe { display.note($0) } }
    var isHeard: Bool? { handlers.withLock { !$0.isEmpty } }
}

extension Profile {
    static let closureLocked = Profile(
        choice: .closureLocked, file: "LockedClosureTill.swift",
        configuration: "an array of closures under a Mutex, called after unlocking",
        advice: Advice(
            "a few, on any thread", (.safeFromTwoThreads, true), (.acceptsInoutPayload, true),
            (.noCallAfterCancel, false)),
        plain: Form { _ in LockedClosureTill() }, grounds: [.loop, .throwing, .removes, .copy, .lock, .poster],
        refuted: [.mixed])
}
