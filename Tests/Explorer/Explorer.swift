import Dispatch
import NotificationBus
import Platform

/// Runs a few threads in every order that a bound allows, and decides what each reads from memory.
///
/// One thread runs at a time: it has the token. Before each step that other threads can notice, the token may go to
/// another thread; that is a preemption, unless the thread waits or has ended. What a thread stores enters its buffer,
/// as on processors with total store order, and is written in order. The buffer is written at once, unless the token
/// goes to another thread before: then the explorer also tries to hold back the stores from each one on. That is a
/// delay. Held stores are written before another thread reads the word, or not, which are two cases; at the latest they
/// are written when the thread passes a fence, or when another makes all threads pass one.
///
/// Every decision is a number in a trail. After an execution the last number that can be raised is raised, and the
/// next execution repeats all decisions up to there: a search in depth, without the states being compared.
///
/// Unchecked because only the thread that has the token uses the state.
final class Explorer: Seam, @unchecked Sendable {
    struct Bound {
        var preemptions = 2
        var delays = 2
    }

    /// Memory that an array has. Freed memory is not used again in the same execution, unless `isReusing`.
    private struct Block {
        var start: UInt
        var words: Int
        var isFree = false

        func contains(_ address: UInt) -> Bool { address >= start && address < start + UInt(words * 8) }
    }

    private enum Stored {
        case word(address: UInt, value: UInt, isStep: Bool)
        case unlock(UInt)

        var isStep: Bool { if case .word(_, _, true) = self { true } else { false } }
    }

    private enum State {
        case ready
        case locked(UInt)
        case paused(writes: Int)
        case ended
    }

    private final class Worker: @unchecked Sendable {
        let turn = DispatchSemaphore(value: 0)
        var job: (@Sendable () -> Void)?
        var state = State.ended
        var buffer: [Stored] = []
        /// How many stores it has made, and how many of them are written.
        var stored = 0
        var written = 0
        /// How much was written in all when it went on after its last pause.
        var seen = 0
        var isRunning = false
    }

    let bound: Bound
    let isReusing: Bool
    let hasBarrierOnAllThreads: Bool

    private(set) var schedules = 0
    private(set) var step = 0
    /// The thread that has the token; `nil` while nothing is explored.
    private(set) var current: Int?
    /// Called by a thread that pauses, with its number; for conditions on waiting.
    var onPause: ((Int) -> Void)?
    /// Called by a thread that goes on after a pause.
    var onWake: ((Int) -> Void)?
    /// Called when an observer is released.
    var onRelease: ((Int) -> Void)?
    /// The locks that were taken in ``whileNoLockIsKept(_:)``, and the thread that is there.
    private var briefLocks: Set<UInt> = []
    private var hurried: Int?
    /// The step at which each thread read shared memory last.
    private(set) var lastLoad: [Int] = []

    private var trail: [(chosen: Int, count: Int)] = []
    private var position = 0
    private var preemptions = 0
    private var delays = 0
    private var writes = 0
    private var workers: [Worker] = []
    private var owners: [UInt: Int] = [:]
    private var blocks: [Block] = []
    private var used = 0
    private var released: [AnyObject] = []
    private let done = DispatchSemaphore(value: 0)
    private let name: String

    private static let words = 1 << 16
    /// A record of a thread has more words, an array fewer.
    private static let record = 500
    private static let arena = UInt(
        bitPattern: UnsafeMutableRawPointer.allocate(byteCount: words * 8, alignment: 128))

    init(_ name: String, _ bound: Bound, isReusing: Bool, hasBarrier: Bool) {
        self.name = name
        self.bound = bound
        self.isReusing = isReusing
        hasBarrierOnAllThreads = hasBarrier
    }

    /// Ends the program: a promise is broken.
    func fail(_ what: String) -> Never {
        let decisions = trail.prefix(position).map { "\($0.chosen)" }.joined(separator: " ")
        print("✘ \(name): \(what)\n  schedule \(schedules + 1), step \(step), thread \(current ?? -1): \(decisions)")
        exit(1)
    }
}

// MARK: - Executions

extension Explorer {
    /// Calls `execution` for every schedule. It sets a case up and calls ``run(_:)`` once.
    ///
    /// - Returns: Whether it met every schedule before `end`.
    func explore(until end: ContinuousClock.Instant, _ execution: () -> Void) -> Bool {
        defer {
            for worker in workers {
                worker.job = nil
                worker.turn.signal()
            }
        }
        while true {
            position = 0
            preemptions = 0
            delays = 0
            writes = 0
            step = 0
            execution()
            released = []
            if !forgetThreads() { fail("a thread that has ended is still in the list, or a channel in the backlog") }
            blocks = []
            briefLocks = []
            used = 0
            schedules += 1
            if !advance() { return true }
            if .now > end { return false }
        }
    }

    private func advance() -> Bool {
        if position != trail.count { fail("an execution that was to be repeated went another way") }
        while let last = trail.popLast() {
            if last.chosen + 1 < last.count {
                trail.append((last.chosen + 1, last.count))
                return true
            }
        }
        return false
    }

