import JuiceStand

/// The reason why a forecast is refused.
package enum ForecastError: Error, Equatable, Sendable {
    case closed
    case replaysTrace
    /// A value that is unknown or out of range.
    case invalid(String)
    /// The forecast exceeds a limit; with the limit in words.
    case tooLarge(String)
    /// The change of the stock is impossible; with the reason in words.
    case cannotEdit(StockEditError, String)
    /// The errors of the changed configuration.
    case badConfiguration([String])
    /// The keys that can't change while the stand is open, each with the reason.
    case cannotChange([String])

    /// One line for each problem.
    package var lines: [String] {
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
