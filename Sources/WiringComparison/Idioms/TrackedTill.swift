import Observation

@TillActor @Observable final class TrackedTill {
    var sale = Sale(order: 0)
}
@TillActor final class Tracker {
    private let till: TrackedTill, handle: (Sale) -> Void
    init(_ till: TrackedTill, _ handle: @escaping (Sale) -> Void) { (self.till, self.handle) = (till, handle) }
    func track() -> Sale {
        withObservationTracking {
            till.sale
        } onChange: { [weak self] in
            // The property has its new value in the actor's next turn.
            Task { @TillActor in if let self { self.handle(self.track()) } }
        }
    }
}

// MARK: - In the comparison

final class TrackedTillIdiom: Idiom {
    private let till = TillActor.assumeIsolated { TrackedTill() }

    /// - Parameter fromNow: Whether the observer gets the current value, which the tracking reads in any case.
    private func observe(_ display: Display, fromNow: Bool) -> Tracker {
        TillActor.assumeIsolated { [till] in
            let tracker = Tracker(till) { display.note($0) }
            let sale = tracker.track()
            if fromNow { display.note(sale) }
            return tracker
        }
    }

    func observe(_ display: Display) -> Tracker { observe(display, fromNow: false) }

    /// Tracking ends when the owner of the tracker releases it.
    func cancel(_ tracker: Tracker) {}

    func post(_ sale: Sale) { TillActor.assumeIsolated { [till] in till.sale = sale } }
    func turn() -> Bool { TillActor.turn() }

    func observeFromNow(_ display: Display) -> Tracker? { observe(display, fromNow: true) }
}

extension Profile.Reason {
    static let actor = Self("only its actor may post", .safeFromTwoThreads, .twoPostersDoNotSlowEachOther)
    static let latest = Self(
        "a property has one value, and the next one takes its place", .deliversEachNotificationOnce,
        .slowObserverIsNoticed, .hearsWhatWasPostedBeforeCancel)
}

extension Profile {
    static let observation = Profile(
        choice: .observation, file: "TrackedTill.swift",
        configuration: "an @Observable property, tracked anew from onChange in the next turn of its actor",
        advice: Advice(
            "latest values in a UI", (.lateObserverSeesCurrentValue, true),
            (.deliversEachNotificationOnce, false)),
        plain: Form(window: 1) { _ in TrackedTillIdiom() }, exceptions: [.noThrowing, .later, .oneThread, .actor],
        grounds: [
            Reason(
                "observers read one property on its actor", .reachesManyObservers, .keepsOrderOfPosts,
                .lateObserverSeesCurrentValue),
            Reason(
                "the tracking has its observer weakly, and ends with it", .releasedObserverIsForgotten,
                .capturesReleasedOnCancel, .noCallAfterCancel, .cancelInADeinit),
            Reason("observers are called in turns of their own", .observeCancelAndPostInsideAnObserver),
        ],
        refuted: [.latest])
}