    private func choose(_ count: Int) -> Int {
        if count <= 1 { return 0 }
        if position == trail.count { trail.append((0, count)) }
        let decision = trail[position]
        if decision.count != count { fail("an execution that was to be repeated has other choices") }
        position += 1
        return decision.chosen
    }

    /// Lets one thread do something before the exploration, and waits for it.
    func prepare(_ number: Int, _ job: @escaping @Sendable () -> Void) {
        give(number) { [done] in
            job()
            done.signal()
        }
        workers[number].turn.signal()
        done.wait()
    }

    /// Runs one program on each thread in the order that the trail says. The threads do not end.
    func run(_ programs: [@Sendable () -> Void]) {
        for (number, program) in programs.enumerated() {
            give(number) { [self] in
                program()
                finish()
            }
            workers[number].state = .ready
        }
        lastLoad = programs.map { _ in 0 }
        owners = [:]
        let first = choose(programs.count)
        current = first
        workers[first].turn.signal()
        done.wait()
    }

    /// How many arrays are in use.
    var arrays: Int { blocks.count { !$0.isFree && $0.words < Self.record } }

    /// Ends the threads, one after the other.
    func endThreads() {
        for number in workers.indices where workers[number].isRunning { prepare(number) { endThread() } }
    }

    /// The program of the current thread is over: it gives the token to another.
    private func finish() {
        guard let number = current else { return }
        write(all: number)
        workers[number].state = .ended
        if workers.allSatisfy({ if case .ended = $0.state { true } else { false } }) {
            current = nil
            done.signal()
        } else {
            pass(on: number, mustWait: false)
        }
    }

    /// Ends the current thread in the middle of what it does.
    func exitCurrent() -> Never {
        endThread()
        workers[current ?? 0].isRunning = false
        finish()
        pthread_exit(nil)
    }

    private func give(_ number: Int, _ job: (@Sendable () -> Void)?) {
        while workers.count <= number { workers.append(Worker()) }
        let worker = workers[number]
        worker.job = job
        worker.buffer = []
        if worker.isRunning { return }
        worker.isRunning = true
        let status = startThread {
            while true {
                worker.turn.wait()
                guard let job = worker.job else { return }
                job()
            }
        }
        precondition(status == 0, "a thread can't be started (error \(status))")
    }
}

// MARK: - Choosing the next thread

extension Explorer {
    /// A step of a thread that others can notice: another thread may go before it.
    func reach() {
        defer { step += 1 }
        if step > 5000 { fail("a thread goes round without end") }
        guard let number = current, preemptions < bound.preemptions else { return }
        let others = workers.indices.filter { $0 != number && isEnabled($0) }
        let ways = waysToLeave(number)
        let choice = choose(1 + others.count * ways)
        if choice == 0 { return }
        preemptions += 1
        leave(number, to: others[(choice - 1) / ways], holding: (choice - 1) % ways)
    }

    /// Lets any thread go on, which is no preemption.
    func rest() {
        if let number = current { pass(on: number, mustWait: true) }
    }

    /// Gives the token away, as the thread can't go on or has ended.
    private func pass(on number: Int, mustWait: Bool) {
        var others = workers.indices.filter(isEnabled)
        if others.isEmpty {
            for other in workers.indices { write(all: other) }
            others = workers.indices.filter(isEnabled)
        }
        if others.isEmpty {
            others = workers.indices.filter {
                if case .paused = workers[$0].state { workers[$0].seen < writes } else { false }
            }
        }
        if others.isEmpty { fail("some threads wait for ever") }
        let ways = waysToLeave(number)
        let choice = choose(others.count * ways)
        leave(number, to: others[choice / ways], holding: choice % ways, mustWait: mustWait)
    }

    private func leave(_ number: Int, to other: Int, holding held: Int, mustWait: Bool = true) {
        write(all: number, but: held)
        if held > 0 { delays += 1 }
        current = other
        if other == number { return }
        workers[other].turn.signal()
        if mustWait { workers[number].turn.wait() }
    }

    private func isEnabled(_ number: Int) -> Bool {
        switch workers[number].state {
        case .ready: true
        case .locked(let lock): isFree(lock)
        case .paused(let before): writes > before
        case .ended: false
        }
    }

    private func isFree(_ lock: UInt) -> Bool {
        guard let owner = owners[lock] else { return true }
        return workers[owner].buffer.contains { if case .unlock(lock) = $0 { true } else { false } }
    }

    /// In how many ways a thread can leave stores unwritten, none included.
    private func waysToLeave(_ number: Int) -> Int {
        delays < bound.delays ? 1 + workers[number].buffer.count(where: \.isStep) : 1
    }
}

// MARK: - Memory

extension Explorer {
    private func memory(_ address: UInt) -> UnsafeMutablePointer<UInt> {
        unsafe UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
    }

