// Measures what a post costs under plain Swift idioms. It shares no code with `juicestand compare`.
//
// It prints nanoseconds of processor time and the ratio to a loop in C over function pointers, by number of observers. Build and run it in
// the checkout, after `swift build -c release`, with frame pointers as in that build:
//
//     b=.build/release
//     clang -O2 -c scripts/bus-reference.c -o /tmp/c-loop.o
//     swiftc -O -wmo -swift-version 6 -Xcc -fno-omit-frame-pointer -Xcc -mno-omit-leaf-frame-pointer \
//         -I $b/Modules -I Sources/ThreadLocalFrame/include -import-objc-header scripts/bus-reference.h scripts/bus-reference.swift /tmp/c-loop.o \
//         $b/{NotificationBus,ThreadLocalFrame}.build/*.o -o /tmp/bus-reference && /tmp/bus-reference
import Foundation
import NotificationBus
import Observation
import Synchronization

/// What is posted: 48 bytes.
struct Sale: TypedNotification {
    var sequence: UInt64 = 0
    var at: Int64 = 0
    var order: UInt64
    var juice = 0
    var cups = 1
    var price = 4.5
}

protocol SaleObserver: AnyObject {
    func sold(_ sale: Sale)
}

final class Till: SaleObserver, Sendable {
    private let total = Atomic<UInt64>(0)
    var orders: UInt64 { total.load(ordering: .relaxed) }

    @inline(never)
    func sold(_ sale: Sale) { count(sale) }

    /// One thread counts, so a load and a store do.
    @inline(__always)
    func count(_ sale: Sale) { total.store(orders &+ sale.order, ordering: .relaxed) }

    /// For several threads.
    func add(_ sale: Sale) { total.add(sale.order, ordering: .relaxed) }
}

// MARK: - One class for each way

class Way {
    let tills: [Till]
    /// What each till must have heard.
    var posted: UInt64 = 0
    var passes = 0
    init(_ tills: [Till]) { self.tills = tills }
    /// Posts the orders 1 to `count`.
    func run(_ count: UInt64) { fatalError("each way posts in its own manner") }
}

final class OneProperty: Way {
    let till: Till
    override init(_ tills: [Till]) {
        till = tills[0]
        super.init(tills)
    }
    override func run(_ count: UInt64) { for order in 1...count { till.sold(Sale(order: order)) } }
}

final class ThreeProperties: Way {
    let first: Till, second: Till, third: Till
    override init(_ tills: [Till]) {
        (first, second, third) = (tills[0], tills[1], tills[2])
        super.init(tills)
    }
    override func run(_ count: UInt64) {
        for order in 1...count {
            let sale = Sale(order: order)
            first.sold(sale)
            second.sold(sale)
            third.sold(sale)
        }
    }
}

final class ListOfTills: Way {
    let list: ContiguousArray<Till>
    override init(_ tills: [Till]) {
        list = ContiguousArray(tills)
        super.init(tills)
    }
    override func run(_ count: UInt64) {
        for order in 1...count {
            let sale = Sale(order: order)
            // A loop over the elements retains each.
            for index in list.indices { list[index].sold(sale) }
        }
    }
}

final class LoopInC: Way {
    let observers: UnsafeMutablePointer<observer>
    override init(_ tills: [Till]) {
        observers = .allocate(capacity: tills.count)
        for (index, till) in tills.enumerated() {
            let call: @convention(c) (UnsafeRawPointer?, UnsafeMutableRawPointer?) -> Void = { value, till in
                let sale = value.unsafelyUnwrapped.assumingMemoryBound(to: Sale.self)
                Unmanaged<Till>.fromOpaque(till.unsafelyUnwrapped)._withUnsafeGuaranteedRef { $0.count(sale.pointee) }
            }
            (observers + index).initialize(
                to: observer(call: call, context: Unmanaged.passUnretained(till).toOpaque()))
        }
        super.init(tills)
    }
    override func run(_ count: UInt64) {
        for order in 1...count {
            var sale = Sale(order: order)
            call_observers(observers, tills.count, &sale)
        }
    }
}

final class LetClosure: Way {
    let handler: (Sale) -> Void
    override init(_ tills: [Till]) {
        let till = tills[0]
        handler = { till.count($0) }
        super.init(tills)
    }
    override func run(_ count: UInt64) { for order in 1...count { handler(Sale(order: order)) } }
}

