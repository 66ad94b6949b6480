/// The protocol of `Channel+Reclaiming.swift` as a machine small enough to try all its interleavings.
///
/// Threads take one memory access at a time. What a thread stores waits in a buffer of its own until it is written at some
/// later instant, in order, as on processors with total store order; the thread itself sees it at once. A barrier on all
/// threads writes all buffers. So a step that is too weak for a real processor shows up here as well.
///
/// Racks are known by addresses that are used again, by other channels too.
struct ReclamationModel: Hashable {
    /// What a thread does, one after the other.
    enum Action: Hashable {
        /// Begins: until then other threads do not know the thread. Without it the thread has posted before.
        case enroll
        /// Posts. Inside the call of an observer it cancels the one that `cancelling` gives for it. The thread may end there.
        case post(channel: Int = 0, cancelling: [Int: Int] = [:], endsInside: Bool = false)
        /// Cancels an observer, and waits for its calls if asked to.
        case cancel(Int, waits: Bool = false)
        /// Replaces the current rack.
        case replace(channel: Int = 0)
        /// Ends.
        case end
    }

    /// Ways to break the protocol, to see that the exploration finds them.
    enum Fault: Hashable, CaseIterable {
        case noBarrierAfterBurying, noBarrierAfterDebt, noDebt, noSecondLook, slotsAreNotAnnounced, rackIsNotChecked
        case retiredRacksAreForgotten
        /// A rack that was retired after the barrier is freed with those before.
        case laterRacksAreFreedToo
        /// The compiler moves the load of a slot before its announcement.
        case slotIsReadBeforeItIsAnnounced
        /// A thread pays only what its own channel is owed.
        case onlyOwnChannelIsPaid
        /// Whoever waits for a post keeps looking at addresses of racks that were freed.
        case slotsOfFreedRacksAreKept
        /// A thread that ends inside a call leaves its frame as it is.
        case endedThreadStaysInPlace
        /// A thread that ends inside a call pays only those that wait for the call, and not those whose call is over.
        case endedThreadPaysForItsLastCall
        /// A new thread posts before others are sure to find its record.
        case noFenceAfterEnrolling
        /// A record that its thread has left no longer leads to the others.
        case leftRecordLeadsNowhere
        /// A post uses the frame that another thread was found to have, as after a suspension.
        case frameOfAnotherThread
    }

    private let setup: Setup
    var threads: [Thread]
    var memory: Memory
    var channels: [Channel]
    /// Which rack an address is: counts how often its memory was freed.
    var generations: [Int]
    var freeAddresses: [Int]
    var backlog: Set<Int> = []
    var listOwner: Int?
    var spareRecords: [Int] = []
    var freedObservers: Set<Int> = []
    /// Observers whose cancellation has returned, and those for whose calls it has waited.
    var cancelled: Set<Int> = []
    var awaited: Set<Int> = []
    /// Whether a call began after its cancellation had returned.
    var hasSeenWindow = false

    /// What all states of one exploration share, so that comparing and hashing them passes over it.
    private struct Setup: Hashable {
        let programs: [[Action]]
        let fault: Fault?
        let observers: Int

        static func == (a: Self, b: Self) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    var programs: [[Action]] { setup.programs }
    var fault: Fault? { setup.fault }
    /// How many observers each channel has: the first has 0 and up, the next those after them.
    var observers: Int { setup.observers }

    /// What threads read without a lock.
    struct Memory: Hashable {
        var rack: [Int]
        /// The observer in each slot, by address and index; -1 for the tombstone.
        var slots: [[Int]]
        var places: [Place]
        var debts: [Bool]
        /// The list of the records of live threads; -1 at its end.
        var first: Int
        var next: [Int]
    }

    struct Channel: Hashable {
        var owner: Int?
        var retired: [Int] = []
        /// Where posts may be that call a cancelled observer.
        var departures: [Int: [Slot]] = [:]
    }

    struct Place: Hashable {
        var address: Int
        var index: Int
        static let nowhere = Place(address: -1, index: -1)
    }

    enum Store: Hashable {
        case place(of: Int, Place)
        case debt(of: Int, Bool)
        case next(of: Int, Int)
        case first(Int)
        case unlockList
    }

    struct Thread: Hashable {
        var stack: [Activity] = []
        /// How many of its actions the thread has begun.
        var begun = 0
        var record = -1
        var buffer: [Store] = []
    }

    /// What a thread is in the middle of, the innermost last.
    enum Activity: Hashable {
        case enrolling
        case posting(PostStep)
        case cancelling(CancelStep, observer: Int)
        case replacing(channel: Int)
        /// Looks after channels that wait for some post.
        case settling(Set<Int>)
        case collecting(Collection)
        case ending
    }

