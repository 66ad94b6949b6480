import Dispatch
import NotificationBus
import Platform
import Synchronization
import TestSupport
import Testing

/// Random programs on one to eight threads, and a model that says who may hear what and who must.
@Suite(.timeLimit(.minutes(60)))
struct RandomProgramTests {
    @Test func `whatever threads do, everybody hears what the promises say`() async {
        let seed = SeededRandom.printed().seed
        for number in 0..<Study.size(200, full: 10_000) {
            let program = Program(threads: 1 + number % 8, seed: seed &+ UInt64(number))
            await program.run()
            let faults = program.faults()
            #expect(faults.isEmpty, "program \(number): \(faults.prefix(5))")
            if !faults.isEmpty { return }
        }
    }
}

private struct Sold: TypedNotification {
    var post: Int
    var thread: Int
    var depth = 0
}

private struct Level: KeptNotification {
    var post: Int
}

private struct WhoAnswers: TypedQuestion {
    typealias Answer = Int
}

private struct Post {
    var number: Int
    var thread: Int
    var isKept: Bool
    var sender: Int?
    var isNested = false
    /// Ticks of the program's clock.
    var begin: Int
    var end = Int.max
}

private struct Call {
    var observer: Int
    var post: Int
    var tick: Int
}

private struct Asking {
    var begin: Int
    var end: Int
    var result: Result<Int, AskError>
}

/// One observer or answerer; ticks are written once by those who cancel, and read when all is over.
private final class Watcher: Sendable {
    enum Form: CaseIterable {
        case plain, withObject, cancelsItself, cancelsItselfAndWaits, posts, observes, replaying, onQueue, reading,
            answering
    }

    let number: Int
    let form: Form
    let isKept: Bool
    let sender: Int?
    let began: Int
    let begun = Atomic(Int.max)
    let cancelling = Atomic(Int.max)
    let cancelled = Atomic(Int.max)
    let awaited = Atomic(Int.max)

    init(_ number: Int, _ form: Form, isKept: Bool, sender: Int?, began: Int) {
        self.number = number
        self.form = form
        self.isKept = isKept
        self.sender = sender
        self.began = began
    }

    /// Whether its calls are made before the post returns.
    var isSynchronous: Bool { form != .onQueue && form != .reading }
}

/// A place for an observation that any thread may cancel or replace.
private typealias Slot = Cell<(watcher: Watcher, token: ObservationToken)?>

/// What one thread does and sees.
///
/// Unchecked because only that thread uses it, without a lock that would keep threads apart which are to meet.
private final class Log: @unchecked Sendable {
    var posts: [Post] = []
    var calls: [Call] = []
    var askings: [Asking] = []
}

private final class Program: Sendable {
    private static let slots = 12
    private let seed: UInt64
    private let logs: [Log]
    private let clock = Atomic(0)
    private let postCount = Atomic(0)
    private let watchers = Record<Watcher>()
    /// The calls that are made elsewhere than on the thread of a program's post.
    private let elsewhere = Record<Call>()
    private let tokens = (0..<slots).map { _ in Slot(nil) }
    private let senders = [Captive {}, Captive {}]
    private let queue = DispatchQueue(label: "observers")
    private let readers = Record<Task<Void, Never>>()
    private let watcherCount = Atomic(0)
    private let made = Atomic(0)
    private let released = Atomic(0)

    init(threads: Int, seed: UInt64) {
        self.seed = seed
        logs = (0..<threads).map { _ in Log() }
    }

    private func tick() -> Int { clock.wrappingAdd(1, ordering: .relaxed).newValue }

    func run() async {
        // The last thread that ends releases the center, or this function when the queue has made its calls.
        let center = Cell<TypedNotificationCenter?>(TypedNotificationCenter())
        let centers = logs.map { _ in Cell(center.value) }
        if seed % 2 == 1 { center.value = nil }
        _ = await onThreads(logs.count) { [self] thread in
            guard let center = centers[thread].value else { return }
            centers[thread].value = nil
            var random = SeededRandom(seed: seed &* 31 &+ UInt64(thread))
            for _ in 0..<20 { step(center, thread, &random) }
        }
        queue.sync {}
        center.value = nil
        for reader in readers.entries { await reader.value }
        for slot in tokens { slot.exchange(nil) }
        queue.sync {}
        // A task that has ended may still be releasing its closure.
        try? await eventually("the release of all captures") {
            made.load(ordering: .relaxed) == released.load(ordering: .relaxed)
        }
    }

    private func step(_ center: TypedNotificationCenter, _ thread: Int, _ random: inout SeededRandom) {
        let sender = Int.random(in: 0..<3, using: &random)
        let slot = Int.random(in: 0..<Self.slots, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0...3: observe(center, Watcher.Form.allCases.randomElement(using: &random)!, slot, sender)
        case 4: cancel(slot, waits: false)
        case 5: cancel(slot, waits: true)
        case 6: post(center, thread, isKept: true, sender)
        case 7: post(center, thread, isKept: true, isSent: true, sender)
        case 8: ask(center, thread)
        default: post(center, thread, isKept: false, sender)
        }
    }
}