final class VarClosure: Way {
    var handler: ((Sale) -> Void)?
    override init(_ tills: [Till]) {
        super.init(tills)
        let till = tills[0]
        handler = { till.count($0) }
    }
    override func run(_ count: UInt64) { for order in 1...count { handler?(Sale(order: order)) } }
}

final class ClosureArray: Way {
    /// It can be removed by its number.
    struct Handler {
        let number: Int
        let call: (Sale) -> Void
    }
    var handlers: [Handler] = []
    override init(_ tills: [Till]) {
        super.init(tills)
        for (number, till) in tills.enumerated() { handlers.append(Handler(number: number) { till.count($0) }) }
    }
    override func run(_ count: UInt64) {
        for order in 1...count {
            let sale = Sale(order: order)
            for handler in handlers { handler.call(sale) }
        }
    }
}

final class LockedClosureArray: Way {
    struct Handler: Sendable {
        let number: Int
        let call: @Sendable (Sale) -> Void
    }
    let handlers = Mutex<[Handler]>([])
    override init(_ tills: [Till]) {
        super.init(tills)
        for (number, till) in tills.enumerated() {
            handlers.withLock { $0.append(Handler(number: number) { till.count($0) }) }
        }
    }
    override func run(_ count: UInt64) {
        for order in 1...count {
            let sale = Sale(order: order)
            for handler in handlers.withLock({ $0 }) { handler.call(sale) }
        }
    }
}

final class LockedBoxArray: Way {
    final class Box: Sendable {
        let call: @Sendable (Sale) -> Void
        init(_ call: @escaping @Sendable (Sale) -> Void) { self.call = call }
    }
    let boxes = Mutex<[Box]>([])
    override init(_ tills: [Till]) {
        super.init(tills)
        for till in tills {
            boxes.withLock { $0.append(Box { till.count($0) }) }
        }
    }
    override func run(_ count: UInt64) {
        for order in 1...count {
            let sale = Sale(order: order)
            for box in boxes.withLock({ $0 }) { box.call(sale) }
        }
    }
}

final class Subject: Way {
    final class Subscriber: Sendable {
        let isOver = Atomic(false)
        let take: @Sendable (Sale) -> Void
        init(_ take: @escaping @Sendable (Sale) -> Void) { self.take = take }
    }
    let subscribers = Mutex<[Subscriber]>([])
    override init(_ tills: [Till]) {
        super.init(tills)
        for till in tills {
            subscribers.withLock { $0.append(Subscriber { till.count($0) }) }
        }
    }
    override func run(_ count: UInt64) {
        for order in 1...count {
            let sale = Sale(order: order)
            for one in subscribers.withLock({ $0 }) where !one.isOver.load(ordering: .acquiring) { one.take(sale) }
        }
    }
}

final class WeakDelegate: Way {
    weak var delegate: (any SaleObserver)?
    override init(_ tills: [Till]) {
        super.init(tills)
        delegate = tills[0]
    }
    override func run(_ count: UInt64) { for order in 1...count { delegate?.sold(Sale(order: order)) } }
}

final class UnownedDelegate: Way {
    unowned var delegate: any SaleObserver
    override init(_ tills: [Till]) {
        delegate = tills[0]
        super.init(tills)
    }
    override func run(_ count: UInt64) { for order in 1...count { delegate.sold(Sale(order: order)) } }
}

final class WeakList: Way {
    struct Entry { weak var observer: (any SaleObserver)? }
    var entries: [Entry] = []
    override init(_ tills: [Till]) {
        super.init(tills)
        entries = tills.map { Entry(observer: $0) }
    }
    override func run(_ count: UInt64) {
        for order in 1...count {
            let sale = Sale(order: order)
            for entry in entries { entry.observer?.sold(sale) }
        }
    }
}

final class Ours: Way {
    let center = TypedNotificationCenter()
    var tokens: [ObservationToken] = []
    override init(_ tills: [Till]) {
        super.init(tills)
        for till in tills {
            tokens.append(center.observe(Sale.self) { till.count($0) })
        }
    }
    override func run(_ count: UInt64) { for order in 1...count { center.post(Sale(order: order)) } }
}