    /// Writes what a thread has stored, up to the last `held` stores that others can notice.
    private func write(all number: Int, but held: Int = 0) {
        var left = workers[number].buffer.count(where: \.isStep) - held
        var count = held == 0 ? workers[number].buffer.count : 0
        if held > 0 {
            for stored in workers[number].buffer {
                if stored.isStep {
                    if left == 0 { break }
                    left -= 1
                }
                count += 1
            }
        }
        write(first: count, of: number)
    }

    private func write(first count: Int, of number: Int) {
        for stored in workers[number].buffer.prefix(count) {
            writes += 1
            switch stored {
            case .word(let address, let value, _): unsafe memory(address).pointee = value
            case .unlock(let lock): owners[lock] = nil
            }
        }
        workers[number].buffer.removeFirst(count)
        workers[number].written += count
    }

    /// Lets what other threads have stored in a word be written before the current thread uses it, or not.
    private func meet(_ address: UInt, _ number: Int) {
        check(address)
        for other in workers.indices where other != number {
            let places = workers[other].buffer.indices.filter {
                if case .word(address, _, _) = workers[other].buffer[$0] { true } else { false }
            }
            let choice = choose(1 + places.count)
            if choice > 0 { write(first: places[choice - 1] + 1, of: other) }
        }
    }

    private func check(_ address: UInt) {
        if let block = blocks.first(where: { $0.contains(address) }), block.isFree {
            fail("a thread uses the memory of an array that was freed")
        }
    }

    func load(_ address: UInt, isStep: Bool) -> UInt {
        guard let number = current else { return unsafe memory(address).pointee }
        if isStep {
            reach()
            meet(address, number)
            lastLoad[number] = step
        } else {
            check(address)
        }
        for case .word(address, let value, _) in workers[number].buffer.reversed() { return value }
        return unsafe memory(address).pointee
    }

    func store(_ value: UInt, at address: UInt, isStep: Bool) {
        guard let number = current else {
            let memory = unsafe memory(address)
            unsafe memory.pointee = value
            return
        }
        if isStep { reach() }
        check(address)
        workers[number].buffer.append(.word(address: address, value: value, isStep: isStep))
        workers[number].stored += 1
    }

    func exchange(_ address: UInt, _ new: (UInt) -> UInt) -> UInt {
        if let number = current {
            reach()
            write(all: number)
            meet(address, number)
            writes += 1
        }
        let old = unsafe memory(address).pointee
        unsafe memory(address).pointee = new(old)
        return old
    }

    func fence() {
        if let number = current { write(all: number) }
    }

    func barrierOnAllThreads() {
        guard current != nil else { return }
        reach()
        for number in workers.indices { write(all: number) }
        if owners.contains(where: { $0.value == current && briefLocks.contains($0.key) }) {
            fail("a lock that others take for an instant is held while all threads pass a barrier")
        }
    }

    /// Calls `body`; no thread may have a lock that it takes for as long as a barrier on all threads takes.
    func whileNoLockIsKept(_ body: () -> Void) {
        hurried = current
        body()
        hurried = nil
    }

    func lock(_ lock: UInt) {
        guard let number = current else { return }
        reach()
        write(all: number)
        while !isFree(lock) {
            if owners[lock] == number { fail("a thread takes a lock that it has") }
            workers[number].state = .locked(lock)
            pass(on: number, mustWait: true)
            workers[number].state = .ready
        }
        if let owner = owners[lock] { write(all: owner) }
        owners[lock] = number
        if hurried == number { briefLocks.insert(lock) }
    }

    func unlock(_ lock: UInt) {
        guard let number = current else { return }
        workers[number].buffer.append(.unlock(lock))
        workers[number].stored += 1
    }

    func pause() {
        guard let number = current else { fail("a thread waits that nobody else can free") }
        onPause?(number)
        workers[number].state = .paused(writes: writes)
        pass(on: number, mustWait: true)
        workers[number].state = .ready
        workers[number].seen = writes
        onWake?(number)
    }

    func allocate(words count: Int) -> UInt {
        if isReusing, let index = blocks.lastIndex(where: { $0.isFree && $0.words == count }) {
            blocks[index].isFree = false
            return blocks[index].start
        }
        precondition(used + count <= Self.words, "the explorer has no memory left")
        let start = Self.arena + UInt(used * 8)
        used += (count + 15) / 16 * 16
        blocks.append(Block(start: start, words: count))
        return start
    }

    func free(_ address: UInt) {
        guard let index = blocks.firstIndex(where: { $0.start == address }) else { return }
        if blocks[index].isFree { fail("an array is freed twice") }
        blocks[index].isFree = true
        for word in 0..<blocks[index].words {
            let memory = unsafe memory(address + UInt(word * 8))
            unsafe memory.pointee = 0xDEAD_DEAD_DEAD_DEA8
        }
    }

    func willRelease(_ observer: AnyObject, line: Int) {
        guard current != nil else { return }
        released.append(observer)
        onRelease?(line)
    }

    /// Whether all is written that a thread had stored when it had made `stored` stores.
    func isWritten(_ number: Int, _ stored: Int) -> Bool { workers[number].written >= stored }

    func stored(by number: Int) -> Int { workers[number].stored }
}
