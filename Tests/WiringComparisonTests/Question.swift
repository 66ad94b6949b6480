import Foundation
import WiringComparison

/// What each probe asks, in a few lines: the program that is shown beside a property that does not hold.
enum Question {
    static func reachesManyObservers(_ till: any Idiom) {
        let subscriptions = (1...3).map { number in till.subscribe { print("observer \(number) heard \($0)") } }
        till.deliver(1)
        // Expected: three lines.
        withExtendedLifetime(subscriptions) {}
    }

    static func deliversEachNotificationOnce(_ till: any Idiom) {
        let subscription = till.subscribe { print("heard \($0)") }
        for number in 1...2000 as ClosedRange<UInt64> { till.post(number) }
        till.settle()
        // Expected: 2000 lines.
        subscription.cancel()
    }

    static func keepsOrderOfPosts(_ till: any Idiom) {
        let subscription = till.subscribe { print("heard \($0)") }
        for number in 1...2000 as ClosedRange<UInt64> { till.post(number) }
        till.settle()
        // Expected: numbers that only rise.
        subscription.cancel()
    }

    static func keepsOrderOfObservers(_ till: any Idiom) {
        let subscriptions = (1...20).map { number in till.subscribe { _ in print("observer \(number)") } }
        till.deliver(1)
        // Expected: 1 to 20 in order.
        withExtendedLifetime(subscriptions) {}
    }

    static func keepsOrderUnderChurn(_ till: any Idiom) {
        var subscriptions = (1...20).map { number in till.subscribe { _ in print("observer \(number)") } }
        subscriptions.remove(at: 6).cancel()
        subscriptions.append(till.subscribe { _ in print("observer 21") })
        till.deliver(1)
        // Expected: 1 to 21 in order, without 7.
        withExtendedLifetime(subscriptions) {}
    }

    static func finishedWhenPosterGoesOn(_ till: any Idiom) {
        let subscription = till.subscribe { print("heard \($0)") }
        till.post(1)
        print("the post has returned")
        // Expected: "heard" comes first.
        subscription.cancel()
    }

    static func failingObserverDoesNotStopTheOthers(_ till: any Idiom) {
        let throwing: @Sendable () throws -> Void = { throw CancellationError() }
        _ = till.postToThrowing([throwing, { print("the second was called") }])
        // Expected: a line.
    }

    static func failureIsLearnedOf(_ till: any Idiom) {
        let throwing: @Sendable () throws -> Void = { throw CancellationError() }
        print(till.postToThrowing([throwing]) ?? "nobody", "learned of the error")
        // Expected: somebody.
    }

    static func slowObserverIsNoticed(_ till: any Idiom) {
        let subscription = till.subscribe { if $0 == 1 { sleep(10) } }
        for number in 1...2000 as ClosedRange<UInt64> { till.post(number) }
        print("all is posted, and the poster knows of nothing")
        // Expected: the posts return after 10 seconds, or say what was dropped.
        subscription.cancel()
    }

    static func lateObserverSeesCurrentValue(_ till: any Idiom) {
        till.deliver(7)
        let subscription = till.subscribeFromNow { print("heard \($0)") }
        till.settle()
        // Expected: heard 7.
        subscription?.cancel()
    }

    static func deliversOnAQueue(_ till: any Idiom) {
        let subscription = till.subscribe { _ in dispatchPrecondition(condition: .onQueue(.ofObservers)) }
        till.deliver(1)
        // Expected: no crash; a form that takes a queue was given `ofObservers`.
        subscription.cancel()
    }

    static func releasedObserverIsForgotten(_ till: any Idiom) {
        var subscription: Subscription? = till.subscribe { print("heard \($0)") }
        till.deliver(1)
        withExtendedLifetime(subscription) {}
        subscription = nil
        till.deliver(2)
        // Expected: nothing is heard of 2.
    }

    static func capturesReleasedOnCancel(_ till: any Idiom) {
        func observe() -> Subscription {
            let captured = Captured { print("released") }
            return till.subscribe { _ in withExtendedLifetime(captured) {} }
        }
        observe().cancel()
        till.settle()
        // Expected: released.
    }

    static func noRetainCycleThroughSelf(_ till: any Idiom) {
        // The owner keeps what `observe` returns, and its handler captures the owner.
        till.observeCapturingSelf(Display(), Captured { print("freed") })
        till.deliver(1)
        // Expected: freed.
    }

    static func observerCanBeHeldWeakly(_ till: any Idiom) {
        let key = till.observe(Display { print("heard \($0.order)") })
        till.deliver(1)
        // Expected: the display is held weakly and nobody else has it, so nothing is heard.
        withExtendedLifetime(key) {}
    }