final class Foundations: Way {
    let center = NotificationCenter()
    let name = Notification.Name("sale")
    var tokens: [any NSObjectProtocol] = []
    override init(_ tills: [Till]) {
        super.init(tills)
        for till in tills {
            tokens.append(
                center.addObserver(forName: name, object: nil, queue: nil) {
                    if let sale = $0.userInfo?["sale"] as? Sale { till.count(sale) }
                })
        }
    }
    override func run(_ count: UInt64) {
        for order in 1...count { center.post(name: name, object: nil, userInfo: ["sale": Sale(order: order)]) }
    }
}

final class MainMessages: Way {
    struct Message: NotificationCenter.MainActorMessage {
        typealias Subject = NotificationCenter
        let sale: Sale
    }
    let center = NotificationCenter()
    var tokens: [NotificationCenter.ObservationToken] = []
    override init(_ tills: [Till]) {
        super.init(tills)
        for till in tills { tokens.append(center.addObserver(for: Message.self) { till.count($0.sale) }) }
    }
    override func run(_ count: UInt64) {
        for order in 1...count {
            MainActor.assumeIsolated { [center] in center.post(Message(sale: Sale(order: order))) }
        }
    }
}

@Observable
final class Board {
    var sale = Sale(order: 0)
}

final class TrackedProperty: Way {
    final class Tracker {
        final class Mark: Sendable { let isSet = Atomic(false) }
        let board: Board, till: Till, mark = Mark()
        init(_ board: Board, _ till: Till) {
            (self.board, self.till) = (board, till)
            _ = read()
        }
        func read() -> Sale {
            withObservationTracking { board.sale } onChange: { [mark] in mark.isSet.store(true, ordering: .releasing) }
        }
        func turn() -> Bool {
            guard mark.isSet.exchange(false, ordering: .acquiringAndReleasing) else { return false }
            till.count(read())
            return true
        }
    }
    struct Entry { weak var tracker: Tracker? }
    let board = Board()
    /// Each observer has its own.
    var trackers: [Tracker] = []
    var entries: [Entry] = []
    override init(_ tills: [Till]) {
        super.init(tills)
        trackers = tills.map { Tracker(board, $0) }
        entries = trackers.map { Entry(tracker: $0) }
    }
    override func run(_ count: UInt64) {
        for order in 1...count {
            board.sale = Sale(order: order)
            // An observer may have changed it again.
            while entries.count(where: { $0.tracker?.turn() == true }) > 0 {}
        }
    }
}

// MARK: - Ways whose observers run in tasks

struct Message: NotificationCenter.AsyncMessage {
    typealias Subject = NotificationCenter
    let sale: Sale
}

/// Keeps every post; the end of a pass waits until all were heard.
class LaterWay: Way {
    func post(_ sale: Sale) { fatalError("each way posts in its own manner") }
    override func run(_ count: UInt64) {
        for order in 1...count { post(Sale(order: order)) }
        while tills.contains(where: { $0.orders < posted }) { usleep(200) }
    }
}

final class Messages: LaterWay {
    let center = NotificationCenter()
    var tokens: [NotificationCenter.ObservationToken] = []
    override init(_ tills: [Till]) {
        super.init(tills)
        for till in tills { tokens.append(center.addObserver(for: Message.self) { till.add($0.sale) }) }
    }
    override func post(_ sale: Sale) { center.post(Message(sale: sale)) }
}

final class Streams: LaterWay {
    let continuations = Mutex<[AsyncStream<Sale>.Continuation]>([])
    override init(_ tills: [Till]) {
        super.init(tills)
        for till in tills {
            let (stream, continuation) = AsyncStream.makeStream(of: Sale.self)
            continuations.withLock { $0.append(continuation) }
            Task { for await sale in stream { till.add(sale) } }
        }
    }
    override func post(_ sale: Sale) { for one in continuations.withLock({ $0 }) { one.yield(sale) } }
}

/// Keeps the newest posts alone, so the poster waits before one is dropped.
class AwaitedWay: Way {
    let heard: [DispatchSemaphore]
    var window: UInt64 { 1 }
    override init(_ tills: [Till]) {
        heard = tills.map { _ in DispatchSemaphore(value: 0) }
        super.init(tills)
    }
    func post(_ sale: Sale) { fatalError("each way posts in its own manner") }
    override func run(_ count: UInt64) {
        for order in 1...count {
            post(Sale(order: order))
            guard order % window == 0 || order == count else { continue }
            for one in heard { for _ in 0...(order - 1) % window { one.wait() } }
        }
    }
}

