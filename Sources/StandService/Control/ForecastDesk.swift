import JuiceStand
import Platform
import StandExperiments
import Synchronization

/// Computes forecasts of a running stand: one at a time, on two threads of low priority.
///
/// A forecast begins with a copy of the stand, taken between two events. Equal questions share a computation. It is
/// cancelled once every asker has withdrawn, and that of a reader is put back when the stand or
/// its owner asks.
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

    /// Who asks. The stand's questions are answered first, then the owner's; the readers take turns.
    enum Asker: Equatable, Sendable {
        /// For its own display and warnings.
        case stand
        /// At the Unix socket, or with the token.
        case owner
        case reader(network: UInt64)

        fileprivate var rank: Int {
            switch self {
            case .stand: 0
            case .owner: 1
            case .reader: 2
            }
        }
    }

    fileprivate struct Job {
        var question: Question
        var asker: Asker
        /// Of a reader, from 1.
        var turn = 0
        let number: UInt64
        /// By the number of the one who asked.
        var replies: [UInt64: Reply]
        /// Raised if nobody waits for the answer, or if another job comes first.
        var isCancelled = Flag()

        var order: (Int, Int, UInt64) { (asker.rank, turn, number) }
    }

    /// Becomes true once, on any thread.
    fileprivate final class Flag: Sendable {
        private let value = Atomic(false)
        var isRaised: Bool { value.load(ordering: .relaxed) }
        func raise() { value.store(true, ordering: .relaxed) }
    }

    fileprivate struct State {
        var running: Job?
        /// In the order in which they are computed.
        var waiting: [Job] = []
        var hasThread = false
        /// The number of questions so far.
        var asked: UInt64 = 0
        /// The latest turn that has begun, and of each reader that is not behind it, its own.
        var turn = 0
        var turns: [UInt64: Int] = [:]
    }

    /// The most computations that wait.
    fileprivate static let mostJobs = 16
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
    /// - Returns: The number of this question, for ``withdraw(_:)``.
    @discardableResult
    func ask(_ question: Question, for asker: Asker, reply: @escaping Reply) -> UInt64 {
        let (number, refused, isFirst) = state.withLock { state -> (UInt64, [Reply], Bool) in
            state.asked += 1
            let refused = state.add(
                Job(question: question, asker: asker, number: state.asked, replies: [state.asked: reply]))
            defer { state.hasThread = true }
            return (state.asked, refused, !state.hasThread)
        }
        for reply in refused { reply(.failure(.busy)) }
        if isFirst { start() }
        return number
    }

    /// Withdraws a question. Cancels the computation if nobody else waits for it.
    func withdraw(_ number: UInt64) {
        let reply = state.withLock { state -> Reply? in
            if let reply = state.running?.replies.removeValue(forKey: number) {
                if state.running!.replies.isEmpty { state.running!.isCancelled.raise() }
                return reply
            }
            guard let place = state.waiting.firstIndex(where: { $0.replies[number] != nil }) else { return nil }
            let reply = state.waiting[place].replies.removeValue(forKey: number)
            if state.waiting[place].replies.isEmpty { state.waiting.remove(at: place) }
            return reply
        }
        reply?(.failure(.cancelled))
    }

    /// Starts the thread that works until no job is left.
    private func start() {
        // Of usual priority: a thread that Dispatch starts for the stand's queue would inherit a lower one.
        let status = startThread { [self] in
            while let job = state.withLock({ $0.begin() }) { end(answer(job.question, until: job.isCancelled)) }
        }
        if status != 0 { while state.withLock({ $0.begin() }) != nil { end(.failure(.busy)) } }
    }

    /// Answers the running job, or puts it back if it was cancelled for another one.
    private func end(_ answer: Result<Forecast.Answer, Refusal>) {
        let (replies, refused) = state.withLock { state -> ([Reply], [Reply]) in
            guard var job = state.running.take() else { return ([], []) }
            guard case .failure(.cancelled) = answer, !job.replies.isEmpty else {
                return (Array(job.replies.values), [])
            }
            job.isCancelled = Flag()
            return ([], state.add(job))
        }
        for reply in replies { reply(answer) }
        for reply in refused { reply(.failure(.busy)) }
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

// MARK: - Order

extension ForecastDesk.State {
    /// Adds a job, or its replies to one with the same question.
    ///
    /// - Returns: The replies of a job that has no place any more.
    fileprivate mutating func add(_ new: ForecastDesk.Job) -> [ForecastDesk.Reply] {
        var job = new
        if let same = running, job.question.isAnswered(by: same.question), !same.isCancelled.isRaised {
            running!.replies.merge(job.replies) { $1 }
            if job.asker.rank < same.asker.rank { running!.asker = job.asker }
            return []
        }
        if case .reader(let network) = job.asker, job.turn == 0 {
            let last = waiting.last { $0.asker == job.asker }?.turn ?? turns[network] ?? 0
            job.turn = max(turn, last + 1)
        }
        if let place = waiting.firstIndex(where: { job.question.isAnswered(by: $0.question) }) {
            let same = waiting.remove(at: place)
            let replies = job.replies.merging(same.replies) { $1 }
            if same.order < job.order { job = same }
            job.replies = replies
        }
        if job.asker.rank < 2, let running, running.asker.rank == 2 { running.isCancelled.raise() }
        waiting.insert(job, at: waiting.firstIndex { job.order < $0.order } ?? waiting.count)
        return waiting.count > ForecastDesk.mostJobs ? Array(waiting.removeLast().replies.values) : []
    }

    /// Takes the next job; nil if none is left. The next one then has a thread of its own.
    fileprivate mutating func begin() -> ForecastDesk.Job? {
        running = waiting.isEmpty ? nil : waiting.removeFirst()
        hasThread = running != nil
        if let running, case .reader(let network) = running.asker {
            turn = max(turn, running.turn)
            turns[network] = running.turn
            turns = turns.filter { $0.value >= turn }
        }
        return running
    }
}
