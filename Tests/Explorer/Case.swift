import NotificationBus

struct Sold: TypedNotification {
    var value: Int
}

struct Spoiled: TypedNotification {
    var value: Int
}

struct Level: KeptNotification {
    var value: Int
}

struct Warm: TypedNotification {}

/// One execution: a center, observers with numbers, and what must hold of them.
///
/// Unchecked because only the thread that has the token uses it.
final class Case: @unchecked Sendable {
    let explorer: Explorer
    let center = TypedNotificationCenter()
    private var tokens: [Int: ObservationToken] = [:]
    private var calls: [Int: Int] = [:]
    private var released: Set<Int> = []
    /// The step at which the cancellation of an observer returned.
    private var cancelled: [Int: Int] = [:]
    private var awaited: Set<Int> = []
    /// What each observer got, in order.
    private(set) var received: [Int: [Int]] = [:]
    private var posts: [Post] = []
    private var firstWait: Int?
    private var wasIdle = false
    private var arrays = 0

    private struct Post {
        var thread: Int
        /// Set when it is over: how many stores its thread had made by then.
        var stored: Int?
    }

    init(_ explorer: Explorer) {
        self.explorer = explorer
        explorer.onRelease = { [unowned self] number in
            if calls[number, default: 0] > 0 { explorer.fail("observer \(number) is released while it is called") }
            released.insert(number)
        }
        explorer.onPause = { [unowned self] _ in
            if firstWait == nil { firstWait = posts.count }
            if wasIdle { explorer.fail("a thread waits for a post that began later") }
        }
        explorer.onWake = { [unowned self] _ in wasIdle = posts.prefix(firstWait ?? 0).allSatisfy(isOver) }
        // So that threads can post before the exploration.
        tokens[0] = center.observe(Warm.self, line: 0) { _ in }
    }

    private func isOver(_ post: Post) -> Bool { post.stored.map { explorer.isWritten(post.thread, $0) } ?? false }

    /// Runs the programs, of which those in `known` have posted before, and checks what is left.
    func run(known: [Int], _ programs: [@Sendable (Case) -> Void]) {
        for number in known { explorer.prepare(number) { [unowned self] in center.post(Warm()) } }
        arrays = explorer.arrays
        explorer.run(programs.map { program in { [unowned self] in program(self) } })
        for number in cancelled.keys where !released.contains(number) {
            explorer.fail("observer \(number) was cancelled and never released")
        }
        if explorer.arrays != arrays {
            explorer.fail("\(explorer.arrays - arrays) arrays were retired and never freed")
        }
        explorer.endThreads()
        withExtendedLifetime(tokens) {}
    }

    func check(_ isKept: Bool, _ what: String) {
        if !isKept { explorer.fail("\(what); received \(received.sorted { $0.key < $1.key })") }
    }
}

// MARK: - What programs do

extension Case {
    /// Observes; `inside` happens in each call.
    func observe<N: Numbered>(
        _ number: Int, _ type: N.Type = Sold.self, from sender: AnyObject? = nil, replayingLatest: Bool = false,
        inside: @escaping @Sendable (Case) -> Void = { _ in }
    ) {
        tokens[number] = center.observe(
            type, from: sender, replayingLatest: replayingLatest, line: UInt(number)
        ) { [unowned self] notification in
            begin(number)
            received[number, default: []].append(notification.value)
            explorer.reach()
            inside(self)
            if released.contains(number) { explorer.fail("observer \(number) was released while it was called") }
            calls[number, default: 0] -= 1
        }
    }

    private func begin(_ number: Int) {
        if released.contains(number) { explorer.fail("observer \(number) is called after it was released") }
        if awaited.contains(number) { explorer.fail("a call of observer \(number) begins after it was waited for") }
        if let step = cancelled[number], let thread = explorer.current, explorer.lastLoad[thread] > step {
            explorer.fail("a post decides to call observer \(number) after its cancellation returned")
        }
        calls[number, default: 0] += 1
    }

    func post<N: Numbered>(_ notification: N, from sender: AnyObject? = nil) {
        let thread = explorer.current ?? 0
        let index = posts.count
        posts.append(Post(thread: thread))
        if let sender { center.post(notification, from: sender) } else { center.post(notification) }
        posts[index].stored = explorer.stored(by: thread)
    }

    /// Reads the latest value, for which no cancellation may let it wait longer than an instant.
    func readLatest() {
        explorer.whileNoLockIsKept { _ = center.latest(Level.self) }
    }

    /// Cancels an observer, if it observes already.
    func cancel(_ number: Int) {
        guard let token = tokens[number] else { return }
        token.cancel()
        cancelled[number] = explorer.step
    }

    func cancelAndWait(_ number: Int) {
        tokens[number]?.cancelAndWait()
        cancelled[number] = explorer.step
        awaited.insert(number)
    }

    /// Ends the current thread inside a call.
    func exit(inside number: Int) {
        calls[number, default: 0] -= 1
        explorer.exitCurrent()
    }

    /// Puts observers that are cancelled into the first array of a type, which has room for four.
    func fill<N: Numbered>(_ type: N.Type, _ count: Int = 3) {
        for _ in 0..<count { center.observe(type, line: 0) { _ in }.cancel() }
    }
}

protocol Numbered: TypedNotification {
    var value: Int { get }
}

extension Sold: Numbered {}
extension Spoiled: Numbered {}
extension Level: Numbered {}
