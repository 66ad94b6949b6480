import HTTPServer
import StandState
import TextFormats

/// The kinds of problems that programs can act on: the `type` of a problem document.
enum ProblemType: String, CaseIterable {
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
    case closed
    case stopping
    case notReady
    case noForecast
    case forecastTooLarge
    case notKept
    case noInstant

    var uri: String { "urn:juicestand:problem:\(rawValue)" }

    var status: HTTPStatus {
        switch self {
        case .notOnMenu, .unknownFruit, .invalidValue, .keyReused, .badConfiguration, .noForecast: .unprocessableContent
        case .soldOut, .queueFull, .notEnoughFruit, .shelfFull, .unlimitedFruit, .fixedSetting, .unusableSetting,
            .closed, .forecastTooLarge:
            .conflict
        case .stockEdited: .preconditionFailed
        case .diskFailing, .stopping, .notReady: .serviceUnavailable
        case .notKept, .noInstant: .notFound
        }
    }

    /// The same for every problem of this type.
    var title: String {
        switch self {
        case .notOnMenu: "Not on the menu"
        case .unknownFruit: "Unknown fruit"
        case .soldOut: "Sold out"
        case .queueFull: "The queue is full"
        case .notEnoughFruit: "Not enough fruit on the shelf"
        case .shelfFull: "Not enough room on the shelf"
        case .unlimitedFruit: "Unlimited fruit"
        case .stockEdited: "The stock has been edited"
        case .invalidValue: "Invalid value"
        case .keyReused: "Idempotency key used for another change"
        case .badConfiguration: "Invalid configuration"
        case .fixedSetting: "A running stand can't change this setting"
        case .unusableSetting: "Invalid setting"
        case .diskFailing: "The change can't be saved"
        case .closed: "The stand has closed"
        case .stopping: "The stand is stopping"
        case .notReady: "The stand is not ready"
        case .noForecast: "This stand has no forecast"
        case .forecastTooLarge: "The forecast is too large"
        case .notKept: "The lines of that instant are not kept"
        case .noInstant: "No such instant"
        }
    }
}

extension HTTPResponse {
    /// - Parameters:
    ///   - reason: One sentence for the user.
    ///   - members: An object of extension members, for programs.
    static func problem(_ type: ProblemType, _ reason: String, _ members: JSONValue = [:]) -> HTTPResponse {
        .problem(type.status, reason, members, type: (type.uri, type.title))
    }

    init(_ error: ControlError) {
        let (type, members): (ProblemType, JSONValue) =
            switch error {
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
            case .closed: (.closed, [:])
            case .stopping: (.stopping, [:])
            }
        self = .problem(type, "\(error)", members)
    }
}
