import StandClient
import TextFormats

/// The orders that a display has seen come and not leave.
struct OrdersSeen: Sendable {
    struct Order: Sendable {
        var juice: String
        var cups: Int
        /// Stand time of the start of its first cup.
        var started = 0.0
    }

    private var waiting: [Int: Order] = [:]
    private var started: [Int: Order] = [:]

    init() {}

    /// - Parameter making: The orders being made, as the status of an instant lists them.
    init(making: [StatusDocument.Order]) {
        for order in making {
            let number = Int(clamping: order.order)
            started[number] = Order(juice: order.juice, cups: order.cups, started: order.started ?? 0)
        }
    }

    /// The orders being made, the oldest first.
    var making: [Order] { started.sorted { $0.key < $1.key }.map(\.value) }

    mutating func take(_ event: LedgerEvent) {
        guard let number = event["order"]?.count else { return }
        switch event.name {
        case "orderPlaced":
            waiting[number] = Order(juice: event["juice"]?.text ?? "", cups: event["cups"]?.count ?? 1)
        case "orderStarted":
            started[number] = waiting.removeValue(forKey: number)
            started[number]?.started = event.seconds
        case "orderServed", "orderLost": (waiting[number], started[number]) = (nil, nil)
        default: break
        }
    }
}
