/// Boxes under a lock: as ``LockedClosureWiring``, but each closure is in an object, by which it can be found.
final class BoxWiring: LockedTableWiring, Wiring {
    private final class Box<F: Fact>: Sendable {
        let handler: @Sendable (F) -> Void
        init(_ handler: @escaping @Sendable (F) -> Void) { self.handler = handler }
    }

    func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        let box = Box<F> { fact in fact.hand(to: observer) }
        table.withLock { $0.append(box, to: F.kind, of: observer) }
    }

    func hear<F: Fact>(_ fact: F) {
        for (_, box) in elements(of: F.kind, Box<F>.self) { box.handler(fact) }
    }
}

extension WiringChoice {
    package static let boxesLocked = WiringChoice("boxes-locked", "a list of boxes with a closure each, under a lock") {
        BoxWiring()
    }
}
