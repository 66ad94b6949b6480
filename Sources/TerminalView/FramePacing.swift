/// When a display is drawn anew: at most 16 times a second, and so seldom that it writes less than 1 KB a second for long.
///
/// A token bucket: a frame that cost much keeps the next one waiting. What answers a key or a new size does not wait.
struct FramePacing: Sendable {
    /// Seconds between two frames.
    static let least = 1.0 / 16
    /// Bytes a second.
    static let rate = 900.0
    /// Bytes that may be owed: a whole screen keeps the next frame waiting for two seconds and no longer.
    private static let mostOwed = 2 * rate

    /// Bytes that may be written; what there is at first is for the first screens.
    private var allowance = 4096.0
    private var drawnAt = -Double.infinity
    private var countedAt: Double?

    /// - Parameter now: Seconds of a clock on the wall.
    mutating func allows(at now: Double, isUrgent: Bool) -> Bool {
        allowance = max(allowance, min(Self.rate / 2, allowance + (now - (countedAt ?? now)) * Self.rate))
        countedAt = now
        return isUrgent || (allowance >= 0 && now - drawnAt >= Self.least)
    }

    mutating func drew(_ bytes: Int, at now: Double) {
        allowance = max(-Self.mostOwed, allowance - Double(bytes))
        drawnAt = now
    }
}