// MARK: - What threads do

extension Program {
    private func post(
        _ center: TypedNotificationCenter, _ thread: Int, isKept: Bool, isSent: Bool = false, _ sender: Int,
        depth: Int = 0
    ) {
        let number = postCount.wrappingAdd(1, ordering: .relaxed).newValue
        var post = Post(
            number: number, thread: thread, isKept: isKept, sender: sender < 2 ? sender : nil, isNested: depth > 0,
            begin: tick())
        let sold = Sold(post: number, thread: thread, depth: depth)
        let from = sender < 2 ? senders[sender] : nil
        if isSent {
            send(Level(post: number), center, from: from)
        } else {
            if isKept { center.post(Level(post: number), by: from) } else { center.post(sold, by: from) }
        }
        post.end = tick()
        logs[thread].posts.append(post)
    }

    /// Sends from a task and waits for it.
    private func send(_ level: Level, _ center: TypedNotificationCenter, from sender: Captive?) {
        let done = DispatchSemaphore(value: 0)
        Task {
            await center.send(level, from: sender)
            done.signal()
        }
        done.wait()
    }

    private func ask(_ center: TypedNotificationCenter, _ thread: Int) {
        let begin = tick()
        let result = Result { () throws(AskError) in try center.ask(WhoAnswers()) }
        logs[thread].askings.append(Asking(begin: begin, end: tick(), result: result))
    }

    private func cancel(_ slot: Int, waits: Bool) {
        guard let (watcher, token) = tokens[slot].value else { return }
        watcher.cancelling.min(tick(), ordering: .relaxed)
        if waits { token.cancelAndWait() } else { token.cancel() }
        let end = tick()
        watcher.cancelled.min(end, ordering: .relaxed)
        if waits { watcher.awaited.min(end, ordering: .relaxed) }
    }

    private func observe(_ center: TypedNotificationCenter, _ form: Watcher.Form, _ slot: Int, _ sender: Int) {
        let isKept = [.replaying, .reading].contains(form)
        let watcher = Watcher(
            watcherCount.wrappingAdd(1, ordering: .relaxed).oldValue, form, isKept: isKept,
            sender: sender < 2 && form != .answering ? sender : nil,
            began: tick())
        watchers.note(watcher)
        let captive = makeCaptive(center)
        let from = watcher.sender.map { senders[$0] }
        let call: @Sendable (Int) -> Void = { [weak self] post in
            guard let self else { return }
            captive.touch()
            elsewhere.note(Call(observer: watcher.number, post: post, tick: tick()))
        }
        let token: ObservationToken
        switch form {
        case .answering:
            token = center.answer(WhoAnswers.self) { _ in
                captive.touch()
                return watcher.number
            }
        case .replaying: token = center.observe(Level.self, from: from, replayingLatest: true) { call($0.post) }
        case .onQueue: token = center.observe(Sold.self, on: queue, from: from) { call($0.post) }
        case .reading: return read(center, watcher, from, call)
        case .withObject:
            token = center.observe(Sold.self, with: self, from: from) { program, sold in
                captive.touch()
                program.hear(sold, watcher)
            }
        default:
            token = center.observe(Sold.self, from: from) { [weak self, weak center] sold in
                captive.touch()
                self?.hear(sold, watcher)
                if let center { self?.react(center, sold, watcher, slot) }
            }
        }
        watcher.begun.store(tick(), ordering: .relaxed)
        let before = tokens[slot].exchange((watcher, token))
        // Releasing the last reference cancels.
        before?.watcher.cancelling.min(tick(), ordering: .relaxed)
    }

    private func hear(_ sold: Sold, _ watcher: Watcher) {
        logs[sold.thread].calls.append(Call(observer: watcher.number, post: sold.post, tick: tick()))
    }

    private func react(_ center: TypedNotificationCenter, _ sold: Sold, _ watcher: Watcher, _ slot: Int) {
        switch watcher.form {
        case .cancelsItself: cancel(slot, watcher, waits: false)
        case .cancelsItselfAndWaits: cancel(slot, watcher, waits: true)
        case .posts where sold.depth < 2:
            post(center, sold.thread, isKept: false, sold.post % 3, depth: sold.depth + 1)
        case .observes where sold.depth < 2: observe(center, .plain, (slot + 1) % Self.slots, sold.post % 3)
        default: break
        }
    }

    /// Cancels an observer from inside, without waiting for another of which a call may wait for this one.
    private func cancel(_ slot: Int, _ watcher: Watcher, waits: Bool) {
        let isAlone = logs.count == 1
        if tokens[slot].value?.watcher === watcher { cancel(slot, waits: waits && isAlone) }
    }

    private func read(
        _ center: TypedNotificationCenter, _ watcher: Watcher, _ sender: Captive?,
        _ call: @escaping @Sendable (Int) -> Void
    ) {
        let notes = center.notifications(of: Level.self, from: sender, buffering: .suspending(2))
        let begun = notes.makeAsyncIterator()
        watcher.begun.store(tick(), ordering: .relaxed)
        readers.note(
            Task {
                var iterator = begun
                while let level = await iterator.next() { call(level.post) }
            })
    }

