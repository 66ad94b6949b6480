import NotificationBus

/// A few threads, and what each does.
struct Scenario: Sendable {
    var name: String
    /// Whether freed memory is used again at once, too.
    var reuses = false
    /// Threads that have not posted before.
    var newcomers: [Int] = []
    var prepare: @Sendable (Case) -> Void
    var programs: [@Sendable (Case) -> Void]
    var check: @Sendable (Case) -> Void = { _ in }
}

private final class Sender: Sendable {}

extension Scenario {
    static let all: [Scenario] = [
        Scenario(
            name: "two posters, one observer cancelled",
            prepare: { $0.observe(1) },
            programs: [{ $0.post(Sold(value: 1)) }, { $0.post(Sold(value: 2)) }, { $0.cancelAndWait(1) }]),
        Scenario(
            name: "a post, two observers cancelled",
            prepare: {
                $0.observe(1)
                $0.observe(2)
            },
            programs: [{ $0.post(Sold(value: 1)) }, { $0.cancel(1) }, { $0.cancel(2) }]),
        Scenario(
            name: "a post, one observer cancelled twice",
            prepare: { $0.observe(1) },
            programs: [{ $0.post(Sold(value: 1)) }, { $0.cancelAndWait(1) }, { $0.cancelAndWait(1) }]),
        Scenario(
            name: "two posts of a thread, one observer cancelled and waited for",
            prepare: { $0.observe(1) },
            programs: [
                {
                    $0.post(Sold(value: 1))
                    $0.post(Sold(value: 2))
                }, { $0.cancelAndWait(1) },
            ]),
        Scenario(
            name: "a post rests in an observer that is cancelled, and another follows",
            prepare: { $0.observe(1) { $0.explorer.rest() } },
            programs: [
                {
                    $0.post(Sold(value: 1))
                    $0.post(Sold(value: 2))
                }, { $0.cancel(1) },
            ]),
        Scenario(
            name: "the array grows, its observer is cancelled", reuses: true,
            prepare: {
                $0.fill(Sold.self)
                $0.observe(1)
            },
            programs: [{ $0.post(Sold(value: 1)) }, { $0.observe(2) }, { $0.cancelAndWait(1) }]),
        Scenario(
            name: "the array grows while another of its observers is cancelled", reuses: true,
            prepare: {
                $0.observe(1)
                $0.observe(3)
                // With one more the cancellation would replace the array itself.
                $0.fill(Sold.self, 2)
            },
            programs: [{ $0.cancel(3) }, { $0.post(Sold(value: 1)) }, { $0.observe(2) }]),
        Scenario(
            name: "observers cancel themselves in two posts",
            prepare: { $0.observe(1) { $0.cancel(1) } },
            programs: [{ $0.post(Sold(value: 1)) }, { $0.post(Sold(value: 2)) }]),
        Scenario(
            name: "observers cancel each other while the array grows", reuses: true,
            prepare: {
                $0.fill(Sold.self)
                $0.observe(1) { $0.cancel(1) }
            },
            programs: [{ $0.post(Sold(value: 1)) }, { $0.observe(2) }]),
        Scenario(
            name: "a thread ends inside an observer that is cancelled",
            prepare: { $0.observe(1) { $0.exit(inside: 1) } },
            programs: [{ $0.post(Sold(value: 1)) }, { $0.cancelAndWait(1) }]),
        Scenario(
            name: "a thread ends inside an observer after one that cancelled itself",
            prepare: {
                $0.observe(1) { $0.cancel(1) }
                $0.observe(2) { $0.exit(inside: 2) }
            },
            programs: [{ $0.post(Sold(value: 1)) }, { $0.cancel(2) }]),
        Scenario(
            name: "a thread ends inside an observer while the array grows", reuses: true,
            prepare: {
                $0.fill(Sold.self)
                $0.observe(1) { $0.exit(inside: 1) }
            },
            programs: [{ $0.post(Sold(value: 1)) }, { $0.observe(2) }, { $0.cancel(1) }]),
        Scenario(
            name: "a thread posts for the first time", newcomers: [0],
            prepare: { $0.observe(1) },
            programs: [{ $0.post(Sold(value: 1)) }, { $0.cancelAndWait(1) }]),
        Scenario(
            name: "two threads end, one observer is cancelled",
            prepare: { $0.observe(1) },
            // The newest record comes first: a walk meets the one that is left before that of the post.
            programs: [
                {
                    $0.post(Sold(value: 1))
                    endThread()
                }, { _ in endThread() }, { $0.cancel(1) },
            ]),
        Scenario(
            name: "a thread ends, another takes its record over", newcomers: [1],
            prepare: { $0.observe(1) },
            programs: [{ _ in endThread() }, { $0.post(Sold(value: 1)) }, { $0.cancel(1) }]),
        Scenario(
            name: "an array becomes one of another type", reuses: true,
            prepare: {
                $0.fill(Sold.self)
                $0.observe(1)
                $0.fill(Spoiled.self)
                $0.observe(4, Spoiled.self)
            },
            programs: [
                { $0.post(Sold(value: 1)) },
                {
                    // This frees an array with room for four, which the other type needs when its last observer goes.
                    $0.observe(3)
                    $0.cancel(4)
                    $0.observe(2, Spoiled.self)
                }, { $0.cancel(2) },
            ]),
        Scenario(
            name: "a late observer with the latest value",
            prepare: {
                $0.observe(1, Level.self)
                let center = $0.center
                $0.explorer.prepare(0) { center.post(Level(value: 0)) }
            },
            programs: [
                {
                    $0.post(Level(value: 1))
                    $0.post(Level(value: 2))
                }, { $0.observe(2, Level.self, replayingLatest: true) },
            ],
            check: { example in
                let late = example.received[2] ?? []
                example.check(
                    Array(0...2).suffix(late.count) == late[...], "a value is missing, double or out of order")
                example.check(!late.isEmpty, "the latest value is missing")
            }),
        Scenario(
            name: "the latest value is read during a cancellation",
            prepare: { $0.observe(1, Level.self) },
            programs: [{ $0.readLatest() }, { $0.cancel(1) }]),
        {
            let sender = Sender()
            return Scenario(
                name: "a late observer of a sender",
                prepare: { $0.observe(1, Level.self, from: sender) },
                programs: [
                    { $0.post(Level(value: 1), from: sender) },
                    { $0.observe(2, Level.self, from: sender, replayingLatest: true) },
                ],
                check: { $0.check($0.received[2] == [1], "a late observer gets a value twice, or not at all") })
        }(),
        {
            let sender = Sender()
            return Scenario(
                name: "a post in the name of a sender, an observer of it cancelled",
                prepare: {
                    $0.observe(1)
                    $0.observe(2, from: sender)
                },
                programs: [{ $0.post(Sold(value: 1), from: sender) }, { $0.cancelAndWait(2) }])
        }(),
    ]
}
