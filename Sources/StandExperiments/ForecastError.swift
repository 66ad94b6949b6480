import JuiceStand
import Platform

/// Why a stand has no futures, or not those asked for.
package enum ForecastError: Error, Equatable, Sendable {
    case closed
    case replaysTrace
    /// A value that is unknown or out of range.
    case invalid(Message)
    /// More than the forecast of this stand may take; with what is possible.
    case tooLarge(Message)
    /// The stock does not allow a change of it; with the reason in words.
    case cannotEdit(StockEditError, Message)
    /// The errors of the changed configuration.
    case badConfiguration([Message])
    /// The keys that can't change while the stand is open, each with the reason.
    case cannotChange([Message])

    /// One line for each problem.
    package var lines: [Message] {
        switch self {
        case .closed: ["the stand has closed"]
        case .replaysTrace:
            [
                "a stand that replays recorded orders has no law of arrivals to forecast from; juicestand fit makes "
                    + "one of the orders"
            ]
        case .invalid(let problem), .tooLarge(let problem), .cannotEdit(_, let problem): [problem]
        case .badConfiguration(let problems), .cannotChange(let problems): problems
        }
    }
}
