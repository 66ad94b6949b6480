import HTTPServer
import StandState
import TextFormats

/// The kinds of problems that programs can act on: the `type` of a problem document.
package enum ProblemType: String, CaseIterable, Sendable {
    case notOnMenu
    case unknownFruit
    case soldOut
    case queueFull
    case notEnoughFruit
    case shelfFull
    case unlimitedFruit
    case stockEdited
    case invalidValue
    case keyReused
    case badConfiguration
    case fixedSetting
    case unusableSetting
    case diskFailing
    case inDoubt
    case closed
    case stopping
    case notReady
    case noForecast
    case forecastTooLarge
    case notKept
    case noInstant

    var uri: String { "urn:juicestand:problem:\(rawValue)" }

    var status: HTTPStatus { entry.status }

    /// The same for every problem of this type.
    var title: String { entry.title }

    private var entry: (status: HTTPStatus, title: String) {
        switch self {
        case .notOnMenu: (.unprocessableContent, "Not on the menu")
        case .unknownFruit: (.unprocessableContent, "Unknown fruit")
        case .soldOut: (.conflict, "Sold out")
        case .queueFull: (.conflict, "The queue is full")
        case .notEnoughFruit: (.conflict, "Not enough fruit on the shelf")
        case .shelfFull: (.conflict, "Not enough room on the shelf")
        case .unlimitedFruit: (.conflict, "Unlimited fruit")
        case .stockEdited: (.preconditionFailed, "The stock has been edited")
        case .invalidValue: (.unprocessableContent, "Invalid value")
        case .keyReused: (.unprocessableContent, "Idempotency key used for another change")
        case .badConfiguration: (.unprocessableContent, "Invalid configuration")
        case .fixedSetting: (.conflict, "A running stand can't change this setting")
        case .unusableSetting: (.conflict, "Invalid setting")
        case .diskFailing: (.serviceUnavailable, "The change can't be saved")
        case .inDoubt: (.internalServerError, "The outcome is in doubt until the next start")
        case .closed: (.conflict, "The stand has closed")
        case .stopping: (.serviceUnavailable, "The stand is stopping")
        case .notReady: (.serviceUnavailable, "The stand is not ready")
        case .noForecast: (.unprocessableContent, "This stand has no forecast")
        case .forecastTooLarge: (.conflict, "The forecast is too large")
        case .notKept: (.notFound, "The lines of that instant are not kept")
        case .noInstant: (.notFound, "No such instant")
        }
    }
}

/// Why a request was not fulfilled.
package struct Problem: Sendable {
    package var type: ProblemType
    /// One sentence for the user.
    package var reason: String
    /// An object with values for programs.
    package var members: JSONValue = [:]
}

extension HTTPResponse {
    init(_ problem: Problem) {
        let type = problem.type
        self = .problem(type.status, problem.reason, problem.members, type: (type.uri, type.title))
    }

    static func problem(_ type: ProblemType, _ reason: String, _ members: JSONValue = [:]) -> HTTPResponse {
        HTTPResponse(Problem(type: type, reason: reason, members: members))
    }
}

extension ControlError {
    package var problem: Problem {
        let (type, members): (ProblemType, JSONValue) =
            switch self {
            case .notOnMenu(_, let nearest): (.notOnMenu, ["nearest": nearest.map { .string($0) }])
            case .unknownFruit(_, let nearest): (.unknownFruit, ["nearest": nearest.map { .string($0) }])
            case .wouldBeNegative(let fruit, let by): (.notEnoughFruit, ["fruit": .string(fruit), "by": .whole(by)])
            case .doesNotFit(let fruit, let by): (.shelfFull, ["fruit": .string(fruit), "by": .whole(by)])
            case .isUnlimited(let fruit): (.unlimitedFruit, ["fruit": .string(fruit)])
            case .tagMismatch(let current): (.stockEdited, ["editTag": .whole(current)])
            case .invalid: (.invalidValue, [:])
            case .keyReused: (.keyReused, [:])
            case .badConfiguration(let problems): (.badConfiguration, ["problems": .strings(problems)])
            case .cannotChange(let keys): (.fixedSetting, ["problems": .strings(keys)])
            case .diskFailing: (.diskFailing, [:])
            case .inDoubt: (.inDoubt, [:])
            case .closed: (.closed, [:])
            case .stopping: (.stopping, [:])
            }
        return Problem(type: type, reason: "\(self)", members: members)
    }
}
