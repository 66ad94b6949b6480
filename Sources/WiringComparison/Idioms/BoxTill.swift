import Synchronization

final class BoxTill: Sendable {
    final class Box: Sendable {
        let call: @Sendable (Sale) -> Void
        init(_ call: @escaping @Sendable (Sale) -> Void) { self.call = call }
    }
    private let boxes = Mutex<[Box]>([])

    func post(_ sale: Sale) { for box in boxes.withLock({ $0 }) { box.call(sale) } }
    func observe(_ call: @escaping @Sendable (Sale) -> Void) -> Box {
        let box = Box(call)
        boxes.withLock { $0.append(box) }
        return box
    }
    func cancel(_ box: Box) { boxes.withLock { $0.removeAll { $0 === box } } }
}

// MARK: - In the comparison

extension BoxTill: Idiom {
    func observe(_ display: Display) -> Box { observe { display.note($0) } }
    var isHeard: Bool? { boxes.withLock { !$0.isEmpty } }
}

extension Profile {
    static let boxesLocked = Profile(
        choice: .boxesLocked, file: "BoxTill.swift",
        configuration: "an array of objects with a closure each under a Mutex; an object is the observation",
        advice: Advice(
            "the same, as objects", (.safeFromTwoThreads, true), (.capturesReleasedOnCancel, true),
            (.releasedObserverIsForgotten, false)),
        plain: Form { _ in BoxTill() }, grounds: [.loop, .throwing, .removes, .copy, .lock, .poster], refuted: [.mixed],
        compilesLike: .closureLocked)
}
