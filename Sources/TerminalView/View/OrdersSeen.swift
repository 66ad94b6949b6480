import StandClient
import TextFormats

/// The orders in the stand, as far as a display has seen them arrive.
struct OrdersSeen: Sendable {
    private var waiting: [UInt64: StatusDocument.Order] = [:]
    private var started: [UInt64: StatusDocument.Order] = [:]

    init() {}

    /// - Parameter making: The orders being made, as the status of an instant lists them.
    init(making: [StatusDocument.Order]) { for order in making { started[order.order] = order } }

    /// The orders being made, the oldest first.
    var making: [StatusDocument.Order] { started.sorted { $0.key < $1.key }.map(\.value) }

    mutating func take(_ event: LedgerEvent) {
        guard let number = event["order"]?.count.map({ UInt64($0) }) else { return }
        switch event.name {
        case "orderPlaced":
            var order = StatusDocument.Order()
            order.juice = event["juice"]?.text ?? ""
            order.cups = event["cups"]?.count ?? 1
            waiting[number] = order
        case "orderStarted":
            started[number] = waiting.removeValue(forKey: number)
            started[number]?.started = event.seconds
        case "orderServed", "orderLost":
            waiting[number] = nil
            started[number] = nil
        default: break
        }
    }
}
