import Dispatch
import JuiceStand
import Platform
import StandExperiments
import Synchronization

/// Why a question to a ``ForecastDesk`` has no answer.
enum ForecastDeskError: Error {
    case impossible(ForecastError)
    /// Too many computations wait, or one for this network address.
    case busy
    /// The stand has closed or is stopping.
    case ended
    /// Every asker has withdrawn.
    case cancelled
}

/// Computes forecasts of a running stand, one at a time, on threads of low priority.
///
/// A forecast begins with a copy of the stand, taken between two events. Equal questions share a computation. It is
/// cancelled once every asker has withdrawn, and that of a reader is put back when the stand or its owner asks.
final class ForecastDesk: Sendable {
    typealias Reply = @Sendable (Result<Forecast.Answer, ForecastDeskError>) -> Void

    struct Question: Sendable {
        var span: Forecast.Span
        var seed: UInt64?
        var courses: [Forecast.Course] = []

        /// Whether the answer to `other` answers this question. Questions with changes are not compared.
        fileprivate func isAnswered(by other: Question) -> Bool {
            courses.isEmpty && other.courses.isEmpty && span == other.span && seed == other.seed
        }
    }

    /// The party that asks. The stand's questions are answered first, then the owner's, then those of readers.
    enum Asker: Equatable, Sendable {
        /// The stand, for its own display and warnings.
        case stand
        /// A client at the Unix socket, or with the token.
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

    /// The most computations that wait.
    fileprivate static let mostJobs = 16
    /// The most events of a computation: some five seconds on two idle processors. Clients wait half a minute or a
    /// minute, and threads of low priority take several times as long on a busy machine.
    static let mostEvents = 100_000_000
    /// The threads of a computation. Two answer the page in a tenth of a second; the other processors are for other
    /// programs.
    private static let threads = min(2, Processors.available)

    private let control: StandControl
    private let state = Guarded(Jobs())
    private let queue = DispatchQueue(label: "forecasting")

    init(_ control: StandControl) {
        self.control = control
    }

    /// Calls `reply` once, on any thread.
    ///
    /// - Returns: The number of this question, for ``withdraw(_:)``.
    @discardableResult
    func ask(_ question: Question, for asker: Asker, reply: @escaping Reply) -> UInt64 {
        let (number, refused) = state.withLock { $0.add(question, for: asker, reply) }
        for reply in refused { reply(.failure(.busy)) }
        queue.async { [self] in computeNext() }
        return number
    }

    /// Withdraws a question. Cancels the computation if nobody else waits for it.
    func withdraw(_ number: UInt64) {
        state.withLock { $0.removeReply(number) }?(.failure(.cancelled))
    }

    /// Computes what comes first, if anything waits.
    private func computeNext() {
        guard let job = state.withLock({ $0.begin() }) else { return }
        let answer = answer(job.question, until: job.isInterrupted)
        let (replies, refused) = state.withLock { $0.end(isComplete: answer != nil) }
        if let answer {
            for reply in replies { reply(answer) }
        }
        for reply in refused { reply(.failure(.busy)) }
        if replies.isEmpty { queue.async { [self] in computeNext() } }
    }

