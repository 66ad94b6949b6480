import Dispatch
import Platform
import Testing

/// Waits until `condition` holds. It is asked at once, then at intervals of 1 to 20 milliseconds.
///
/// Blocks its thread: for tests with one of their own, see ``OwnThreadTrait``.
///
/// - Parameters:
///   - what: What is waited for, as the message names it: "the stand to close".
///   - limit: Long enough for a busy machine; only a failing test waits that long.
/// - Throws: ``WaitError`` when `limit` is over, or what `condition` throws.
@_disfavoredOverload  // In an async test the other one is meant.
package func eventually(
    _ what: String, within limit: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () throws -> Bool
) throws {
    var wait = Wait(what, limit, sourceLocation)
    while try !condition() { usleep(UInt32(try wait.interval() / .microseconds(1))) }
}

/// Waits until `condition` holds, as the function that blocks does, and lets other tasks run meanwhile.
package func eventually(
    _ what: String, within limit: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation,
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
    var wait = Wait(what, limit, sourceLocation)
    while try await !condition() { try await Task.sleep(for: wait.interval()) }
}

extension DispatchSemaphore {
    /// Waits for a signal; records an issue if none comes within `limit`.
    ///
    /// - Parameter what: What is waited for, as the message names it.
    package func wait(
        for what: String, within limit: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let deadline = DispatchTime.now() + .milliseconds(Int(limit / .milliseconds(1)))
        guard wait(timeout: deadline) == .timedOut else { return }
        Issue.record("waited \(limit) for \(what)", sourceLocation: sourceLocation)
    }
}

/// Waits until there is something to read, or the other side is closed.
///
/// - Throws: ``WaitError`` when `limit` is over.
package func waitForInput(
    _ descriptor: Int32, _ what: String, within limit: Duration = .seconds(60),
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    try eventually(what, within: limit, sourceLocation: sourceLocation) { unsafe poll(&watched, 1, 1000) != 0 }
}

/// A condition did not come to hold within its limit.
package struct WaitError: Error, CustomStringConvertible {
    package let description: String
}

/// When to ask again, and when to give up.
///
/// From one question to the next at most a second counts. On a machine so busy that questions come late, what is waited
/// for comes late, too.
private struct Wait {
    private let what: String
    private let limit: Duration
    private let place: SourceLocation
    private var waited = Duration.zero
    private var asked = ContinuousClock.now
    private var next = Duration.milliseconds(1)

    init(_ what: String, _ limit: Duration, _ place: SourceLocation) {
        self.what = what
        self.limit = limit
        self.place = place
    }

    /// How long to wait before asking again.
    mutating func interval() throws(WaitError) -> Duration {
        let now = ContinuousClock.now
        waited += min(now - asked, .seconds(1))
        asked = now
        guard waited < limit else {
            throw WaitError(description: "\(place.fileID):\(place.line): waited \(limit) for \(what)")
        }
        defer { next = min(next * 2, .milliseconds(20)) }
        return next
    }
}
