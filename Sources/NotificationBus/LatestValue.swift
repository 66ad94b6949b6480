/// The latest value of a notification that keeps it, and who posted it; its channel's lock guards it.
@usableFromInline
final class LatestValue<N: TypedNotification> {
    @frozen @usableFromInline
    struct Entry {
        @usableFromInline var value: N
        @usableFromInline var sender: SenderIdentity?

        @inlinable
        init(_ value: N, _ sender: SenderIdentity?) {
            self.value = value
            self.sender = sender
        }
    }

    @exclusivity(unchecked)
    @usableFromInline
    var entry: Entry?
    /// Observers that are catching up.
    private var latecomers: [Latecomer<N>] = []
    @exclusivity(unchecked)
    @usableFromInline
    var hasLatecomers = false

    /// Puts a value in the place of the latest, which is given back, and tells those that are catching up.
    @inlinable
    func exchange(_ new: Entry) -> Entry? {
        let before = unsafe entry
        unsafe entry = new
        if unsafe hasLatecomers { tell(new) }
        return before
    }

    @usableFromInline
    func tell(_ entry: Entry) {
        for latecomer in latecomers { latecomer.hear(entry) }
    }

    /// From now on `latecomer` is told of every post, beginning with the latest value.
    func admit(_ latecomer: Latecomer<N>) {
        if let entry = unsafe entry { latecomer.waiting.append(entry) }
        latecomers.append(latecomer)
        unsafe hasLatecomers = true
    }

    /// Whether `latecomer` has caught up; if it has, it is told nothing more.
    func dismiss(_ latecomer: Latecomer<N>) -> Bool {
        guard latecomer.waiting.isEmpty else { return false }
        latecomers.removeAll { $0 === latecomer }
        unsafe hasLatecomers = !latecomers.isEmpty
        return true
    }
}

/// What an observer that starts with the latest value has yet to be told before it observes like the others.
///
/// It catches up on its own thread, in the order of the posts, and joins the others in an instant without anything
/// waiting: so there is no gap, no double, no call out of order, and no post waits for it.
final class Latecomer<N: TypedNotification> {
    var waiting: [LatestValue<N>.Entry] = []
    /// How often it has posted itself what it observes while it was catching up.
    private(set) var ownPosts = 0
    private let thread = System.thread

    func hear(_ entry: LatestValue<N>.Entry) {
        waiting.append(entry)
        if System.thread == thread { ownPosts += 1 }
    }
}
