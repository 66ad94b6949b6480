import Foundation
import Platform

/// Draws what happens to one specimen.
final class Recorder: Sendable {
    private struct State {
        var trace = CallTrace()
        var threads: [ObjectIdentifier] = []
        /// The lane of each thread.
        var lanes: [Int] = []
    }

    private let state = Guarded(State())

    var trace: CallTrace { state.withLock { $0.trace } }

    /// The lane of another observer.
    func observer() -> Int {
        state.withLock {
            $0.trace.observers += 1
            return $0.trace.observers + 1
        }
    }

    /// Draws an arrow from the lane of the calling thread, does `work` in the other lane, and draws the way back.
    func call<Result>(_ lane: Int, _ label: String, comesBack: Bool = false, _ work: () -> Result) -> Result {
        let id = ObjectIdentifier(Thread.current)
        let thread = state.withLock { state in
            if let thread = state.threads.firstIndex(of: id) { return thread }
            state.threads.append(id)
            // What other threads do comes from the wiring.
            state.lanes.append(state.threads.count == 1 ? 0 : 1)
            return state.threads.count - 1
        }
        let from = move(thread, to: lane, label)
        defer { _ = move(thread, to: from, comesBack ? "" : nil) }
        return work()
    }

    /// - Parameter label: nil for no arrow.
    /// - Returns: The lane that the thread was in.
    private func move(_ thread: Int, to lane: Int, _ label: String?) -> Int {
        state.withLock { state in
            let from = state.lanes[thread]
            state.lanes[thread] = lane
            guard let label else { return from }
            if state.trace.arrows.count == 2 * CallTrace.begun {
                state.trace.arrows.remove(at: CallTrace.begun)
                state.trace.left += 1
            }
            state.trace.arrows.append(.init(thread: thread + 1, from: from, to: lane, label: label))
            return from
        }
    }

    /// Forgets the last arrow if it has that label: nothing happened since.
    func forget(_ label: String) {
        state.withLock { if $0.trace.arrows.last?.label == label { $0.trace.arrows.removeLast() } }
    }
}

/// A specimen whose use is recorded.
final class RecordedSpecimen: Specimen {
    private let base: any Specimen
    private let recorder: Recorder

    init(_ base: any Specimen, _ recorder: Recorder) {
        self.base = base
        self.recorder = recorder
    }

    var capacity: Int { base.capacity }
    var isConcurrent: Bool { base.isConcurrent }

    func observe(_ body: @escaping PostHandler) -> Subscription {
        begin("observe", body) { (base.observe($0), "") }!.subscription
    }

    func observeFromNow(_ body: @escaping PostHandler) -> LateSubscription? {
        begin("from now", body) { base.observeFromNow($0) }
    }

    private func begin(
        _ label: String, _ body: @escaping PostHandler, _ observe: (@escaping PostHandler) -> LateSubscription?
    ) -> LateSubscription? {
        let lane = recorder.observer()
        let late = recorder.call(1, "\(label) \(lane - 1)") {
            observe { [recorder] post in recorder.call(lane, "\(post)", comesBack: true) { body(post) } }
        }
        guard let (subscription, way) = late else { return nil }
        let recorded = Subscription { [recorder] in
            recorder.call(1, "cancel \(lane - 1)") { subscription.cancel() }
        }
        return (recorded, way)
    }

    func post(_ number: UInt64) { recorder.call(1, "post \(number)", comesBack: true) { base.post(number) } }

    func settle() {
        let label = base.isConcurrent ? "wait" : "next turn"
        recorder.call(1, label) { base.settle() }
        recorder.forget(label)
    }

    func makeAnotherPoster() -> any Specimen { base.makeAnotherPoster() }
}
