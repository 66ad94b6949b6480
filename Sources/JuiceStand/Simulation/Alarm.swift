import Dispatch
import Platform

/// Has a thread sleep until an instant, as exactly as the system can, or until it is rung for.
///
/// A timer of the system's own and not a wait with a time limit: those may be late by what the system gathers timers for,
/// 50 µs on Linux, and Dispatch's follow the wall clock when it is set.
final class Alarm: Sendable {
    private let timer: Int32

    /// - Returns: nil where the system has no descriptor left, and where it has no such timers.
    init?() {
        #if os(Linux)
            timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC))
            if timer < 0 { return nil }
        #else
            return nil
        #endif
    }

    deinit {
        #if os(Linux)
            close(timer)
        #endif
    }

    /// Returns at that instant, or when it has been rung for; perhaps earlier, where a signal comes.
    func sleep(until time: DispatchTime) {
        guard time > .now() else { return }
        set(time.uptimeNanoseconds)
        #if os(Linux)
            var expirations: UInt64 = 0
            _ = unsafe read(timer, &expirations, MemoryLayout<UInt64>.size)
        #endif
    }

    /// Wakes who sleeps; from any thread. Who is just about to fall asleep may miss it.
    func ring() {
        set(1)
    }

    private func set(_ nanoseconds: UInt64) {
        #if os(Linux)
            var time = itimerspec()
            time.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
            time.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
            unsafe timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &time, nil)
        #endif
    }
}
