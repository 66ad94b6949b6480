import AllocationCount
import Dispatch
import JuiceStand
import NotificationBus
import Platform

/// One way of posting with its observers, ready to be measured.
final class Contender {
    let choice: WiringChoice
    /// Another plain way or an option; nil for the row of the table of speed.
    let variant: String?
    /// The properties that the form gives.
    let properties: [Property]
    /// Posts in a pass.
    var count = 0
    /// Whether every observer has heard every post so far.
    private(set) var isSound = true
    /// Posts the orders from 1 to a number.
    private let post: (Int) -> Void
    private let sums: [() -> UInt64]
    private let isConcurrent: Bool
    private var expected: UInt64 = 0
    private var passes = 0
    /// They keep the observations alive.
    private let keys: Any

    private init(
        _ choice: WiringChoice, _ sums: [() -> UInt64], keys: Any, isConcurrent: Bool = false, variant: String? = nil,
        properties: [Property] = [], _ post: @escaping (Int) -> Void
    ) {
        self.choice = choice
        self.sums = sums
        self.keys = keys
        self.isConcurrent = isConcurrent
        self.variant = variant
        self.properties = properties
        self.post = post
    }

    fileprivate convenience init<Way: Idiom>(
        _ choice: WiringChoice, _ way: Way, _ sums: [some Sum], keys: Any = (), variant: String? = nil,
        properties: [Property] = []
    ) {
        let window = choice.delivery == .later ? choice.details.window : .max
        self.init(
            choice, sums.map { sum in { sum.value } }, keys: keys, isConcurrent: choice.delivery == .later,
            variant: variant, properties: properties
        ) { count in
            for order in 1...count {
                way.post(Sale(order: UInt64(order)))
                way.turn()
                // Of more posts, some would be dropped.
                guard window < .max, order % window == 0 || order == count else { continue }
                for sum in sums { sum.wait(forPosts: (order - 1) % window + 1) }
            }
        }
    }

    /// The wiring's row in the table of speed; nil if it can't have `count` observers.
    static func row(_ choice: WiringChoice, observers count: Int) -> Contender? {
        func row<Observer: Sum>(of type: Observer.Type) -> Contender? {
            let sums = (0..<count).map { _ in Observer() }
            return choice.visit(RowMaker(choice: choice, sums: sums), observers: sums)
        }
        guard choice.delivery == .later else { return row(of: OrderSum.self) }
        return choice.details.window == .max ? row(of: SharedSum.self) : row(of: AwaitedSum.self)
    }

    /// Other plain forms of some rows, with one observer.
    static func variants() -> [Contender] {
        let sums = (0..<4).map { _ in OrderSum() }
        let (list, boxes) = (ClosureList<OrderSum>(), WeakBoxes<OrderSum>())
        let (key, box) = (list.add(sums[2]), boxes.add(sums[3]))
        return [
            Contender(
                .delegate, UnownedDelegate(sums[0]), [sums[0]], variant: "an unowned delegate",
                properties: [.forgottenWiringIsAnError]),
            Contender(
                .closure, ConstantClosure(sums[1]), [sums[1]], variant: "a let closure, handed over at init",
                properties: [.forgottenWiringIsAnError]),
            Contender(.closure, list, [sums[2]], keys: key, variant: "an array of one closure"),
            Contender(.multicastDelegate, boxes, [sums[3]], keys: box, variant: "boxes instead of structs"),
        ]
    }