final class MessageSequence: AwaitedWay {
    let center = NotificationCenter()
    override var window: UInt64 { 10 }
    override init(_ tills: [Till]) {
        super.init(tills)
        for (till, heard) in zip(tills, heard) {
            let messages = center.messages(for: Message.self).makeAsyncIterator()
            Task {
                var messages = messages
                while let message = await messages.next(isolation: nil) {
                    till.add(message.sale)
                    heard.signal()
                }
            }
        }
    }
    override func post(_ sale: Sale) { center.post(Message(sale: sale)) }
}

final class Executor: SerialExecutor {
    let queue = DispatchQueue(label: "board")
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

actor Owner {
    let executor = Executor()
    let board = Board()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    func sales() -> Observations<Sale, Never> { Observations { self.board.sale } }
    nonisolated func set(_ sale: Sale) { executor.queue.sync { assumeIsolated { $0.board.sale = sale } } }
}

final class ObservedValues: AwaitedWay {
    let owner = Owner()
    override init(_ tills: [Till]) {
        super.init(tills)
        for (till, heard) in zip(tills, heard) {
            Task { [owner] in
                for await sale in await owner.sales() {
                    till.add(sale)
                    heard.signal()
                }
            }
            // The first is the value from before.
            heard.wait()
        }
    }
    override func post(_ sale: Sale) { owner.set(sale) }
}

// MARK: - Measuring

func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// Nanoseconds of a post in a pass of `count` posts.
func pass(_ way: Way, _ count: UInt64) -> Double {
    way.posted += count * (count + 1) / 2
    way.passes += 1
    let start = processorTime()
    // At some depths of the stack a sale and a till share the low bits of their addresses, which doubles the time.
    withUnsafeTemporaryAllocation(byteCount: 16 * (way.passes % 61), alignment: 16) { _ in way.run(count) }
    return (processorTime() - start) / Double(count)
}

let rounds = 161
for observers in [1, 3, 10, 100] {
    var ways: [(name: String, way: Way, count: UInt64)] = []
    func add(_ name: String, milliseconds: Double = 1, _ make: ([Till]) -> Way) {
        let way = make((0..<observers).map { _ in Till() })
        var count: UInt64 = 16
        while pass(way, count) * Double(count) < milliseconds * 5e5 { count *= 2 }
        ways.append((name, way, count))
    }
    add("C loop") { LoopInC($0) }
    add("closure array") { ClosureArray($0) }
    if observers == 1 {
        add("direct, stored property") { OneProperty($0) }
        add("let closure") { LetClosure($0) }
        add("optional var closure") { VarClosure($0) }
        add("weak delegate") { WeakDelegate($0) }
        add("unowned delegate") { UnownedDelegate($0) }
    }
    if observers == 3 { add("direct, three properties") { ThreeProperties($0) } }
    add("direct, a list") { ListOfTills($0) }
    add("locked closure array") { LockedClosureArray($0) }
    add("locked box array") { LockedBoxArray($0) }
    add("subject") { Subject($0) }
    add("list of weak references") { WeakList($0) }
    add("ours") { Ours($0) }
    add("Foundation") { Foundations($0) }
    add("Foundation, main message") { MainMessages($0) }
    add("tracked property") { TrackedProperty($0) }
    // Tasks would take the processor from the ways above for long. A short pass mostly shows whether threads are awake.
    if observers <= 10 {
        add("Foundation, message", milliseconds: 8) { Messages($0) }
        add("Foundation, messages", milliseconds: 8) { MessageSequence($0) }
        add("observed values", milliseconds: 8) { ObservedValues($0) }
        add("stream", milliseconds: 8) { Streams($0) }
    }
    var times = ways.map { _ in [Double]() }
    for round in 0..<rounds {
        for turn in ways.indices {
            let index = (turn + round) % ways.count
            times[index].append((0..<2).map { _ in pass(ways[index].way, ways[index].count) }.min()!)
        }
    }
    print("\(observers) observer\(observers == 1 ? "" : "s"), ns, ratio to the C loop")
    for (index, entry) in ways.enumerated() {
        precondition(entry.way.tills.allSatisfy { $0.orders == entry.way.posted }, "\(entry.name) lost a sale")
        let ratios = zip(times[index], times[0]).map { $0 / $1 }.sorted()
        print(String(format: "  %-26@ %8.1f  %6.2f", entry.name as NSString, times[index].sorted()[rounds / 2], ratios[rounds / 2]))
    }
}
