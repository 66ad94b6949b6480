/// The protocol of `Channel+Reclaiming.swift` as a machine small enough for all its interleavings to be tried.
///
/// Threads take one memory access at a time. What a thread stores waits in a buffer of its own until it is written at some
/// later instant, in order, as on processors with total store order; the thread itself sees it at once. A barrier on all
/// threads writes all buffers. So a step too weak for the real thing shows up here as well.
struct ReclamationModel: Hashable {
    /// What a thread does.
    enum Role: Hashable {
        /// Posts so many times; inside the call of an observer it cancels those named with it.
        case post(times: Int, cancelling: [Int: Int] = [:])
        /// Cancels an observer.
        case cancel(Int)
        /// Puts a new rack in the place of the current one.
        case replace
    }

    /// Ways to break the protocol, to see that it shows.
    enum Fault: Hashable, CaseIterable {
        case noBarrierAfterBurying, noBarrierAfterDebt, noDebt, noSecondLook, slotsAreNotAnnounced, rackIsNotChecked
        case retiredRacksAreForgotten
    }

    static let observers = 2
    static let racks = 2

    let roles: [Role]
    let fault: Fault?
    var threads: [Thread]
    var memory = Memory()
    var lockOwner: Int?
    var buried: Set<Int> = []
    var cancelReturned: Set<Int> = []
    var freedObservers: Set<Int> = []
    var freedRacks: Set<Int> = []
    var leaving: [Int] = []
    var retired: [Int] = []
    var nextRack = 1

    struct Memory: Hashable {
        var rack = 0
        var slots = Array(repeating: Array(0..<ReclamationModel.observers), count: ReclamationModel.racks)
        var frames: [Place] = []
        var debts: [Bool] = []
    }

    enum Place: Hashable {
        case nowhere
        case rack(Int)
        case slot(Int, Int)
    }

    enum Store: Hashable {
        case frame(Place)
        case debt(of: Int, Bool)
    }

    struct Thread: Hashable {
        var stack: [Activity]
        var buffer: [Store] = []
    }

    /// What a thread is in the middle of, the innermost last.
    enum Activity: Hashable {
        case posting(PostStep, left: Int)
        case cancelling(CancelStep, observer: Int)
        case replacing(locked: Bool)
        case collecting(Collection)
    }

    enum PostStep: Hashable {
        case loadRack
        case announceRack(Int)
        case checkRack(Int)
        case announceSlot(Int, Int)
        case loadSlot(Int, Int)
        case called(Int, Int, observer: Int)
        case leave, loadDebt, clearDebt, settle
    }

    enum CancelStep: Hashable {
        case lock, bury, collected
    }

    /// Looking through what is out of use; the lock is held.
    struct Collection: Hashable {
        enum Step: Hashable {
            case barrier
            case look(Int)
            case secondBarrier
            case lookAgain(Int)
            case decide
        }

        var step: Step = .barrier
        var items: [Item]
        var found = false
        var held = false
    }

    enum Item: Hashable {
        case rack(Int)
        case observer(Int)
    }

    struct Violation: Error {
        var what: String
    }

    init(_ roles: [Role], fault: Fault? = nil) {
        self.roles = roles
        self.fault = fault
        threads = roles.map { role in
            switch role {
            case .post(let times, _): Thread(stack: [.posting(.loadRack, left: times)])
            case .cancel(let observer): Thread(stack: [.cancelling(.lock, observer: observer)])
            case .replace: Thread(stack: [.replacing(locked: false)])
            }
        }
        memory.frames = Array(repeating: .nowhere, count: roles.count)
        memory.debts = Array(repeating: false, count: roles.count)
    }

    /// Tries every interleaving and returns how many different states there are.
    static func explore(_ roles: [Role], fault: Fault? = nil) throws -> Int {
        var seen: Set<ReclamationModel> = []
        var open = [ReclamationModel(roles, fault: fault)]
        while let state = open.popLast() {
            guard seen.insert(state).inserted else { continue }
            let next = try state.successors()
            if next.isEmpty { try state.checkEnd() }
            open.append(contentsOf: next)
        }
        return seen.count
    }

    /// What must hold when all threads are done: nothing waits, nothing is left.
    private func checkEnd() throws {
        guard threads.allSatisfy({ $0.stack.isEmpty }) else { throw Violation(what: "deadlock") }
        guard freedObservers == buried else { throw Violation(what: "an observer was cancelled and never freed") }
        guard retired.isEmpty else { throw Violation(what: "a rack was put out of use and never freed") }
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
        case .frame(let place): memory.frames[number] = place
        case .debt(let thread, let value): memory.debts[thread] = value
        }
    }

    mutating func writeAll() {
        for number in threads.indices {
            while !threads[number].buffer.isEmpty { writeOldest(of: number) }
        }
    }
}