    /// Posts of our center with an option, to one observer.
    static func options() -> [Contender] {
        typealias Center = TypedNotificationCenter
        let plain = { (center: Center, order: UInt64) in center.post(Sale(order: order)) }
        func option(
            _ name: String, _ properties: Property..., post: @escaping (Center, UInt64) -> Void,
            observe: (Center, OrderSum) -> Any
        ) -> Contender {
            let (center, sum) = (Center(), OrderSum())
            return Contender(
                .notification, [{ sum.value }], keys: observe(center, sum), variant: name, properties: properties
            ) { count in for order in 1...UInt64(count) { post(center, order) } }
        }
        let ask = { (center: Center, order: UInt64) in
            do { _ = try center.ask(HowMuchIsLeft(sale: Sale(order: order))) } catch { preconditionFailure("\(error)") }
        }
        let sender = OrderSum()
        let level = { (center: Center, order: UInt64) in center.post(Level(sale: Sale(order: order))) }
        let sent = { (center: Center, order: UInt64) in center.post(Sale(order: order), from: sender) }
        return [
            option("KeptNotification", .lateObserverSeesCurrentValue, post: level) { center, sum in
                center.observe(Level.self) { sum.note($0.sale) }
            },
            option("ask", .answersBack, post: ask) { center, sum in
                center.answer(HowMuchIsLeft.self) { question -> UInt64 in
                    sum.note(question.sale)
                    return question.sale.order
                }
            },
            option("observe(with:)", .observerCanBeHeldWeakly, post: plain) { center, sum in
                center.observe(Sale.self, with: sum) { $0.note($1) }
            },
            option("from: a sender", post: sent) { center, sum in
                center.observe(Sale.self, from: sender) { sum.note($0) }
            },
            option("onDelivery", .unheardPostIsNoticed, post: plain) { center, sum in
                center.onDelivery = { _, _, _ in }
                return center.observe(Sale.self) { sum.note($0) }
            },
            // `observeOnMainActor` is this form with the main queue.
            later("observe(on:)", .deliversOnAQueue, .oneCallOfAnObserverAtATime, .keepsTheMainActor) { center, sum in
                center.observe(Sale.self, on: DispatchQueue(label: "observer")) { sum.note($0) }
            },
            later("observe(isolation:)", .callersIsolationIsKept) { center, sum in
                center.observe(Sale.self, isolation: nil) { sum.note($0) }
            },
        ]
    }

    /// An option that calls its observer on another thread.
    private static func later(
        _ name: String, _ properties: Property..., observe: (TypedNotificationCenter, SharedSum) -> ObservationToken
    ) -> Contender {
        let (center, sum) = (TypedNotificationCenter(), SharedSum())
        return Contender(
            .notification, [{ sum.value }], keys: observe(center, sum), isConcurrent: true, variant: name,
            properties: properties
        ) { count in for order in 1...UInt64(count) { center.post(Sale(order: order)) } }
    }

    private struct Level: KeptNotification {
        var sale: Sale
    }

    private struct HowMuchIsLeft: TypedQuestion {
        typealias Answer = UInt64
        var sale: Sale
    }

    // MARK: - Measuring

    /// Posts `count` times and returns the nanoseconds of processor time that this took on all threads.
    func pass(_ count: Int) -> Double {
        passes += 1
        let start = processorTime()
        // A post takes twice as long while a local variable and an observer's sum lie a multiple of 4,096 bytes apart.
        // So passes begin at different depths of the stack.
        unsafe withUnsafeTemporaryAllocation(byteCount: 16 * (passes % 61), alignment: 16) { _ in post(count) }
        expected &+= UInt64(count) * UInt64(count + 1) / 2
        if isConcurrent {
            let deadline = ContinuousClock.now + .seconds(20)
            while !hasHeardAll, ContinuousClock.now < deadline { usleep(200) }
        }
        let time = (processorTime() - start) / .nanoseconds(1)
        if !hasHeardAll { isSound = false }
        return time
    }

    private var hasHeardAll: Bool { sums.allSatisfy { $0() == expected } }

    /// Sets ``count`` to as many posts as take about `nanoseconds`.
    func calibrate(_ nanoseconds: Double) {
        _ = pass(8)
        count = 16
        // The least of three passes: threads may still handle earlier posts.
        while count < 1 << 20, (0..<3).map({ _ in pass(count) }).min()! < nanoseconds / 2 { count *= 2 }
    }

    /// Heap blocks of a post; nil if they can't be counted.
    func blocks() -> Double? {
        let posts = max(16, min(count, 2000))
        _ = pass(posts)
        func counted(_ posts: Int) -> Int? {
            guard beginCountingAllocations() > 0 else { return nil }
            _ = pass(posts)
            return endCountingAllocations().blocks
        }
        // The count of a single post is subtracted, since it includes what a pass allocates once. Other threads may
        // still handle earlier posts, so the least of several counts is right.
        return (0..<4).compactMap { _ in
            guard let many = counted(posts), let one = counted(1) else { return nil }
            return Swift.max(0, Double(many - one) / Double(posts - 1))
        }.min()
    }
}

/// Makes a row of the idiom it is given.
private struct RowMaker<Observer: Sum>: IdiomVisitor {
    let choice: WiringChoice
    let sums: [Observer]

    func visit<Way: Idiom>(_ way: Way, keys: Any) -> Contender where Way.Observer == Observer {
        Contender(choice, way, sums, keys: keys)
    }
}
