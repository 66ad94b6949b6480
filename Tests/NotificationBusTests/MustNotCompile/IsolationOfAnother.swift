// A function shares state with an observer in the isolation of an actor that is not its own.
import NotificationBus

struct Sold: TypedNotification {}
final class Shared { var count = 0 }
actor Display {}

nonisolated func race(_ center: TypedNotificationCenter, _ display: Display) async -> Int {
    let shared = Shared()
    let token = await center.observe(Sold.self, isolation: display) { _ in shared.count += 1 }
    // error: risks causing data races
    for _ in 0..<1000 { center.post(Sold()) }
    return withExtendedLifetime(token) { shared.count }
}
