/// One observation, as the diagnostics report it.
public struct ObservationReport: Sendable, Hashable {
    /// What is observed, with its module.
    public var notification: String
    /// Where the observation began.
    public var place: ObservationPlace
    /// Where it stands in the order of delivery.
    public var priority: ObserverPriority
    /// How often it was called while calls were measured.
    public var deliveries: Int
    /// How long its calls took together, nested posts included.
    public var timeSpent: Duration
    /// How long its longest call took.
    public var slowest: Duration

    init(_ notification: String, _ place: ObservationPlace, _ key: UInt64, _ tally: Tally) {
        self.notification = notification
        self.place = place
        priority = ObserverPriority(rawValue: Int16(Int(Int16.max) - Int(key >> 48)))
        deliveries = tally.deliveries
        timeSpent = tally.timeSpent
        slowest = tally.slowest
    }
}

/// Posts of one type that no observer heard. An observer that asks for a certain sender hears no other.
public struct UnheardPosts: Sendable {
    /// The type that was posted.
    public var notification: any TypedNotification.Type
    /// How often, while posts were measured.
    public var count: Int
}

extension TypedNotificationCenter {
    /// What can be learned about a center while it works.
    public var diagnostics: Diagnostics { Diagnostics(center: self) }

    /// A center's view of itself: who observes what, how long it takes, and what is posted.
    ///
    /// While nothing is measured and there is no tap, diagnostics cost posts nothing. While something is, every post of
    /// the center takes locks and reads the clock.
    public struct Diagnostics: Sendable {
        let center: TypedNotificationCenter

        /// Whether calls are counted and timed, and unheard posts counted.
        ///
        /// - Complexity: O(1) to read, O(*c*) to set in the number of types the center has met.
        public var isMeasuring: Bool {
            get { center.watch.state.withLock { $0.isMeasuring } }
            nonmutating set {
                center.watch.state.withLock { $0.isMeasuring = newValue }
                center.watch.refresh(center)
            }
        }

        /// Every observation and every answerer, by type, in the order of delivery.
        ///
        /// - Complexity: O(*n* log *n*) in the number of observations.
        public func observations() -> [ObservationReport] {
            center.state.withLock { $0.channels }.flatMap(\.report)
        }

        /// The posts that nobody heard while posts were measured.
        ///
        /// - Complexity: O(*n*) in the number of types nobody heard.
        public func unheardPosts() -> [UnheardPosts] {
            center.watch.state.withLock { Array($0.unheard.values) }
        }

        /// The threads of the process that have posted and not ended, and the records made for such threads so far.
        package static var postingThreads: (live: Int, records: Int) {
            let count = PostingThread.count
            return (count.live, count.made)
        }

        /// Forgets what was measured so far.
        ///
        /// - Complexity: O(*n*) in the number of observations.
        public func reset() {
            center.watch.state.withLock { $0.unheard = [:] }
            for channel in center.state.withLock({ $0.channels }) {
                for member in channel.family { member.state.withLock { $0.tallies = [:] } }
            }
        }

        /// Shows every post of the center to `body`, before any observer is called, until the token is cancelled or
        /// released.
        ///
        /// `type(of:)` names what was posted. What a tap posts itself is shown to it too.
        ///
        /// - Complexity: O(*c*) in the number of types the center has met. While there is a tap every post takes the
        ///   long way.
        public func tap(
            fileID: StaticString = #fileID, line: UInt = #line,
            _ body: @escaping @Sendable (any TypedNotification) -> Void
        ) -> ObservationToken {
            let taps = center.watch.taps
            let added = taps.insert(Body<any TypedNotification>(fileID, line, body))
            center.watch.refresh(center)
            return ObservationToken(added, relay: TapRelay(center))
        }
    }
}
