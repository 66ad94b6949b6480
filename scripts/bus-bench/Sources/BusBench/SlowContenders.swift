import Foundation
import NotificationBus
import Observation
import Synchronization

// What else a program has for telling many. Each is slower by far, so it gets fewer posts a pass.

private func sums(_ count: Int) -> [Sum] { (0..<count).map { _ in Sum() } }

/// Foundation's center, with names and `userInfo`.
@inline(never)
func foundationCenter(_ observers: Int) -> Contender {
    let center = NotificationCenter()
    let name = Notification.Name("sale")
    let sums = sums(observers)
    let tokens = sums.map { sum in
        center.addObserver(forName: name, object: nil, queue: nil) { notification in
            sum.add(notification.userInfo?["amount"] as? Int ?? 0)
        }
    }
    return Contender(name: "Foundation userInfo", share: 50) { count in
        for amount in 0..<count {
            center.post(name: name, object: nil, userInfo: ["amount": amount, "poster": 0, "cups": 1])
        }
        return withExtendedLifetime(tokens) { sums.map(\.value) }
    }
}

/// A till that sells, for messages that name a subject.
private final class Till: Sendable {}

private struct SaleOnMainActor: NotificationCenter.MainActorMessage {
    typealias Subject = Till
    var sale: Sale
}

private struct SaleSomewhere: NotificationCenter.AsyncMessage {
    typealias Subject = Till
    var sale: Sale
}

/// Foundation's typed messages, delivered at once on the main actor, which is the only one that may post them.
@inline(never)
func mainActorMessages(_ observers: Int) -> Contender {
    let center = NotificationCenter()
    let sums = sums(observers)
    let tokens = sums.map { sum in
        center.addObserver(for: SaleOnMainActor.self) { message in sum.add(message.sale.amount) }
    }
    return Contender(name: "MainActorMessage", share: 50) { count in
        MainActor.assumeIsolated {
            for amount in 0..<count { center.post(SaleOnMainActor(sale: Sale(amount: amount))) }
        }
        return withExtendedLifetime(tokens) { sums.map(\.value) }
    }
}

/// Foundation's typed messages for any thread, delivered later; a pass ends when the last was.
@inline(never)
func asyncMessages(_ observers: Int) -> Contender {
    let center = NotificationCenter()
    let totals = (0..<observers).map { _ in Countdown() }
    let left = Countdown()
    let done = DispatchSemaphore(value: 0)
    let tokens = totals.map { total in
        center.addObserver(for: SaleSomewhere.self) { message in
            // Calls of one observer may run at the same time.
            total.add(message.sale.amount)
            if left.add(-1) == 0 { done.signal() }
        }
    }
    return Contender(name: "AsyncMessage", share: 200) { count in
        if count * observers > 0 {
            left.add(count * observers)
            for amount in 0..<count { center.post(SaleSomewhere(sale: Sale(amount: amount))) }
            done.wait()
        }
        return withExtendedLifetime(tokens) { totals.map { $0.add(0) } }
    }
}

/// A number that several threads change.
private final class Countdown: Sendable {
    private let number = Atomic(0)

    @discardableResult
    func add(_ more: Int) -> Int { number.add(more, ordering: .acquiringAndReleasing).newValue }
}

@Observable
private final class Counter {
    var sale = Sale(amount: 0)
}

/// Reads what it tracks after each change, and arms itself again: tracking tells of one change alone, and before it is made.
private final class Tracker: Sendable {
    private let hasChanged = Atomic(false)
    private let sum: Sum

    init(_ sum: Sum) {
        self.sum = sum
    }

    func arm(_ counter: Counter) {
        let sale = withObservationTracking {
            counter.sale
        } onChange: {
            self.hasChanged.store(true, ordering: .relaxed)
        }
        sum.add(sale.amount)
    }

    func readIfChanged(_ counter: Counter) {
        guard hasChanged.load(ordering: .relaxed) else { return }
        hasChanged.store(false, ordering: .relaxed)
        arm(counter)
    }
}

/// A property of an `@Observable` class, tracked anew after each change.
///
/// The trackers read before the next change; in a program they would have to be scheduled for that, which is not counted here.
@inline(never)
func observableProperty(_ observers: Int) -> Contender {
    let counter = Counter()
    let sums = sums(observers)
    let trackers = sums.map { Tracker($0) }
    for tracker in trackers { tracker.arm(counter) }
    return Contender(name: "@Observable", share: 50) { count in
        for amount in 0..<count {
            counter.sale = Sale(amount: amount)
            for tracker in trackers { tracker.readIfChanged(counter) }
        }
        return sums.map(\.value)
    }
}

/// One `AsyncStream` an observer, made and consumed to its end in each pass.
@inline(never)
func asyncStreams(_ observers: Int) -> Contender {
    let sums = sums(observers)
    return Contender(name: "AsyncStream", share: 50) { count in
        let streams = sums.map { _ in AsyncStream.makeStream(of: Sale.self) }
        let consumers = DispatchGroup()
        for (sum, (stream, _)) in zip(sums, streams) {
            consumers.enter()
            Task.detached {
                for await sale in stream { sum.add(sale.amount) }
                consumers.leave()
            }
        }
        for amount in 0..<count {
            for (_, continuation) in streams { continuation.yield(Sale(amount: amount)) }
        }
        for (_, continuation) in streams { continuation.finish() }
        consumers.wait()
        return sums.map(\.value)
    }
}

/// This library's own sequence, one an observer, consumed to its end in each pass: what `AsyncStream` is to be held against.
@inline(never)
func typedSequences(_ observers: Int) -> Contender {
    let sums = sums(observers)
    return Contender(name: "ours, notifications", share: 50) { count in
        var center: TypedNotificationCenter? = TypedNotificationCenter()
        let consumers = DispatchGroup()
        for sum in sums {
            // A buffer with room for the whole pass: every sum is to be complete, as with a stream without bounds.
            guard let sales = center?.notifications(of: Sale.self, buffering: .oldest(max(count, 1))) else { break }
            consumers.enter()
            // Made before the first post, so that it misses none.
            let begun = sales.makeAsyncIterator()
            Task.detached {
                var iterator = begun
                while let sale = await iterator.next() { sum.add(sale.amount) }
                consumers.leave()
            }
        }
        for amount in 0..<count { center?.post(Sale(amount: amount)) }
        // The sequences end with their center, after what is waiting.
        center = nil
        consumers.wait()
        return sums.map(\.value)
    }
}
