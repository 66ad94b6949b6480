import Dispatch
import Platform

/// Lets a thread sleep until an instant or until ``ring()``, as exactly as the system can.
///
/// It uses a timer of the system. On Linux, a wait with a timeout may end 50 µs late, because the system coalesces
/// timeouts. Timers of Dispatch follow changes of the wall clock.
package final class Alarm: Sendable {
    private let timer: Int32

    /// Returns nil if no file descriptor is left, or if the system has no such timers.
    package init?() {
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

    /// Returns at `time`, after ``ring()``, or early because of a signal.
    package func sleep(until time: DispatchTime) {
        guard time > .now() else { return }
        set(time.uptimeNanoseconds)
        #if os(Linux)
            var expirations: UInt64 = 0
            _ = unsafe read(timer, &expirations, MemoryLayout<UInt64>.size)
        #endif
    }

    /// Wakes the sleeping thread. A thread that is about to fall asleep may miss it. Call it on any thread.
    package func ring() { set(1) }

    private func set(_ nanoseconds: UInt64) {
        #if os(Linux)
            var time = itimerspec()
            time.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
            time.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
            unsafe timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &time, nil)
        #endif
    }
}
