// The same with the isolation of the caller, who has none.
import NotificationBus

struct Sold: TypedNotification {}
final class Shared { var count = 0 }

nonisolated func race(_ center: TypedNotificationCenter) -> Int {
    let shared = Shared()
    let token = center.observe(Sold.self, isolation: #isolation) { _ in shared.count += 1 }
    // error: 'nil' is not compatible with expected argument type 'any Actor'
    for _ in 0..<1000 { center.post(Sold()) }
    return withExtendedLifetime(token) { shared.count }
}
