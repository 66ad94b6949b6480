import Observation
import Synchronization

@TillActor @Observable final class ValuesTill {
    var sale = Sale(order: 0)

    func observe(_ handle: @escaping @TillActor (Sale) async -> Void) -> Task<Void, Never> {
        Task {
            for await sale in Observations({ self.sale }) { await handle(sale) }
        }
    }
}

// MARK: - In the comparison

final class ValuesTillIdiom: SequenceIdiom {
    private let till = TillActor.assumeIsolated { ValuesTill() }

    func observe(_ display: Display) -> Task<Void, Never> { begin { display.note($0) } }

    /// Calls `handle` with every sale but the first, which is the value from before observing.
    private func begin(_ handle: @escaping @TillActor (Sale) async -> Void) -> Task<Void, Never> {
        let hasBegun = Flag()
        let task = TillActor.assumeIsolated { [till] in
            till.observe { sale in
                if hasBegun.isSet.exchange(true, ordering: .relaxed) { await handle(sale) }
            }
        }
        while !hasBegun.isSet.load(ordering: .relaxed) { _ = turn() }
        return task
    }

    func cancel(_ task: Task<Void, Never>) { task.cancel() }
    func post(_ sale: Sale) { TillActor.assumeIsolated { [till] in till.sale = sale } }
    func turn() -> Bool { TillActor.turn() }

    func observe(asynchronously handle: @escaping @Sendable (Sale) async -> Void) -> Task<Void, Never>? {
        begin { await handle($0) }
    }

    func observeFromNow(_ display: Display) -> Task<Void, Never>? {
        TillActor.assumeIsolated { [till] in till.observe { display.note($0) } }
    }
}

private final class Flag: Sendable {
    let isSet = Atomic(false)
}

extension Profile {
    static let observations = Profile(
        choice: .observations, file: "ValuesTill.swift",
        configuration: "for await in Observations of an @Observable property, read and set on one actor",
        advice: Advice(
            "latest values, in a task", (.lateObserverSeesCurrentValue, true), (.deliversEachNotificationOnce, false),
            (.finishedWhenPosterGoesOn, false)),
        plain: Form(window: 1) { _ in ValuesTillIdiom() }, exceptions: [.later, .oneThread, .actor],
        grounds: [
            .task,
            Reason(
                "the sequence gives values of one property in their order, the current one first",
                .reachesManyObservers, .keepsOrderOfPosts, .lateObserverSeesCurrentValue),
            Reason("the loop ends when its task is cancelled", .capturesReleasedOnCancel),
            Reason("observers are called in turns of their own", .observeCancelAndPostInsideAnObserver),
        ],
        refuted: [.latest])
}
