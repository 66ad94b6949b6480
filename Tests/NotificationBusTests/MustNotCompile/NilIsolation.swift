// A function without an isolation shares state that is not Sendable with its observer.
import NotificationBus

struct Sold: TypedNotification {}
final class Shared { var count = 0 }

nonisolated func race(_ center: TypedNotificationCenter) -> Int {
    let shared = Shared()
    let token = center.observe(Sold.self, isolation: nil) { _ in shared.count += 1 }
    // error: capture of 'shared' with non-Sendable type 'Shared' in a '@Sendable' closure
    for _ in 0..<1000 { center.post(Sold()) }
    return withExtendedLifetime(token) { shared.count }
}
