import NotificationBus
import TestSupport
import Testing

/// Promise 9, first half: asynchronous sequences.
@Suite(.timeLimit(.minutes(60)))
struct SequenceTests {
    let center = TypedNotificationCenter()

    @Test func `a consumer gets what was posted since its iterator was made, in order`() async {
        var iterator = center.notifications(of: LowStock.self, buffering: .newest(64)).makeAsyncIterator()
        for level in 1...10 { center.post(LowStock(level: level)) }
        for level in 1...10 { #expect(await iterator.next() == LowStock(level: level)) }
    }

    @Test func `a consumer that waits gets what is posted then`() async {
        let center = center
        let record = Record<Int>()
        let ready = Gate(1)
        async let consumer: Void = {
            var iterator = center.notifications(of: LowStock.self, buffering: .oldest(100)).makeAsyncIterator()
            ready.arrive()
            for _ in 0..<100 { if let note = await iterator.next() { record.note(note.level) } }
        }()
        _ = await onThreads(1) { _ in
            ready.wait()
            for level in 0..<100 { center.post(LowStock(level: level)) }
        }
        await consumer
        #expect(record.entries == Array(0..<100))
    }

    @Test func `a full buffer of the newest drops the oldest and counts them`() async {
        let notes = center.notifications(of: LowStock.self, buffering: .newest(3))
        var iterator = notes.countingMissed.makeAsyncIterator()
        for level in 1...10 { center.post(LowStock(level: level)) }
        #expect(await iterator.next() == CountedNotification(missed: 7, notification: LowStock(level: 8)))
        #expect(await iterator.next() == CountedNotification(missed: 0, notification: LowStock(level: 9)))
        for level in 11...13 { center.post(LowStock(level: level)) }
        #expect(await iterator.next() == CountedNotification(missed: 1, notification: LowStock(level: 11)))
    }

    @Test func `a full buffer of the oldest drops the newest and counts them`() async {
        let notes = center.notifications(of: LowStock.self, buffering: .oldest(2))
        var counted = notes.countingMissed.makeAsyncIterator()
        var plain = notes.makeAsyncIterator()
        for level in 1...5 { center.post(LowStock(level: level)) }
        #expect(await counted.next() == CountedNotification(missed: 0, notification: LowStock(level: 1)))
        #expect(await counted.next() == CountedNotification(missed: 0, notification: LowStock(level: 2)))
        center.post(LowStock(level: 6))
        #expect(await counted.next() == CountedNotification(missed: 3, notification: LowStock(level: 6)))
        #expect(await plain.next() == LowStock(level: 1))
    }

    @Test func `a loss is counted once, also for a consumer that waits`() async throws {
        let notes = center.notifications(of: LowStock.self, buffering: .oldest(1))
        let begun = notes.countingMissed.makeAsyncIterator()
        for level in 1...3 { center.post(LowStock(level: level)) }
        let missed = Record<Int>()
        let consumer = Task {
            var iterator = begun
            while missed.entries.count < 3, let counted = await iterator.next() { missed.note(counted.missed) }
        }
        for count in 1...2 {
            try await eventually("notification \(count)") { missed.entries.count == count }
            for _ in 0..<100 { await Task.yield() }
            center.post(LowStock(level: 3 + count))
        }
        await consumer.value
        #expect(missed.entries == [0, 2, 0])
    }

    @Test func `dropped and received notifications add up for any buffer and any pace`() async {
        var random = SeededRandom.printed()
        for _ in 0..<100 {
            let limit = Int.random(in: 1...9, using: &random)
            let keepsNewest = Bool.random(using: &random)
            let notes = center.notifications(
                of: LowStock.self, buffering: keepsNewest ? .newest(limit) : .oldest(limit))
            var iterator = notes.countingMissed.makeAsyncIterator()
            var posted = 0
            var received = 0
            var waiting = 0
            for _ in 0..<100 {
                if Bool.random(using: &random) {
                    center.post(LowStock(level: posted))
                    posted += 1
                    waiting = min(limit, waiting + 1)
                } else if waiting > 0, let counted = await iterator.next() {
                    waiting -= 1
                    received += counted.missed
                    #expect(counted.notification.level == received)
                    received += 1
                }
            }
        }
    }

    @Test func `without a word about buffering the newest 64 wait`() async {
        var iterator = center.notifications(of: LowStock.self).makeAsyncIterator()
        for level in 1...100 { center.post(LowStock(level: level)) }
        for level in 37...100 { #expect(await iterator.next() == LowStock(level: level)) }
    }

    @Test func `a consumer can ask for one sender's posts and for the latest value`() async {
        let corner = NarrowingTests.Stand()
        let station = NarrowingTests.Stand()
        center.post(StockLevels(level: 1), from: corner)
        let levels = center.notifications(of: StockLevels.self, from: corner, replayingLatest: true)
        var iterator = levels.makeAsyncIterator()
        center.post(StockLevels(level: 2), from: station)
        center.post(StockLevels(level: 3), from: corner)
        #expect(await iterator.next()?.level == 1)
        #expect(await iterator.next()?.level == 3)
    }

    @Test func `a sequence does not keep its sender alive`() {
        var sender: NarrowingTests.Stand? = NarrowingTests.Stand()
        weak let watched = sender
        let notes = center.notifications(of: LowStock.self, from: sender)
        sender = nil
        #expect(watched == nil)
        withExtendedLifetime(notes) {}
    }

    @Test func `any number of consumers each get everything`() async {
        let notes = center.notifications(of: LowStock.self, buffering: .newest(64))
        var iterators = (0..<5).map { _ in notes.makeAsyncIterator() }
        for level in 1...3 { center.post(LowStock(level: level)) }
        for index in iterators.indices {
            for level in 1...3 { #expect(await iterators[index].next()?.level == level) }
        }
    }

    @Test func `cancelling the task ends the sequence`() async {
        let center = center
        let ready = Gate(1)
        let task = Task {
            var iterator = center.notifications(of: LowStock.self, buffering: .newest(64)).makeAsyncIterator()
            ready.arrive()
            var count = 0
            while await iterator.next() != nil { count += 1 }
            return count
        }
        _ = await onThreads(1) { _ in ready.wait() }
        task.cancel()
        #expect(await task.value == 0)
        #expect(center.diagnostics.observations().isEmpty)
    }

    @Test func `a cancelled task gets nothing more, even of what is waiting`() async {
        let center = center
        let ready = Gate(1)
        let go = Gate(1)
        let task = Task {
            var iterator = center.notifications(of: LowStock.self, buffering: .newest(64)).makeAsyncIterator()
            center.post(LowStock(level: 1))
            ready.arrive()
            _ = await onThreads(1) { _ in go.wait() }
            return await iterator.next()
        }
        _ = await onThreads(1) { _ in ready.wait() }
        task.cancel()
        go.arrive()
        #expect(await task.value == nil)
    }

    @Test func `an iterator whose task was cancelled keeps nothing that is posted later`() async {
        struct Holding: TypedNotification {
            var captive: Captive
        }
        let center = center
        let record = Record<String>()
        await Task {
            var iterator = center.notifications(of: Holding.self).makeAsyncIterator()
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            #expect(await iterator.next() == nil)
            center.post(Holding(captive: Captive { record.note("released") }))
            #expect(record.entries == ["released"])
            withExtendedLifetime(iterator) {}
        }.value
    }

    @Test func `a consumer that stops observes no longer`() async throws {
        let center = center
        func first() async -> Int? {
            for await note in center.notifications(of: LowStock.self, buffering: .newest(64)) { return note.level }
            return nil
        }
        async let level = first()
        try await eventually("an observer") { !center.diagnostics.observations().isEmpty }
        center.post(LowStock(level: 7))
        #expect(await level == 7)
        #expect(center.diagnostics.observations().isEmpty)
    }

    @Test func `several consumers of several posters get all, that of each poster in order`() async {
        let center = center
        let posters = 3
        let count = 500
        let notes = center.notifications(of: StockChanged.self, buffering: .oldest(posters * count))
        let found = await withTaskGroup(of: [String: [Int]].self) { group in
            for _ in 0..<3 {
                let begun = notes.makeAsyncIterator()
                group.addTask {
                    var iterator = begun
                    var levels: [String: [Int]] = [:]
                    for _ in 0..<(posters * count) {
                        guard let note = await iterator.next() else { break }
                        levels[note.fruit, default: []].append(note.level)
                    }
                    return levels
                }
            }
            _ = await onThreads(posters) { number in
                for level in 0..<count { center.post(StockChanged(fruit: "\(number)", level: level)) }
            }
            var found: [[String: [Int]]] = []
            for await levels in group { found.append(levels) }
            return found
        }
        let expected = ["0": Array(0..<count), "1": Array(0..<count), "2": Array(0..<count)]
        #expect(found == [expected, expected, expected])
    }

    @Test func `a center that goes away ends the sequence after what is waiting`() async {
        var center: TypedNotificationCenter? = TypedNotificationCenter()
        var iterator = center!.notifications(of: LowStock.self, buffering: .newest(64)).makeAsyncIterator()
        center?.post(LowStock(level: 1))
        center = nil
        #expect(await iterator.next() == LowStock(level: 1))
        #expect(await iterator.next() == nil)
    }

    @Test func `the operators of the standard library apply`() async {
        let levels = center.notifications(of: LowStock.self, buffering: .newest(64))
            .filter { $0.level.isMultiple(of: 2) }.map(\.level).prefix(3)
        var iterator = levels.makeAsyncIterator()
        for level in 1...10 { center.post(LowStock(level: level)) }
        var found: [Int] = []
        while let level = await iterator.next() { found.append(level) }
        #expect(found == [2, 4, 6])
    }
}

/// Buffers for which an asynchronous poster waits.
@Suite(.timeLimit(.minutes(60)))
struct BackPressureTests {
    let center = TypedNotificationCenter()

    @Test func `a task that sends never has more waiting than the limit, and nothing is lost`() async {
        let notes = center.notifications(of: LowStock.self, buffering: .suspending(2))
        var iterator = notes.makeAsyncIterator()
        let center = center
        let sent = Cell(0)
        let sender = Task {
            for level in 0..<200 {
                await center.send(LowStock(level: level))
                sent.value = level + 1
            }
        }
        for level in 0..<200 {
            #expect(await iterator.next()?.level == level)
            // Those taken out, those that wait, and the one that was let in for the one just taken.
            #expect(sent.value <= level + 1 + 2)
        }
        await sender.value
        #expect(iterator.missed == 0)
    }

    @Test func `a send waits for room, however many others have posted`() async {
        var iterator = center.notifications(of: LowStock.self, buffering: .suspending(2)).makeAsyncIterator()
        let center = center
        for level in 1...4 { center.post(LowStock(level: level)) }
        let isSent = Cell(false)
        let sender = Task {
            await center.send(LowStock(level: 5))
            isSent.value = true
        }
        for level in 1...2 {
            for _ in 0..<100 { await Task.yield() }
            #expect(!isSent.value)
            #expect(await iterator.next()?.level == level)
        }
        #expect(await iterator.next()?.level == 3)
        await sender.value
        #expect(await iterator.next()?.level == 4)
        #expect(await iterator.next()?.level == 5)
    }

    @Test func `a send ends when the reader goes away or the task is cancelled`() async {
        let center = center
        var iterator: NotificationSequence<LowStock>.Iterator? =
            center.notifications(of: LowStock.self, buffering: .suspending(1)).makeAsyncIterator()
        center.post(LowStock(level: 1))
        let cancelled = Task { await center.send(LowStock(level: 2)) }
        cancelled.cancel()
        await cancelled.value
        let waiting = Task { await center.send(LowStock(level: 3)) }
        for _ in 0..<10 { await Task.yield() }
        #expect(await iterator?.next()?.level == 1)
        #expect(await iterator?.next()?.level == 2)
        iterator = nil
        await waiting.value
        // Without room until the reader goes away.
        iterator = center.notifications(of: LowStock.self, buffering: .suspending(1)).makeAsyncIterator()
        center.post(LowStock(level: 4))
        let blocked = Task { await center.send(LowStock(level: 5)) }
        for _ in 0..<100 { await Task.yield() }
        iterator = nil
        await blocked.value
    }

    @Test(.onItsOwnThread) func `a buffer that holds nothing, and a queue that would suspend, end the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = TypedNotificationCenter().notifications(of: LowStock.self, buffering: .newest(0))
        }
        await #expect(processExitsWith: .failure) {
            _ = TypedNotificationCenter().observe(LowStock.self, on: .main, buffering: .suspending(1)) { _ in }
        }
        await #expect(processExitsWith: .failure) {
            TypedNotificationCenter().observe(LowStock.self) { _ in }.pause(keepingNewest: -1)
        }
    }

    @Test(arguments: [NotificationBuffering.newest(2), .oldest(2)])
    func `the reader can count what was dropped, also after the last one it gets`(buffering: NotificationBuffering)
        async
    {
        var iterator = center.notifications(of: LowStock.self, buffering: buffering).countingMissed.makeAsyncIterator()
        for level in 0..<10 { center.post(LowStock(level: level)) }
        #expect(iterator.missed == 8)
        let first = await iterator.next()
        #expect(first?.missed == (buffering == .newest(2) ? 8 : 0))
        #expect(iterator.missed == 8)
    }
}
