import Dispatch
import JuiceStand
import Platform
import StandExperiments

/// Computes forecasts of a running stand: one at a time, on a thread of low priority.
///
/// A forecast begins with a copy of the stand, taken between two events. Who asks what is being asked already shares the
/// computation.
final class ForecastDesk: Sendable {
    typealias Reply = @Sendable (Result<ForecastResult, Refusal>) -> Void

    enum Refusal: Error {
        case impossible(ForecastError)
        /// Too many wait.
        case busy
        /// The stand has closed or is stopping.
        case ended
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
        var replies: [Reply]
    }

    private struct State {
        /// The first is being computed, if ``isRunning``.
        var jobs: [Job] = []
        var isRunning = false
    }

    /// The most computations that wait.
    private static let mostJobs = 16

    private let control: StandControl
    private let state = Guarded(State())

    init(_ control: StandControl) {
        self.control = control
    }

    /// Calls `reply` once, on any thread.
    func ask(_ question: Question, reply: @escaping Reply) {
        enum Next {
            case nothing, start, refuse
        }
        let next = state.withLock { state -> Next in
            if let place = state.jobs.firstIndex(where: { question.isAnswered(by: $0.question) }) {
                state.jobs[place].replies.append(reply)
                return .nothing
            }
            guard state.jobs.count < Self.mostJobs else { return .refuse }
            state.jobs.append(Job(question: question, replies: [reply]))
            defer { state.isRunning = true }
            return state.isRunning ? .nothing : .start
        }
        switch next {
        case .nothing: break
        case .refuse: reply(.failure(.busy))
        case .start: start()
        }
    }

    /// Starts the thread that works until no job is left.
    private func start() {
        let status = startThread { [self] in
            lowerPriorityOfThread()
            var isLeft = true
            // Once none is left, the next job has a thread of its own.
            while isLeft, let question = state.withLock({ $0.jobs.first?.question }) {
                isLeft = end(answer(question))
            }
        }
        while status != 0, end(.failure(.busy)) {}
    }

    /// Answers the first job.
    ///
    /// - Returns: Whether another one is left.
    private func end(_ answer: Result<ForecastResult, Refusal>) -> Bool {
        let (replies, isLeft) = state.withLock { state in
            let job = state.jobs.removeFirst()
            state.isRunning = !state.jobs.isEmpty
            return (job.replies, state.isRunning)
        }
        for reply in replies { reply(answer) }
        return isLeft
    }

    private func answer(_ question: Question) -> Result<ForecastResult, Refusal> {
        guard let (stand, time) = copy() else { return .failure(.ended) }
        do throws(ForecastError) {
            let forecast = try Forecast(
                of: stand, at: time, question.span, seed: question.seed, comparing: question.courses)
            let hasEnded: @Sendable () -> Bool = { [control] in control.hasEnded }
            guard let result = forecast.run(jobs: 1, while: { !hasEnded() }) else { return .failure(.ended) }
            return .success(result)
        } catch {
            return .failure(.impossible(error))
        }
    }

    /// The stand between two events, with the time; nil once it has ended.
    private func copy() -> (Stand, SimulationTime)? {
        let copy = Guarded<(Stand, SimulationTime)?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        control.inspect(
            { stand, time, _ in (stand, time) },
            then: { result in
                copy.withLock { $0 = result }
                isDone.signal()
            })
        isDone.wait()
        return copy.withLock { $0 }
    }
}
