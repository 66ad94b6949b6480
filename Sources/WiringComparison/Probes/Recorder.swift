import Foundation
import Platform

/// Draws what happens to one till.
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

/// A till whose use is recorded.
final class RecordedTill: Idiom {
    private let base: any Idiom
    private let recorder: Recorder

    init(_ base: any Idiom, _ recorder: Recorder) {
        self.base = base
        self.recorder = recorder
    }

    var capacity: Int { base.capacity }
    var isConcurrent: Bool { base.isConcurrent }
    var dropped: Int { base.dropped }

    func observe(_ display: Display) -> Subscription {
        begin("observe", display) { Form(base.subscribe($0), "") }!.subscription
    }

    func cancel(_ subscription: Subscription) { subscription.cancel() }

    func observeFromNow(_ display: Display) -> Form? { begin("from now", display) { base.observeFromNow($0) } }

    private func begin(_ label: String, _ display: Display, _ observe: (Display) -> Form?) -> Form? {
        let lane = recorder.observer()
        let form = recorder.call(1, "\(label) \(lane - 1)") {
            observe(
                Display { [recorder] sale in
                    recorder.call(lane, "\(sale.order)", comesBack: true) { display.note(sale) }
                })
        }
        guard var form else { return nil }
        let subscription = form.subscription
        form.subscription = Subscription { [recorder] in
            recorder.call(1, "cancel \(lane - 1)") { subscription.cancel() }
        }
        return form
    }

    func post(_ sale: Sale) { recorder.call(1, "post \(sale.order)", comesBack: true) { base.post(sale) } }

    func turn() -> Bool {
        var hasRun = false
        recorder.call(1, "next turn") { hasRun = base.turn() }
        recorder.forget("next turn")
        return hasRun
    }

    func makeAnother() -> any Idiom { base.makeAnother() }
    func makeBounded() -> (till: any Idiom, name: String)? {
        base.makeBounded().map { (RecordedTill($0.till, recorder), $0.name) }
    }
}