    static func noCallAfterCancel(_ till: any Idiom) {
        let second = Slot<Subscription?>(nil)
        let first = till.subscribe { _ in second.value?.cancel() }
        second.value = till.subscribe { _ in print("called after it was cancelled") }
        till.deliver(1)
        // Expected: nothing.
        first.cancel()
    }

    static func hearsWhatWasPostedBeforeCancel(_ till: any Idiom) {
        let subscription = till.subscribe { print("heard \($0)") }
        for number in 1...20 as ClosedRange<UInt64> { till.post(number) }
        subscription.cancel()
        till.settle()
        // Expected: 20 lines.
    }

    static func postUnderWayHeedsCancelElsewhere(_ till: any Idiom) {
        let first = till.subscribe { _ in sleep(1) }
        let second = till.subscribe { _ in print("called after it was cancelled") }
        DispatchQueue(label: "canceller").asyncAfter(deadline: .now() + 0.5) { second.cancel() }
        till.deliver(1)
        // Expected: nothing.
        first.cancel()
    }

    static func cancelWaitsForARunningCall(_ till: any Idiom) {
        let isInside = DispatchSemaphore(value: 0)
        let subscription = till.subscribe { _ in
            isInside.signal()
            sleep(1)
            print("the call ends")
        }
        let poster = Slot(till)
        DispatchQueue(label: "poster").async { poster.value.post(1) }
        isInside.wait()
        subscription.cancel()
        print("cancelled")  // Expected: the call has ended.
    }

    static func observeCancelAndPostInsideAnObserver(_ till: any Idiom) {
        let own = Slot<Subscription?>(nil)
        let poster = Slot(till)
        own.value = till.subscribe { _ in
            own.value?.cancel()
            poster.value.post(2)
        }
        let other = till.subscribe { print("the other heard \($0)") }
        till.deliver(1)
        // Expected: the other heard 1 and 2.
        other.cancel()
    }

    static func cancelInADeinit(_ till: any Idiom) {
        let other = till.subscribe { print("heard \($0)") }
        func observe() -> Subscription {
            let captured = Captured { other.cancel() }
            return till.subscribe { _ in withExtendedLifetime(captured) {} }
        }
        observe().cancel()
        till.deliver(1)
        // Expected: nothing is heard.
    }

    static func safeFromTwoThreads(_ till: any Idiom) {
        let till = Slot(till)
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            for number in 1...80 as ClosedRange<UInt64> {
                let subscription = till.value.subscribe { _ in }
                till.value.post(number)
                subscription.cancel()
            }
        }
        // Expected: no crash, and nothing that the thread sanitizer reports.
    }

    static func oneCallOfAnObserverAtATime(_ till: any Idiom) {
        let poster = Slot(till)
        let subscription = till.subscribe { number in
            print("\(number) begins")
            sleep(1)
            print("\(number) ends")
        }
        DispatchQueue.concurrentPerform(iterations: 2) { poster.value.post(UInt64($0)) }
        till.settle()
        // Expected: one ends before the other begins.
        subscription.cancel()
    }

    static func keepsOneOrderAcrossThreads(_ till: any Idiom) {
        let poster = Slot(till)
        let subscriptions = ["A", "B"].map { name in till.subscribe { print("\(name) heard \($0)") } }
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            for number in 0..<200 { poster.value.post(UInt64(2 * number + thread)) }
        }
        till.settle()
        // Expected: A and B heard the same order.
        withExtendedLifetime(subscriptions) {}
    }

    static func anyPosterReachesTheObserver(_ till: any Idiom) {
        let subscription = till.subscribe { print("heard \($0)") }
        // A poster that was made later; nil if it shares nothing with this one.
        till.makeAnother()?.deliver(1)
        // Expected: heard 1.
        subscription.cancel()
    }

    static func observersCanBeListed(_ till: any Idiom) {
        let subscription = till.subscribe { print($0) }
        print(till.observersListed ?? [])
        // Expected: a name.
        subscription.cancel()
    }

    static func unheardPostIsNoticed(_ till: any Idiom) {
        print(till.isHeard == false ? "the poster is told that nobody listens" : "the poster can't tell")
        // Expected: it is told.
    }
}

// MARK: - The lines of the verdicts

extension Question {
    /// The programs by property, cut out of this file.
    static func programs() throws -> [Property: String] {
        let text = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        var programs: [Property: String] = [:]
        for match in text.matches(of: /\n    static func (\w+)\(_ till: any Idiom\) \{\n((?s:.)*?)\n    \}\n/) {
            guard let property = Property(rawValue: String(match.1)) else { continue }
            programs[property] = match.2.split(separator: "\n").map { String($0.dropFirst(8)) }.joined(separator: "\n")
        }
        return programs
    }

    static func verdicts() throws -> [String] {
        try programs().sorted { $0.key.rawValue < $1.key.rawValue }.map { property, text in
            "*\t\(property)\t\t\t\t\(text.replacing("\n", with: "\\n"))"
        }
    }
}
