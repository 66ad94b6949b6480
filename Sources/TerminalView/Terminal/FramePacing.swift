/// Decides when a display is redrawn: at most 16 times a second, and at most 1 KB a second in the long run.
///
/// A token bucket: a large frame delays the next one, but not the clock. A frame that answers a key or a new size is
/// not delayed.
struct FramePacing: Sendable {
    /// The least seconds between two frames.
    static let least = 1.0 / 16
    /// The least seconds between two movements of the clock, which is shown in whole seconds.
    static let leastClock = 0.5
    /// The rate at which the allowance grows, in bytes a second.
    static let rate = 900.0
    /// The most bytes of debt: a whole screen delays the next frame by two seconds at most.
    private static let mostOwed = 2 * rate

    /// Bytes that may be written; the initial amount is for the first screens.
    private var allowance = 4096.0
    private var drawnAt = -Double.infinity
    private var countedAt: Double?

    /// - Parameter now: Seconds of a monotonic clock.
    mutating func allows(at now: Double, isUrgent: Bool) -> Bool {
        allowance = max(allowance, min(Self.rate / 2, allowance + (now - (countedAt ?? now)) * Self.rate))
        countedAt = now
        return isUrgent || (allowance >= 0 && now - drawnAt >= Self.least)
    }

    /// Whether the clock is due, although the next frame is not.
    func allowsClock(at now: Double) -> Bool { now - drawnAt >= Self.leastClock }

    mutating func drew(_ bytes: Int, at now: Double) {
        allowance = max(-Self.mostOwed, allowance - Double(bytes))
        drawnAt = now
    }
}