    /// A capture whose end uses the center: that must wait for no lock.
    private func makeCaptive(_ center: TypedNotificationCenter) -> Captive {
        made.add(1, ordering: .relaxed)
        return Captive { [weak center, self] in
            center?.observe(Sold.self) { _ in }.cancel()
            _ = center?.latest(Level.self)
            released.add(1, ordering: .relaxed)
        }
    }
}

// MARK: - The model

extension Program {
    /// The promises that were broken.
    func faults() -> [String] {
        let posts = logs.flatMap(\.posts)
        let calls = logs.flatMap(\.calls) + elsewhere.entries
        let byObserver = Dictionary(grouping: calls, by: \.observer)
        var faults: [String] = []
        for watcher in watchers.entries where watcher.form != .answering {
            let heard = byObserver[watcher.number] ?? []
            for fault in self.faults(of: watcher, heard, posts) {
                faults.append("observer \(watcher.number), \(watcher.form), \(fault)")
            }
        }
        for asking in logs.flatMap(\.askings) where !isRight(asking) { faults.append("\(asking)") }
        faults += orderFaults()
        let made = made.load(ordering: .relaxed)
        let released = released.load(ordering: .relaxed)
        if made != released { faults.append("\(made) captures were made, \(released) released") }
        return faults
    }

    private func faults(of watcher: Watcher, _ heard: [Call], _ posts: [Post]) -> [String] {
        let begun = watcher.begun.load(ordering: .relaxed)
        let cancelling = watcher.cancelling.load(ordering: .relaxed)
        let cancelled = watcher.cancelled.load(ordering: .relaxed)
        let counts = Dictionary(grouping: heard, by: \.post).mapValues(\.count)
        var faults: [String] = []
        for post in posts where post.isKept == watcher.isKept {
            let count = counts[post.number] ?? 0
            let isMeant = watcher.sender == nil || watcher.sender == post.sender
            if count > 1 { faults.append("hears post \(post.number) \(count) times") }
            if count > 0 && !isMeant { faults.append("hears post \(post.number) of another sender") }
            if count > 0 && post.begin > cancelled { faults.append("hears post \(post.number) after its end") }
            let isEarly = post.end < watcher.began && watcher.form != .replaying
            if count > 0 && isEarly { faults.append("hears the earlier post \(post.number)") }
            let isCancelled = cancelling < (watcher.isSynchronous ? post.end : .max)
            // A center that goes away drops what waits in a queue.
            let isDropped = isCancelled || watcher.form == .onQueue && seed % 2 == 1
            if count == 0 && isMeant && post.begin > begun && !isDropped {
                faults.append("misses post \(post.number)")
            }
        }
        let awaited = watcher.awaited.load(ordering: .relaxed)
        if heard.contains(where: { $0.tick > awaited }) { faults.append("is called after it was waited for") }
        // Each thread's posts, other than those inside others, in order.
        let known = Dictionary(uniqueKeysWithValues: posts.map { ($0.number, $0) })
        for (thread, calls) in Dictionary(grouping: heard, by: { known[$0.post]?.thread }) where thread != nil {
            let numbers = calls.map(\.post).filter { known[$0]?.isNested == false }
            if numbers != numbers.sorted() { faults.append("hears \(numbers) of one thread out of order") }
        }
        let isReplayDue = posts.contains { $0.isKept && $0.end < watcher.began }
        if watcher.form == .replaying && watcher.sender == nil && isReplayDue && heard.isEmpty {
            faults.append("is not told the latest value")
        }
        return faults
    }

    private func isRight(_ asking: Asking) -> Bool {
        var possible: Set<Int> = []
        var certain: Set<Int> = []
        for watcher in watchers.entries where watcher.form == .answering {
            let end = watcher.cancelled.load(ordering: .relaxed)
            let isGone = end < asking.begin || watcher.began > asking.end
            if !isGone { possible.insert(watcher.number) }
            let isThere = watcher.begun.load(ordering: .relaxed) < asking.begin
            let staysThere = watcher.cancelling.load(ordering: .relaxed) > asking.end
            if isThere && staysThere { certain.insert(watcher.number) }
        }
        return switch asking.result {
        case .success(let number): possible.contains(number) && certain.subtracting([number]).isEmpty
        case .failure(.noAnswerer): certain.isEmpty
        case .failure(.severalAnswerers(_, let count)): count >= certain.count && count <= possible.count
        }
    }

    /// Observers of one post are called in the order in which they began.
    private func orderFaults() -> [String] {
        var faults: [String] = []
        let watchers = watchers.entries.sorted { $0.number < $1.number }
        for calls in logs.map(\.calls) {
            for (post, calls) in Dictionary(grouping: calls, by: \.post) {
                for (first, second) in zip(calls, calls.dropFirst())
                where watchers[second.observer].begun.load(ordering: .relaxed) < watchers[first.observer].began {
                    faults.append("post \(post) calls observer \(first.observer) before \(second.observer)")
                }
            }
        }
        return faults
    }
}
