import HTTPServer
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

    package var uri: String { "urn:juicestand:problem:\(rawValue)" }

    package var status: HTTPStatus { entry.status }

    /// The same for every problem of this type.
    package var title: String { entry.title }

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

/// Why a request was not fulfilled (RFC 9457).
package struct ProblemDocument: Document {
    /// The URI of a ``ProblemType``, or `about:blank` for a problem of HTTP alone.
    package var type = ""
    package var title = ""
    package var status = 0
    /// One sentence for the user, in English.
    package var detail = ""
    /// The number of a lost order.
    package var order: UInt64?
    /// Why the order was lost.
    package var reason: String?
    /// The fruit that lacks pieces or room.
    package var fruit: String?
    /// The number of pieces that it lacks or has no room for.
    package var by: Int?
    /// The number of pieces that a juice lacks.
    package var missing: Int?
    /// The juices that could be made instead.
    package var instead: [String]?
    /// The nearest known name.
    package var nearest: String?
    /// The current edit tag of the stock.
    package var editTag: UInt64?
    /// The errors of a configuration.
    package var problems: [String]?
    /// Why the stand is not ready.
    package var causes: [String]?

    package init() {}

    package init(_ type: ProblemType, _ detail: String) {
        self.type = type.uri
        title = type.title
        status = type.status.code
        self.detail = detail
    }

    package static let fields: [DocumentField<Self>] = [
        .init("type", \.type, schema: types), .init("title", \.title), .init("status", \.status),
        .init("detail", \.detail), .init(optional: "order", \.order),
        .init(optional: "reason", \.reason, schema: ["enum": ["soldOut", "queueFull"]]),
        .init(optional: "fruit", \.fruit), .init(optional: "by", \.by), .init(optional: "missing", \.missing),
        .init(optional: "instead", \.instead), .init(optional: "nearest", \.nearest),
        .init(optional: "editTag", \.editTag), .init(optional: "problems", \.problems),
        .init(optional: "causes", \.causes),
    ]

    private static let types: JSONValue = [
        "type": "string", "enum": .strings(["about:blank"] + ProblemType.allCases.map(\.uri)),
        "description": .string(
            "about:blank is a problem of HTTP alone. "
                + ProblemType.allCases.map { "\($0.rawValue) (\($0.status.code)): \($0.title)" }
                .joined(separator: "; ")),
    ]

    /// The last part of the type; empty for another program's type.
    package var kind: String { type.split(separator: ":").last.map(String.init) ?? "" }
}
