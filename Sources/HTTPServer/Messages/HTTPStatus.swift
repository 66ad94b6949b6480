/// The status codes that the server answers with, each with the reason phrase of RFC 9110, or of the document that
/// defines the code.
package enum HTTPStatus: String, CaseIterable, Sendable {
    case ok = "200 OK"
    case created = "201 Created"
    case noContent = "204 No Content"
    case notModified = "304 Not Modified"
    case badRequest = "400 Bad Request"
    case unauthorized = "401 Unauthorized"
    case forbidden = "403 Forbidden"
    case notFound = "404 Not Found"
    case methodNotAllowed = "405 Method Not Allowed"
    case requestTimeout = "408 Request Timeout"
    case conflict = "409 Conflict"
    case preconditionFailed = "412 Precondition Failed"
    case contentTooLarge = "413 Content Too Large"
    case targetTooLong = "414 URI Too Long"
    case unsupportedMediaType = "415 Unsupported Media Type"
    case expectationFailed = "417 Expectation Failed"
    case misdirectedRequest = "421 Misdirected Request"
    case unprocessableContent = "422 Unprocessable Content"
    case fieldsTooLarge = "431 Request Header Fields Too Large"
    case internalServerError = "500 Internal Server Error"
    case notImplemented = "501 Not Implemented"
    case serviceUnavailable = "503 Service Unavailable"
    case versionNotSupported = "505 HTTP Version Not Supported"

    package var code: Int { Int(rawValue.prefix(3))! }

    package var phrase: String { String(rawValue.dropFirst(4)) }

    /// Whether a response of this status has content.
    var hasContent: Bool { self != .noContent && self != .notModified }
}

/// Why a request is refused.
package struct HTTPRefusal: Error, Equatable, Sendable {
    package let status: HTTPStatus
    /// One sentence for the author of the client.
    package let reason: String

    package init(_ status: HTTPStatus, _ reason: String) {
        self.status = status
        self.reason = reason
    }
}
