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
    ///   - members: Extension members, for programs.
    static func problem(_ type: ProblemType, _ reason: String, _ members: [JSONValue.Member] = []) -> HTTPResponse {
        .problem(type.status, reason, members, type: (type.uri, type.title))
    }

    init(_ error: ControlError) {
        var members: [JSONValue.Member] = []
        let type: ProblemType
        switch error {
        case .notOnMenu(_, let nearest), .unknownFruit(_, let nearest):
            type = if case .notOnMenu = error { .notOnMenu } else { .unknownFruit }
            members = nearest.map { [.init(key: "nearest", value: .string($0))] } ?? []
        case .wouldBeNegative(let fruit, let by), .doesNotFit(let fruit, let by):
            type = if case .wouldBeNegative = error { .notEnoughFruit } else { .shelfFull }
            members = [.init(key: "fruit", value: .string(fruit)), .init(key: "by", value: .integer(Int64(by)))]
        case .isUnlimited(let fruit):
            type = .unlimitedFruit
            members = [.init(key: "fruit", value: .string(fruit))]
        case .tagMismatch(let current):
            type = .stockEdited
            members = [.init(key: "editTag", value: .integer(Int64(current)))]
        case .invalid: type = .invalidValue
        case .keyReused: type = .keyReused
        case .badConfiguration(let problems):
            type = .badConfiguration
            members = [.init(key: "problems", value: .array(problems.map { .string($0) }))]
        case .cannotChange(let keys):
            type = .fixedSetting
            members = [.init(key: "problems", value: .array(keys.map { .string($0) }))]
        case .diskFailing: type = .diskFailing
        case .closed: type = .closed
        case .stopping: type = .stopping
        }
        self = .problem(type, "\(error)", members)
    }
}
