import NotificationBus
import Testing

/// Promise 4 when the memory of a list of observers that was outgrown serves another center.
@Suite(.timeLimit(.minutes(60)))
struct ReusedMemoryTests {
    @Test func `a capture is released on time though others post where its observer's list was`() async {
        let center = TypedNotificationCenter()
        let released = Cell(0)
        let oldPost = Stop()
        let newPost = Stop()
        let otherPosts = Stop()
        let isCounted = Gate(1)
        let first = center.observe(LowStock.self) { note in if note.level == 1 { oldPost.passes() } }
        let box = TokenBox()
        do {
            let captive = Captive { released.add(1) }
            box.keep(
                center.observe(LowStock.self) { note in
                    captive.touch()
                    if note.level == 2 { newPost.passes() }
                })
        }
        // A list of this length takes more memory than any other object here, so the next list of this length gets it.
        let crowd = (0..<6).map { _ in center.observe(LowStock.self) { _ in } }
        let results = await onThreads(3) { number -> Int in
            switch number {
            case 0:
                // In the first list, whose memory is freed on this thread when the post is over.
                center.post(LowStock(level: 1))
                // So one of these gets it. All their posts are then at the second observer at once.
                let others = (0..<64).map { _ in TypedNotificationCenter() }
                let tokens = others.indices.flatMap { index in
                    [
                        others[index].observe(LowStock.self) { _ in },
                        others[index].observe(LowStock.self) { note in
                            if index + 1 < others.count { others[index + 1].post(note) } else { otherPosts.passes() }
                        },
                    ] + crowd.map { _ in others[index].observe(LowStock.self) { _ in } }
                }
                others[0].post(LowStock())
                withExtendedLifetime(tokens) {}
                return 0
            case 1:
                newPost.isWanted.wait()
                // In the second list, at the observer that is cancelled meanwhile.
                center.post(LowStock(level: 2))
                let count = released.value
                isCounted.arrive()
                otherPosts.mayGoOn.arrive()
                return count
            default:
                oldPost.isReached.wait()
                let more = (0..<12).map { _ in center.observe(LowStock.self) { _ in } }
                newPost.isWanted.arrive()
                newPost.isReached.wait()
                box.cancel()
                oldPost.mayGoOn.arrive()
                otherPosts.isReached.wait()
                newPost.mayGoOn.arrive()
                // A thread that cancels an observer of the type releases what a post has just left.
                isCounted.wait()
                withExtendedLifetime(more) {}
                return 0
            }
        }
        #expect(results[1] == 1, "released when the post that called it was over")
        withExtendedLifetime((first, crowd)) {}
    }
}

/// A place in an observer where its thread waits.
private final class Stop: Sendable {
    let isWanted = Gate(1)
    let isReached = Gate(1)
    let mayGoOn = Gate(1)

    func passes() {
        isReached.arrive()
        mayGoOn.wait()
    }
}
