import Dispatch
import JuiceStand
import Platform
import StandState

/// Why the stand at an instant is not known.
package enum PastError: Error {
    /// The stand is not known so early; the first instant known is the argument.
    case notKept(since: SimulationTime)
    /// The instant is in the future.
    case notYet
    /// Too many questions wait.
    case busy
    /// The ledger has another line of that number than a run of this program.
    case differs(line: UInt64)
    case system(String)
    /// The stand has closed or is suspended.
    case ended
}

/// Reconstructs the stand at any instant since it opened.
///
/// For an instant, it runs the stand's engine again: from the nearest copy before the instant, with the changes made by
/// hand and the stand's observers. Questions are answered one at a time on a queue of their own, and delay neither the
/// stand nor each other for long.
package final class Past: Sendable {
    /// The stand at an instant.
    package struct View: Sendable {
        package var status: StandStatus
        /// The orders in the stand, by their numbers.
        package var orders: [(number: UInt64, order: OrderProgress)]
        /// Lines of the ledger around the instant.
        package var lines: [UInt8]
    }

    package typealias Reply<Answer> = @Sendable (Result<Answer, PastError>) -> Void

    /// The most ledger lines before an instant in its view.
    private static let linesBefore: UInt64 = 60
    /// The most ledger lines after an instant in its view.
    private static let linesAfter: UInt64 = 12
    /// The most questions that wait.
    private static let mostQuestions = 16
    /// The most changes kept in memory, some 50 MB. Beyond them instants reach back less far.
    private static let mostChanges = 1_000_000
    /// A chart of a span with this many known figures shows them. For fewer, the stand runs through the span again.
    private static let manyFigures = 64

    private struct State {
        var copies = ThinnedSeries<StandCopy>(spacing: 4096)
        var figures = ThinnedSeries<StandFigures>(most: 1024, spacing: 16)
        /// The changes made after the first copy.
        var changes: [DatedChange] = []
        /// The number of the last change that a snapshot on the disk knows.
        var saved: UInt64
        /// The number of facts after which a copy or figures are due.
        var next: UInt64 = 0
        /// The number of questions that wait or are being answered.
        var questions = 0
    }

    /// The present of the stand, which limits the past.
    private struct Present {
        var time: SimulationTime
        /// When its next event is due.
        var next: SimulationTime
        var sequence: UInt64
    }

    private let state: Guarded<State>
    private let queue = DispatchQueue(label: "past", qos: .utility)
    /// The state folder, which keeps older copies and changes; nil without one.
    private let folder: StateFolder?
    /// Older changes, once they were asked for. Confined to the queue.
    private let earlierChanges = Guarded<[DatedChange]?>(nil)

    init(_ resumed: Resumption, _ folder: StateFolder?) {
        self.folder = folder
        var first = State(saved: resumed.copy.changes)
        first.copies.append(resumed.copy)
        first.changes = resumed.changes
        if let figures = resumed.figures { first.figures = figures }
        state = Guarded(first)
    }

    // MARK: - On the stand's queue

    /// Keeps a copy of the stand, if one is due. Call it between two events.
    ///
    /// - Parameter changes: The number of changes that were made.
    func see(_ stand: Stand, _ observers: StandObservers, changes: UInt64) {
        state.withLock { state in
            let sequence = stand.factsAnnounced
            guard sequence >= state.next else { return }
            if sequence >= state.figures.next {
                state.figures.append(StandFigures(observers.display.current, sequence: sequence))
            }
            if sequence >= state.copies.next {
                state.copies.append(StandCopy(stand, observers.memory, changes: changes))
            }
            state.next = min(state.figures.next, state.copies.next)
        }
    }

    /// Notes a change that was made.
    func note(_ change: DatedChange) {
        state.withLock { state in
            state.changes.append(change)
            let copies = state.copies.elements
            guard state.changes.count > Self.mostChanges, copies.count > 1 else { return }
            // Drops the earlier half of the copies, and their changes. With a state folder, changes that no snapshot
            // has yet stay.
            let middle = copies[copies.count / 2]
            let saved = folder == nil ? .max : state.saved
            state.copies.removeAll(before: middle.sequence)
            state.changes.removeAll { $0.number <= min(middle.changes, saved) }
        }
    }

    /// The figures and the new changes for the next snapshot.
    func unsaved(_ observers: StandObservers) -> (shown: StateSnapshot.Shown, changes: [DatedChange]) {
        state.withLock { state in
            let saved = state.saved
            let changes = state.changes.reversed().prefix { $0.number > saved }
            return (StateSnapshot.Shown(observers.memory, state.figures), changes.reversed())
        }
    }

    /// Notes that a snapshot with these changes is on the disk.
    func didSave(_ changes: [DatedChange]) {
        guard let last = changes.last else { return }
        state.withLock { $0.saved = last.number }
    }

    // MARK: - Answering

    /// Calls `reply`, on a queue of its own or on the stand's, with the stand at an instant.
    func ask(_ instant: Instant, _ control: StandControl, reply: @escaping Reply<View>) {
        answer(control, reply: reply) { present throws(PastError) in
            try self.view(self.limit(instant, present, control), present, control)
        }
    }

    /// Calls `reply` with the stand over time: about `count` instants in order.
    func ask(
        from start: SimulationTime, to end: SimulationTime, count: Int, _ control: StandControl,
        reply: @escaping Reply<[StandFigures]>
    ) {
        answer(control, reply: reply) { present throws(PastError) in
            guard case .time(let last) = try self.limit(.time(end), present, control) else { return [] }
            return try self.figures(from: start, to: last, count: count, control)
        }
    }

    private func answer<Answer: Sendable>(
        _ control: StandControl, reply: @escaping Reply<Answer>,
        _ body: @escaping @Sendable (Present) throws(PastError) -> Answer
    ) {
        let hasPlace = state.withLock { state in
            guard state.questions < Self.mostQuestions else { return false }
            state.questions += 1
            return true
        }
        guard hasPlace else { return reply(.failure(.busy)) }
        control.inspect { stand, time, _ in
            let next = stand.isPaused ? .never : stand.nextTime
            return Present(time: time, next: next, sequence: stand.factsAnnounced)
        } then: { [self] present in
            queue.async { [self] in
                let result = Result { () throws(PastError) in
                    guard let present else { throw .ended }
                    return try body(present)
                }
                state.withLock { $0.questions -= 1 }
                reply(result)
            }
        }
    }

    /// The instant, or the present one if it is not over yet.
    private func limit(_ instant: Instant, _ present: Present, _ control: StandControl) throws(PastError) -> Instant {
        switch instant {
        case .fact(let number):
            guard number <= present.sequence else { throw .notYet }
            return instant
        case .time(let time):
            // Allows for a client whose clock is a second ahead.
            let latest = present.time + SimulationTime(seconds: 1 + control.speed)
            guard time == .never || time <= latest else { throw .notYet }
            // A stand that is late has events due that have not happened.
            let last = min(
                present.time, present.next == .never ? .never : present.next - SimulationTime(nanoseconds: 1))
            return .time(min(time, last))
        }
    }

    private func view(
        _ instant: Instant, _ present: Present, _ control: StandControl
    ) throws(PastError) -> View {
        var run = try self.run(to: instant, control)
        var status = StandStatus(run.observers, run.stand, time: run.stand.now, speed: control.speed)
        switch instant {
        case .time(let time): status.time = time
        // A step of the engine may have announced later facts as well.
        case .fact(let number): status.sequence = number
        }
        let orders = run.orders
        let first = max(status.sequence, Self.linesBefore) - Self.linesBefore + 1
        let last = min(status.sequence + Self.linesAfter, present.sequence)
        guard run.advance(to: .fact(last), while: { !control.hasEnded }) else { throw .ended }
        let count = Int(last + 1 - min(first, last + 1))
        var lines = run.lines(from: first).prefix(count)
        // The lines before the copy come from the copy before that, if there is one.
        if lines.count < count, let longer = try? self.run(to: .fact(last), control, from: first - 1) {
            lines = longer.lines(from: first).prefix(count)
        }
        try check(lines, control)
        return View(status: status, orders: orders, lines: Array(lines.joined()))
    }

    /// Compares lines with those of the ledger, as far as it has them.
    private func check(_ lines: ArraySlice<ArraySlice<UInt8>>, _ control: StandControl) throws(PastError) {
        guard let first = lines.first.flatMap({ LedgerLine.sequence(Array($0)) }), first > 0 else { return }
        let size = lines.reduce(0) { $0 + $1.count }
        guard let written = control.written(after: first - 1, limit: size) else { return }
        let others = written.split(separator: UInt8(ascii: "\n"))
        for (number, (line, other)) in zip(lines, others).enumerated() where line.dropLast() != other {
            throw .differs(line: first + UInt64(number))
        }
    }

    private func figures(
        from start: SimulationTime, to end: SimulationTime, count: Int, _ control: StandControl
    ) throws(PastError) -> [StandFigures] {
        let known = state.withLock { $0.figures.elements }.filter { $0.time >= start && $0.time <= end }
        let step = max(1, known.count / max(1, count))
        var figures = stride(from: 0, to: known.count, by: step).map { known[$0] }
        var run = try self.run(to: .time(known.count < Self.manyFigures ? start : end), control)
        guard known.count < Self.manyFigures else {
            figures.append(StandFigures(run.observers.display.current, sequence: run.stand.factsAnnounced))
            return figures
        }
        figures = []
        for place in 0...max(1, count) {
            let part = Int128((end - start).nanoseconds) * Int128(place) / Int128(max(1, count))
            let time = start + SimulationTime(nanoseconds: Int64(part))
            guard run.advance(to: .time(time), while: { !control.hasEnded }) else { throw .ended }
            // Several places may have no fact between them.
            if figures.last.map({ $0.sequence < run.stand.factsAnnounced }) ?? true {
                figures.append(StandFigures(run.observers.display.current, sequence: run.stand.factsAnnounced))
            }
        }
        return figures
    }

    // MARK: - Running again

    /// The stand at an instant.
    ///
    /// - Parameter earliest: The number of facts before which the run begins; nil for the instant itself.
    private func run(
        to instant: Instant, _ control: StandControl, from earliest: UInt64? = nil
    ) throws(PastError) -> PastRun {
        func isEarly(_ sequence: UInt64, _ time: SimulationTime) -> Bool {
            if let earliest { return sequence <= earliest }
            return switch instant {
            case .fact(let number): sequence <= number
            case .time(let last): time <= last
            }
        }
        let (copies, changes) = state.withLock { ($0.copies, $0.changes) }
        var run: PastRun
        if let copy = copies.elements.last(where: { isEarly($0.sequence, $0.stand.now) }) {
            run = PastRun(from: copy, changes)
        } else {
            run = try earlierRun(copies.elements[0], changes, isEarly)
        }
        guard run.advance(to: instant, while: { !control.hasEnded }) else { throw .ended }
        return run
    }

    /// A run from a copy that the state keeps.
    ///
    /// - Parameter first: The first copy in memory.
    private func earlierRun(
        _ first: StandCopy, _ changes: [DatedChange], _ isEarly: (UInt64, SimulationTime) -> Bool
    ) throws(PastError) -> PastRun {
        do {
            guard let folder, let known = try folder.pastCopies().last(where: { isEarly($0.sequence, $0.time) }),
                known.sequence < first.sequence
            else { throw PastError.notKept(since: try folder?.pastCopies().first?.time ?? first.stand.now) }
            let earlier = try earlierChanges.withLock { $0 } ?? folder.pastChanges()
            earlierChanges.withLock { $0 = earlier }
            let copy = try folder.read(known)
            return PastRun(from: copy, earlier.filter { $0.number <= first.changes } + changes)
        } catch let failure as PastError {
            throw failure
        } catch {
            throw .system("\(error)")
        }
    }
}
