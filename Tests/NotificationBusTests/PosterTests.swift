import NotificationBus
import Platform
import Synchronization
import TestSupport
import Testing

/// A poster does what its center does.
@Suite(.timeLimit(.minutes(60)))
struct PosterTests {
    private struct Note: TypedNotification, Equatable {
        var number: Int
    }

    private struct Level: TypedNotification {
        static var keepsLatest: Bool { true }
        var number: Int
    }

    private let center = TypedNotificationCenter()

    @Test func `a poster made before the first observer reaches all`() {
        let poster = center.poster(of: Note.self)
        poster.post(Note(number: 0))
        let heard = Guarded<[String]>([])
        var tokens: [ObservationToken] = []
        // More than the first rack holds, so that it is replaced.
        for place in 0..<9 {
            tokens.append(
                center.observe(Note.self, priority: place == 8 ? .high : .normal) { note in
                    heard.withLock { $0.append("\(place):\(note.number)") }
                })
        }
        poster.post(Note(number: 1))
        #expect(heard.withLock { $0 } == ["8:1"] + (0..<8).map { "\($0):1" })
        tokens[8].cancel()
        poster.post(Note(number: 2))
        #expect(heard.withLock { $0 }.suffix(8) == (0..<8).map { "\($0):2" })
    }

    @Test func `posts of a poster nest with those of its center`() {
        let poster = center.poster(of: Note.self)
        let numbers = Guarded<[Int]>([])
        let first = center.observe(Note.self) { [unowned center] note in
            if note.number < 4 {
                note.number % 2 == 0
                    ? poster.post(Note(number: note.number + 1)) : center.post(Note(number: note.number + 1))
            }
        }
        let second = center.observe(Note.self) { note in numbers.withLock { $0.append(note.number) } }
        poster.post(Note(number: 0))
        #expect(numbers.withLock { $0 } == [4, 3, 2, 1, 0])
        first.cancel()
        second.cancel()
    }

    @Test func `a sender and a latest value go along`() {
        let sender = Marker()
        let heard = Record<Int>()
        let listener = center.observe(Note.self) { heard.note($0.number) }
        let narrowed = Atomic(0)
        let token = center.observe(Note.self, from: sender) { note in
            narrowed.store(note.number, ordering: .relaxed)
        }
        let notes = center.poster(of: Note.self)
        notes.post(Note(number: 1))
        #expect(narrowed.load(ordering: .relaxed) == 0)
        notes.post(Note(number: 2), from: sender)
        #expect(narrowed.load(ordering: .relaxed) == 2 && heard.entries.count == 2)
        withExtendedLifetime(listener) {}
        center.poster(of: Level.self).post(Level(number: 7))
        #expect(center.latest(Level.self)?.number == 7)
        token.cancel()
    }

    private final class Marker: Sendable {}

    @Test func `diagnostics see the posts of a poster, before and after they are switched`() {
        let poster = center.poster(of: Note.self)
        let token = center.observe(Note.self) { _ in }
        poster.post(Note(number: 0))
        center.diagnostics.isMeasuring = true
        poster.post(Note(number: 1))
        let seen = Atomic(0)
        let tap = center.diagnostics.tap { _ in seen.add(1, ordering: .relaxed) }
        poster.post(Note(number: 2))
        tap.cancel()
        center.diagnostics.isMeasuring = false
        poster.post(Note(number: 3))
        #expect(center.diagnostics.observations().map(\.deliveries) == [2])
        #expect(seen.load(ordering: .relaxed) == 1)
        token.cancel()
        center.diagnostics.isMeasuring = true
        poster.post(Note(number: 4))
        #expect(center.diagnostics.unheardPosts().map(\.count) == [1])
    }

    @Test func `a poster keeps its center alive, and works after an await`() async {
        weak var weakCenter: TypedNotificationCenter?
        let heard = Record<Int>()
        let listener: ObservationToken
        var poster: NotificationPoster<Note>?
        do {
            let center = TypedNotificationCenter()
            weakCenter = center
            listener = center.observe(Note.self) { heard.note($0.number) }
            poster = center.poster(of: Note.self)
        }
        for number in 0..<100 {
            poster?.post(Note(number: number))
            await Task.yield()
        }
        #expect(heard.entries == Array(0..<100) && weakCenter != nil)
        listener.cancel()
        poster = nil
        #expect(weakCenter == nil)
    }

    @Test func `threads may share a poster while observers come and go`() async {
        let poster = center.poster(of: Note.self)
        let count = Atomic(0)
        let steady = center.observe(Note.self) { _ in count.add(1, ordering: .relaxed) }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask { await onItsOwnThread { for number in 0..<5000 { poster.post(Note(number: number)) } } }
            }
            group.addTask { [center] in
                await onItsOwnThread { for _ in 0..<2000 { center.observe(Note.self) { _ in }.cancel() } }
            }
        }
        #expect(count.load(ordering: .relaxed) == 15_000)
        steady.cancel()
    }

    /// What the bus leaves out names this as the way to wait for an answer.
    @Test func `an answer can be a task, for who waits`() async throws {
        struct HowMuchIsLeft: TypedQuestion {
            typealias Answer = Task<Int, Never>
        }
        let token = center.answer(HowMuchIsLeft.self) { _ in
            Task {
                await Task.yield()
                return 3
            }
        }
        #expect(try await center.ask(HowMuchIsLeft()).value == 3)
        token.cancel()
    }
}
