import StandClient
import TextFormats

/// The orders that a display has seen come and not leave.
struct OrdersSeen: Sendable {
    private var orders: [UInt64: StatusDocument.Order] = [:]

    /// - Parameter making: The orders being made, as the status of an instant lists them.
    init(making: [StatusDocument.Order] = []) {
        for order in making { orders[order.order] = order.with(\.started, order.started ?? 0) }
    }

    /// The orders being made, the oldest first.
    var making: [StatusDocument.Order] {
        orders.filter { $0.value.started != nil }.sorted { $0.key < $1.key }.map(\.value)
    }

    mutating func take(_ event: LedgerEvent) {
        guard let number = event["order"]?.count.map({ UInt64($0) }) else { return }
        switch event.name {
        case "orderPlaced":
            var order = StatusDocument.Order()
            order.juice = event["juice"]?.text ?? ""
            order.cups = event["cups"]?.count ?? 1
            orders[number] = order
        case "orderStarted": orders[number]?.started = event.seconds
        case "orderServed", "orderLost": orders[number] = nil
        default: break
        }
    }
}
