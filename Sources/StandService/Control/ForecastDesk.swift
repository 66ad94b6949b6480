import JuiceStand
import Platform
import StandExperiments
import Synchronization

/// Computes forecasts of a running stand: one at a time, on two threads of low priority.
///
/// A forecast begins with a copy of the stand, taken between two events. Equal questions share a computation. It is
/// cancelled once every asker has withdrawn.
final class ForecastDesk: Sendable {
    typealias Reply = @Sendable (Result<Forecast.Answer, Refusal>) -> Void

    enum Refusal: Error {
        case impossible(ForecastError)
        /// Too many computations wait.
        case busy
        /// The stand has closed or is stopping.
        case ended
        /// Every asker has withdrawn.
        case cancelled
    }

    struct Question: Sendable {
        var span: Forecast.Span
        var seed: UInt64?
        var courses: [Forecast.Course] = []

        /// Whether another computation answers it. Only those without changes are compared.
        fileprivate func isAnswered(by other: Question) -> Bool {
            courses.isEmpty && other.courses.isEmpty && span == other.span && seed == other.seed
        }
    }

    private struct Job {
        var question: Question
        /// By the number of the asker.
        var replies: [UInt64: Reply]
        let isCancelled = Flag()
    }

    /// Becomes true once, on any thread.
    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isRaised: Bool { value.load(ordering: .relaxed) }
        func raise() { value.store(true, ordering: .relaxed) }
    }

    private struct State {
        /// The first is being computed, if ``isRunning``.
        var jobs: [Job] = []
        var isRunning = false
        /// The number of askers so far.
        var asked: UInt64 = 0
    }

    /// The most computations that wait.
    private static let mostJobs = 16
    /// The most events of a computation: some five seconds on two idle processors. Clients wait half a minute or a
    /// minute, and threads of low priority take several times as long on a busy machine.
    static let mostEvents = 100_000_000
    /// The threads of a computation. Two answer the page in a tenth of a second; the other processors are for other
    /// programs.
    private static let threads = min(2, Processors.available)

    private let control: StandControl
    private let state = Guarded(State())

    init(_ control: StandControl) {
        self.control = control
    }

    /// Calls `reply` once, on any thread.
    ///
    /// - Returns: The number of this asker, for ``withdraw(_:)``.
    @discardableResult
    func ask(_ question: Question, reply: @escaping Reply) -> UInt64 {
        enum Next {
            case nothing, start, refuse
        }
        let (next, asker) = state.withLock { state -> (Next, UInt64) in
            state.asked += 1
            if let place = state.jobs.firstIndex(where: {
                question.isAnswered(by: $0.question) && !$0.isCancelled.isRaised
            }) {
                state.jobs[place].replies[state.asked] = reply
                return (.nothing, state.asked)
            }
            guard state.jobs.count < Self.mostJobs else { return (.refuse, state.asked) }
            state.jobs.append(Job(question: question, replies: [state.asked: reply]))
            defer { state.isRunning = true }
            return (state.isRunning ? .nothing : .start, state.asked)
        }
        switch next {
        case .nothing: break
        case .refuse: reply(.failure(.busy))
        case .start: start()
        }
        return asker
    }

    /// Tells an asker that the question is withdrawn. Cancels the computation if it has no other asker.
    func withdraw(_ asker: UInt64) {
        let reply = state.withLock { state -> Reply? in
            guard let place = state.jobs.firstIndex(where: { $0.replies[asker] != nil }) else { return nil }
            let reply = state.jobs[place].replies.removeValue(forKey: asker)
            guard state.jobs[place].replies.isEmpty else { return reply }
            state.jobs[place].isCancelled.raise()
            // The first is being computed, and ends at once.
            if place > 0 { state.jobs.remove(at: place) }
            return reply
        }
        reply?(.failure(.cancelled))
    }

    /// Starts the thread that works until no job is left.
    private func start() {
        // Of usual priority: a thread that Dispatch starts for the stand's queue would inherit a lower one.
        let status = startThread { [self] in
            var isLeft = true
            // Once none is left, the next job has a thread of its own.
            while isLeft, let job = state.withLock({ $0.jobs.first }) {
                isLeft = end(answer(job.question, until: job.isCancelled))
            }
        }
        while status != 0, end(.failure(.busy)) {}
    }

    /// Answers the first job.
    ///
    /// - Returns: Whether another one is left.
    private func end(_ answer: Result<Forecast.Answer, Refusal>) -> Bool {
        let (replies, isLeft) = state.withLock { state in
            let job = state.jobs.removeFirst()
            state.isRunning = !state.jobs.isEmpty
            return (job.replies, state.isRunning)
        }
        for reply in replies.values { reply(answer) }
        return isLeft
    }

    private func answer(_ question: Question, until isCancelled: Flag) -> Result<Forecast.Answer, Refusal> {
        if isCancelled.isRaised { return .failure(.cancelled) }
        guard let (stand, time) = copy() else { return .failure(.ended) }
        do throws(ForecastError) {
            let forecast = try Forecast(
                of: stand, at: time, question.span, seed: question.seed, comparing: question.courses)
            let goesOn: @Sendable () -> Bool = { [control] in !control.hasEnded && !isCancelled.isRaised }
            guard let answer = try compute(forecast, while: goesOn) else {
                return .failure(isCancelled.isRaised ? .cancelled : .ended)
            }
            return .success(answer)
        } catch {
            return .failure(.impossible(error))
        }
    }

    /// Computes a forecast at low priority, on threads that call nothing of Dispatch that starts another thread.
    private func compute(
        _ forecast: Forecast, while goOn: @escaping @Sendable () -> Bool
    ) throws(ForecastError) -> Forecast.Answer? {
        let answer: Result<Forecast.Answer?, ForecastError> = awaited { done in
            let status = startThread {
                lowerPriorityOfThread()
                done(
                    Result { () throws(ForecastError) in
                        try forecast.answer(
                            jobs: Self.threads, atLowPriority: true, mostEvents: Self.mostEvents, while: goOn)
                    })
            }
            if status != 0 { done(.success(nil)) }
        }
        return try answer.get()
    }

    /// The stand between two events, with the time; nil once it has ended.
    private func copy() -> (Stand, SimulationTime)? {
        awaited { control.inspect({ stand, time, _ in (stand, time) }, then: $0) }
    }
}
