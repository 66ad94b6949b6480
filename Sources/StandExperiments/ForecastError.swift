import JuiceStand

/// Why a stand has no futures, or not those asked for.
package enum ForecastError: Error, Equatable, Sendable {
    case closed
    case replaysTrace
    /// A value that is unknown or out of range.
    case invalid(String)
    /// More than the forecast of this stand may take; with what is possible.
    case tooLarge(String)
    /// The stock does not allow a change of it; with the reason in words.
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
