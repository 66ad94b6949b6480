import NotificationBus
import TestSupport
import Testing

/// Promise 9, first half: asynchronous sequences.
@Suite(.timeLimit(.minutes(60)))
struct SequenceTests {
    let center = TypedNotificationCenter()

    @Test func `a full buffer of the newest drops the oldest and counts them`() async {
        var iterator = center.notifications(of: LowStock.self, buffering: .newest(3)).makeAsyncIterator()
        for level in 1...10 { center.post(LowStock(level: level)) }
        #expect(iterator.missed == 7)
        for level in 8...9 { #expect(await iterator.next() == LowStock(level: level)) }
        for level in 11...13 { center.post(LowStock(level: level)) }
        #expect(iterator.missed == 8)
        #expect(await iterator.next() == LowStock(level: 11))
    }

    @Test func `a full buffer of the oldest drops the newest and counts them`() async {
        var iterator = center.notifications(of: LowStock.self, buffering: .oldest(2)).makeAsyncIterator()
        for level in 1...5 { center.post(LowStock(level: level)) }
        for level in 1...2 { #expect(await iterator.next() == LowStock(level: level)) }
        #expect(iterator.missed == 3, "also of those after the last one it gets")
        center.post(LowStock(level: 6))
        #expect(await iterator.next() == LowStock(level: 6))
        #expect(iterator.missed == 3)
    }

    @Test
    func
        `a consumer gets what was posted since its iterator was made, in order, the newest 64 if nothing else is said`()
        async
    {
        var iterator = center.notifications(of: LowStock.self).makeAsyncIterator()
        for level in 1...100 { center.post(LowStock(level: level)) }
        for level in 37...100 { #expect(await iterator.next() == LowStock(level: level)) }
    }

    @Test func `a cancelled task gets nothing more, even of what is waiting, and keeps nothing that is posted later`()
        async
    {
        struct Holding: TypedNotification { var captive: Captive? }
        let record = Record<Int>()
        await Task {
            var iterator = center.notifications(of: Holding.self).makeAsyncIterator()
            // A post from its end reaches the buffer again, whose lock nobody may hold then.
            let captive = Captive {
                record.note(1)
                center.post(Holding())
            }
            center.post(Holding(captive: consume captive))
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            #expect(await iterator.next() == nil)
            center.post(Holding(captive: Captive { record.note(2) }))
            #expect(record.entries == [1, 2])
            withExtendedLifetime(iterator) {}
        }.value
    }

    @Test func `a center that goes away ends the sequence after what is waiting`() async {
        var center: TypedNotificationCenter? = TypedNotificationCenter()
        var iterator = center!.notifications(of: LowStock.self, buffering: .newest(64)).makeAsyncIterator()
        center?.post(LowStock(level: 1))
        center = nil
        #expect(await iterator.next() == LowStock(level: 1))
        #expect(await iterator.next() == nil)
    }

    /// How a task comes to read a sequence without keeping the center.
    enum Reading: CaseIterable {
        case sequence, weakCenter, weakCenterInTheLoop, operators
    }

    @Test(arguments: Reading.allCases)
    func `a task that reads a sequence ends with the center`(reading: Reading) async {
        var center: TypedNotificationCenter? = TypedNotificationCenter()
        weak let watched = center
        let heard = Record<Int>()
        let task: Task<Void, Never>
        switch reading {
        case .sequence:
            let notes = center!.notifications(of: LowStock.self)
            task = Task { for await note in notes { heard.note(note.level) } }
        case .weakCenter:
            task = Task { [weak center] in
                guard let notes = center?.notifications(of: LowStock.self) else { return }
                for await note in notes { heard.note(note.level) }
            }
        case .weakCenterInTheLoop:
            task = Task { [weak center] in
                for await note in center!.notifications(of: LowStock.self) { heard.note(note.level) }
            }
        case .operators:
            task = Task { [weak center] in
                for await level in center!.notifications(of: LowStock.self).map(\.level) { heard.note(level) }
            }
        }
        while center!.observations().isEmpty { await Task.yield() }
        center?.post(LowStock(level: 1))
        center = nil
        #expect(watched == nil)
        await task.value
        #expect(heard.entries == [1])
    }

    @Test func `a sequence whose center is gone is empty`() async {
        var center: TypedNotificationCenter? = TypedNotificationCenter()
        let notes = center!.notifications(of: LowStock.self)
        center = nil
        for await _ in notes { Issue.record("there is nothing to read") }
    }
}

/// Buffers for which an asynchronous poster waits.
@Suite(.timeLimit(.minutes(60)))
struct BackPressureTests {
    let center = TypedNotificationCenter()

    /// Starts a task for each level that sends it, and counts those that are done.
    private func startSenders(_ levels: ClosedRange<Int>, _ sent: Cell<Int>) async -> [Task<Void, Never>] {
        var tasks: [Task<Void, Never>] = []
        for level in levels {
            tasks.append(
                Task {
                    await center.send(LowStock(level: level))
                    sent.add(1)
                })
            await yield()
        }
        return tasks
    }

    /// Lets other tasks run until they wait.
    private func yield() async {
        for _ in 0..<200 { await Task.yield() }
    }

    @Test func `a task that sends waits until half of the places are free, and then gets all of them`() async throws {
        var iterator = center.notifications(of: LowStock.self, buffering: .suspending(4)).makeAsyncIterator()
        let sent = Cell(0)
        let sender = Task {
            for level in 1...12 {
                await center.send(LowStock(level: level))
                sent.add(1)
            }
        }
        for (taken, expected) in [(0, 4), (1, 4), (2, 6), (3, 6), (4, 8)] {
            if taken > 0 { #expect(await iterator.next()?.level == taken) }
            try await eventually("\(expected) sends") { sent.value >= expected }
            await yield()
            #expect(sent.value == expected, "after \(taken) were taken out")
        }
        for level in 5...12 { #expect(await iterator.next()?.level == level) }
        await sender.value
        #expect(iterator.missed == 0)
    }

    @Test func `one free place lets one of many senders in`() async throws {
        var iterator = center.notifications(of: LowStock.self, buffering: .suspending(1)).makeAsyncIterator()
        let sent = Cell(0)
        let senders = await startSenders(1...20, sent)
        for count in 1...20 {
            try await eventually("\(count) sends") { sent.value >= count }
            await yield()
            #expect(sent.value == count)
            #expect(await iterator.next() != nil)
        }
        for sender in senders { await sender.value }
    }

    @Test func `a plain send does not wait for a full reader of another sender`() async {
        let corner = Captive {}
        var iterator = center.notifications(of: LowStock.self, from: corner, buffering: .suspending(1))
            .makeAsyncIterator()
        center.post(LowStock(level: 1), from: corner)
        await center.send(LowStock(level: 2))
        await center.send(LowStock(level: 3), from: Captive {})
        let sent = Cell(false)
        let sender = Task {
            await center.send(LowStock(level: 4), from: corner)
            sent.value = true
        }
        await yield()
        #expect(!sent.value, "the reader hears this one")
        for level in [1, 4] { #expect(await iterator.next()?.level == level) }
        await sender.value
    }

    @Test func `of two senders that wait, the second posts when its task is cancelled, and the first waits on`() async {
        var iterator = center.notifications(of: LowStock.self, buffering: .suspending(1)).makeAsyncIterator()
        center.post(LowStock(level: 0))
        let sent = Cell(0)
        let senders = await startSenders(1...2, sent)
        senders[1].cancel()
        await senders[1].value
        await yield()
        #expect(sent.value == 1)
        for level in [0, 2, 1] { #expect(await iterator.next()?.level == level) }
        await senders[0].value
    }

    @Test func `a send waits for each of two full readers, whichever has room first`() async {
        for first in 0..<2 {
            let notes = center.notifications(of: LowStock.self, buffering: .suspending(1))
            var iterators = [notes.makeAsyncIterator(), notes.makeAsyncIterator()]
            center.post(LowStock(level: 0))
            let sent = Cell(0)
            let senders = await startSenders(1...1, sent)
            #expect(await iterators[first].next()?.level == 0)
            await yield()
            #expect(sent.value == 0, "the other reader is full")
            #expect(await iterators[1 - first].next()?.level == 0)
            await senders[0].value
            for reader in 0..<2 { #expect(await iterators[reader].next()?.level == 1) }
        }
    }

    @Test(arguments: [false, true])
    func `a sender that waits ends when its reader goes away`(isByItsTask: Bool) async {
        let ready = Cell(false)
        let notes = center.notifications(of: LowStock.self, buffering: .suspending(1))
        let reader = Task {
            let iterator = notes.makeAsyncIterator()
            ready.value = true
            while !Task.isCancelled { await Task.yield() }
            if isByItsTask { for await _ in notes {} }
            withExtendedLifetime(iterator) {}
        }
        while !ready.value { await Task.yield() }
        center.post(LowStock(level: 1))
        let sent = Cell(0)
        let senders = await startSenders(2...3, sent)
        #expect(sent.value == 0)
        reader.cancel()
        for sender in senders { await sender.value }
    }

    @Test func `sending while readers with something unread go away waits for no lock`() async {
        struct Holding: TypedNotification { var captive: Captive? }
        let sender = Task { while !Task.isCancelled { await center.send(Holding()) } }
        for _ in 0..<2000 {
            let iterator = center.notifications(of: Holding.self, buffering: .suspending(1000)).makeAsyncIterator()
            center.post(Holding(captive: Captive { center.observe(Holding.self) { _ in }.cancel() }))
            withExtendedLifetime(iterator) {}
            await Task.yield()
        }
        sender.cancel()
        await sender.value
    }

    @Test(.onItsOwnThread) func `a buffer that holds nothing, and a queue that would suspend, end the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = TypedNotificationCenter().notifications(of: LowStock.self, buffering: .newest(0))
        }
        await #expect(processExitsWith: .failure) {
            _ = TypedNotificationCenter().observe(LowStock.self, on: .main, buffering: .suspending(1)) { _ in }
        }
    }
}