    /// - Returns: nil if it was interrupted.
    private func answer(_ question: Question, until isInterrupted: Flag) -> Result<Forecast.Answer, ForecastDeskError>?
    {
        if isInterrupted.isRaised { return nil }
        let copy: (Stand, SimulationTime)? = awaited { control.inspect({ stand, time, _ in (stand, time) }, then: $0) }
        guard let (stand, time) = copy else { return .failure(.ended) }
        do throws(ForecastError) {
            let forecast = try Forecast(
                of: stand, at: time, question.span, seed: question.seed, comparing: question.courses)
            let answer = try forecast.answer(
                jobs: Self.threads, atLowPriority: true, mostEvents: Self.mostEvents,
                while: { [control] in !control.hasEnded && !isInterrupted.isRaised })
            if let answer { return .success(answer) }
            return isInterrupted.isRaised ? nil : .failure(.ended)
        } catch {
            return .failure(.impossible(error))
        }
    }
}

/// Becomes true once, on any thread.
private final class Flag: Sendable {
    private let value = Atomic(false)
    var isRaised: Bool { value.load(ordering: .relaxed) }
    func raise() { value.store(true, ordering: .relaxed) }
}

/// The queue of a ``ForecastDesk``: the running job and the waiting jobs.
private struct Jobs {
    struct Job {
        var question: ForecastDesk.Question
        var asker: ForecastDesk.Asker
        let number: UInt64
        /// The replies, by the numbers of their questions.
        var replies: [UInt64: ForecastDesk.Reply]
        /// Raised if nobody waits for the answer, or if another job comes first.
        var isInterrupted = Flag()

        func precedes(_ other: Job) -> Bool { (asker.rank, number) < (other.asker.rank, other.number) }
    }

    private var running: Job?
    /// The waiting jobs, in the order in which they are computed.
    private var waiting: [Job] = []
    /// The number of questions so far.
    private var asked: UInt64 = 0

    /// Queues a question, or joins a job that answers it.
    ///
    /// - Returns: The number of the question, and the replies refused for lack of room.
    mutating func add(
        _ question: ForecastDesk.Question, for asker: ForecastDesk.Asker, _ reply: @escaping ForecastDesk.Reply
    ) -> (number: UInt64, refused: [ForecastDesk.Reply]) {
        asked += 1
        if let same = running, question.isAnswered(by: same.question), !same.isInterrupted.isRaised {
            running?.replies[asked] = reply
            if asker.rank < same.asker.rank { running?.asker = asker }
            return (asked, [])
        }
        var job = Job(question: question, asker: asker, number: asked, replies: [asked: reply])
        if let index = waiting.firstIndex(where: { question.isAnswered(by: $0.question) }) {
            job = waiting.remove(at: index)
            job.replies[asked] = reply
            if asker.rank < job.asker.rank { job.asker = asker }
        } else if case .reader = asker, waiting.contains(where: { $0.asker == asker }) {
            return (asked, [reply])
        }
        if asker.rank < 2, let running, running.asker.rank == 2 { running.isInterrupted.raise() }
        return (asked, insert(job))
    }

    /// - Returns: The replies of the job that `job` displaced; empty if there was room.
    private mutating func insert(_ job: Job) -> [ForecastDesk.Reply] {
        waiting.insert(job, at: waiting.firstIndex(where: job.precedes) ?? waiting.count)
        return waiting.count > ForecastDesk.mostJobs ? Array(waiting.removeLast().replies.values) : []
    }

    /// Removes a reply. Cancels its job if it has no other reply.
    mutating func removeReply(_ number: UInt64) -> ForecastDesk.Reply? {
        if let reply = running?.replies.removeValue(forKey: number) {
            if let running, running.replies.isEmpty { running.isInterrupted.raise() }
            return reply
        }
        guard let index = waiting.firstIndex(where: { $0.replies[number] != nil }) else { return nil }
        let reply = waiting[index].replies.removeValue(forKey: number)
        if waiting[index].replies.isEmpty { waiting.remove(at: index) }
        return reply
    }

    /// Takes the job that comes first; nil if none waits.
    mutating func begin() -> Job? {
        running = waiting.isEmpty ? nil : waiting.removeFirst()
        return running
    }

    /// Ends the running job, or puts it back if it was interrupted and somebody still waits for it.
    ///
    /// - Returns: The replies to answer, and the replies refused for lack of room.
    mutating func end(isComplete: Bool) -> (replies: [ForecastDesk.Reply], refused: [ForecastDesk.Reply]) {
        guard var job = running.take() else { return ([], []) }
        if isComplete || job.replies.isEmpty { return (Array(job.replies.values), []) }
        job.isInterrupted = Flag()
        return ([], insert(job))
    }
}