    enum PostStep: Hashable {
        case loadRack
        case announceRack(Int)
        case checkRack(Int)
        case announceAgain(Int)
        case checkAgain(Int)
        case payForBeingLate(Int)
        case announceSlot(Slot)
        case loadSlot(Slot)
        case announceLate(Slot, observer: Int)
        case enter(Slot, observer: Int)
        case called(Slot, observer: Int)
        case leave, loadDebt, clearDebt
    }

    /// A slot of a rack, which another rack of the same address does not have.
    struct Slot: Hashable {
        var address: Int
        var generation: Int
        var index = 0
        var place: Place { Place(address: address, index: index) }
        var following: Slot { Slot(address: address, generation: generation, index: index + 1) }
    }

    enum CancelStep: Hashable {
        case lock, bury, collected, waiting
    }

    /// Looking through what is out of use in a channel; its lock is held.
    struct Collection: Hashable {
        enum Step: Hashable {
            case lock
            case barrier
            case start
            case look(Int)
            case secondBarrier
            case decide
        }

        var channel: Int
        var step: Step
        /// The racks that were out of use before the barrier.
        var retired: [Int] = []
        var found: [Int] = []
    }

    struct Violation: Error {
        var what: String
    }

    init(_ programs: [[Action]], observers: Int, fault: Fault?) {
        setup = Setup(programs: programs, fault: fault, observers: observers)
        let channelCount =
            1
            + (programs.joined().map { action in
                switch action {
                case .post(let channel, _, _), .replace(let channel): channel
                case .cancel(let observer, _): observer / observers
                case .enroll, .end: 0
                }
            }.max() ?? 0)
        threads = programs.indices.map { Thread(record: programs[$0].first == .enroll ? -1 : $0) }
        channels = Array(repeating: Channel(), count: channelCount)
        // One address more than there are channels, so that a rack can be replaced, and soon gets another's address.
        generations = Array(repeating: 0, count: channelCount + 1)
        freeAddresses = [channelCount]
        let enrolled = threads.map(\.record).filter { $0 >= 0 }
        memory = Memory(
            rack: Array(0..<channelCount),
            slots: (0...channelCount).map { channel in (0..<observers).map { channel * observers + $0 } },
            places: Array(repeating: .nowhere, count: programs.count),
            debts: Array(repeating: false, count: programs.count),
            first: enrolled.first ?? -1, next: Array(repeating: -1, count: programs.count))
        for (record, following) in zip(enrolled, enrolled.dropFirst()) { memory.next[record] = following }
    }

    /// Tries every interleaving. Returns how many states there are, and in how many a call begins after its cancellation
    /// has returned.
    static func explore(
        _ programs: [[Action]], observers: Int = 2, fault: Fault? = nil
    ) throws -> (states: Int, windows: Int) {
        var seen: Set<ReclamationModel> = []
        var open = [ReclamationModel(programs, observers: observers, fault: fault)]
        var windows = 0
        while let state = open.popLast() {
            guard seen.insert(state).inserted else { continue }
            if state.hasSeenWindow { windows += 1 }
            let next = try state.successors()
            if next.isEmpty { try state.checkEnd() }
            open.append(contentsOf: next)
        }
        return (seen.count, windows)
    }

    /// What must hold when all threads are done: nothing waits, nothing is left.
    private func checkEnd() throws {
        guard threads.indices.allSatisfy({ isDone($0) }) else { throw Violation(what: "some threads wait forever") }
        guard channels.allSatisfy(\.departures.isEmpty) else {
            throw Violation(what: "an observer was cancelled and never freed")
        }
        guard channels.allSatisfy(\.retired.isEmpty) else {
            throw Violation(what: "a rack was put out of use and never freed")
        }
    }

    func isDone(_ number: Int) -> Bool {
        threads[number].stack.isEmpty && threads[number].begun == programs[number].count
    }

    private func successors() throws -> [ReclamationModel] {
        var next: [ReclamationModel] = []
        for number in threads.indices {
            if !threads[number].buffer.isEmpty {
                var state = self
                state.writeOldest(of: number)
                next.append(state)
            }
            var state = self
            if try state.step(number) { next.append(state) }
        }
        return next
    }

    private mutating func writeOldest(of number: Int) {
        switch threads[number].buffer.removeFirst() {
        case .place(let record, let place): memory.places[record] = place
        case .debt(let record, let value): memory.debts[record] = value
        case .next(let record, let value): memory.next[record] = value
        case .first(let record): memory.first = record
        case .unlockList: listOwner = nil
        }
    }

    mutating func writeAll(of number: Int) {
        while !threads[number].buffer.isEmpty { writeOldest(of: number) }
    }
}
