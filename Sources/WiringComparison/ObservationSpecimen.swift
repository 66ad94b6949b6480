import Observation

/// A property that is tracked: each observer owns its tracking, and reads again on the poster's next turn.
final class ObservationSpecimen: Specimen {
    private let model = Model()
    private let turn = Slot<[() -> Void]>([])

    @Observable
    fileprivate final class Model {
        var number: UInt64 = 0
    }

    private final class Tracker {
        private let model: Model
        private let turn: Slot<[() -> Void]>
        private let body: @Sendable (UInt64) -> Void

        init(_ model: Model, _ turn: Slot<[() -> Void]>, _ body: @escaping @Sendable (UInt64) -> Void) {
            self.model = model
            self.turn = turn
            self.body = body
        }

        @discardableResult
        func read() -> UInt64 {
            let own = WeakSlot(self)
            return withObservationTracking {
                model.number
            } onChange: { [turn] in
                turn.value.append {
                    if let tracker = own.object { tracker.body(tracker.read()) }
                }
            }
        }
    }

    /// The system asks for closures that any thread may call; here it is the poster's that does.
    private final class WeakSlot: @unchecked Sendable {
        weak var object: Tracker?
        init(_ object: Tracker) { self.object = object }
    }

    func observe(_ body: @escaping @Sendable (UInt64) -> Void) -> Subscription {
        let tracker = Slot<Tracker?>(Tracker(model, turn, body))
        tracker.value?.read()
        return Subscription { tracker.value = nil }
    }

    func observeFromNow(_ body: @escaping @Sendable (UInt64) -> Void) -> Subscription {
        let tracker = Slot<Tracker?>(Tracker(model, turn, body))
        if let tracker = tracker.value { body(tracker.read()) }
        return Subscription { tracker.value = nil }
    }

    func post(_ number: UInt64) {
        model.number = number
    }

    func settle() {
        while !turn.value.isEmpty {
            let due = turn.value
            turn.value = []
            for read in due { read() }
        }
    }

    func makeAnotherPoster() -> any Specimen { ObservationSpecimen() }
}
