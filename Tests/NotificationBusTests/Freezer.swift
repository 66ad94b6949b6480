import Platform
import Synchronization
import Testing

/// Stops another thread at whatever instruction it has reached, so that a test meets windows of a few instructions often.
///
/// A signal handler keeps the thread until it is let go. One thread at a time can be stopped.
enum Freezer {
    private enum Stage {
        static let idle = 0, asked = 1, frozen = 2, released = 3
    }

    private static let stage = Atomic(Stage.idle)

    /// The thread sanitizer delivers signals only where a thread calls the system, which is not the point.
    static var works: Bool { unsafe dlsym(nil, "__tsan_init") == nil }

    /// Prepares the process. Touches what the handler uses, which must not be initialized there.
    static func prepare() {
        _ = stage.load(ordering: .acquiring)
        _ = signal(SIGURG) { _ in
            guard
                Freezer.stage.compareExchange(
                    expected: Stage.asked, desired: Stage.frozen, ordering: .acquiringAndReleasing
                ).exchanged
            else { return }
            while Freezer.stage.load(ordering: .acquiring) == Stage.frozen {}
            Freezer.stage.store(Stage.idle, ordering: .releasing)
        }
    }

    /// Lets the current thread be stopped. Threads of queues block signals, and those they start do too.
    static func admit() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGURG)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Calls `body` while `thread`, which was started by ``startJoinableThread(_:)``, stands still.
    static func freezing<Result>(_ thread: pthread_t, _ body: () throws -> Result) rethrows -> Result {
        stage.store(Stage.asked, ordering: .releasing)
        pthread_kill(thread, SIGURG)
        spin { stage.load(ordering: .acquiring) == Stage.frozen }
        defer {
            stage.store(Stage.released, ordering: .releasing)
            spin { stage.load(ordering: .acquiring) == Stage.idle }
        }
        return try body()
    }
}

/// Waits until `condition` holds, without a lock or an allocation: a thread that stands still may hold the one it would take.
func spin(until condition: () -> Bool) {
    let deadline = ContinuousClock.now + .seconds(60)
    while !condition() {
        sched_yield()
        precondition(.now < deadline, "waited 60 seconds for another thread")
    }
}

/// Starts a thread of the system and returns it to be joined.
func startJoinableThread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
    final class Start: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    #if canImport(Darwin)
        var thread: pthread_t?
    #else
        var thread = pthread_t()
    #endif
    let start = unsafe Unmanaged.passRetained(Start(body)).toOpaque()
    let status = unsafe pthread_create(
        &thread, nil,
        { argument in
            #if canImport(Darwin)
                let start = unsafe Unmanaged<Start>.fromOpaque(argument)
            #else
                let start = unsafe Unmanaged<Start>.fromOpaque(argument.unsafelyUnwrapped)
            #endif
            Freezer.admit()
            unsafe start.takeRetainedValue().body()
            return nil
        }, start)
    precondition(status == 0, "a thread cannot be started (error \(status))")
    #if canImport(Darwin)
        return unsafe thread.unsafelyUnwrapped
    #else
        return thread
    #endif
}
