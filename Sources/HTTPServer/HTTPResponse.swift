import TextFormats

/// A complete response.
package struct HTTPResponse: Equatable, Sendable {
    package var status: HTTPStatus
    /// The connection adds the date and the fields that frame the message.
    package var fields: HTTPFields
    package var content: [UInt8]

    package init(_ status: HTTPStatus = .ok, type: String? = nil, content: [UInt8] = []) {
        self.status = status
        self.content = content
        fields = HTTPFields()
        if let type { fields.append("content-type", type) }
    }

    /// A problem document of RFC 9457.
    ///
    /// - Parameters:
    ///   - reason: One sentence for the user.
    ///   - members: Extension members, for programs.
    ///   - type: A URI that identifies the kind of problem, and its title; nil for the status alone.
    package static func problem(
        _ status: HTTPStatus, _ reason: String, _ members: [JSONValue.Member] = [],
        type: (uri: String, title: String)? = nil
    ) -> HTTPResponse {
        let document = JSONValue.object(
            [
                .init(key: "type", value: .string(type?.uri ?? "about:blank")),
                .init(key: "title", value: .string(type?.title ?? status.phrase)),
                .init(key: "status", value: .integer(Int64(status.rawValue))),
                .init(key: "detail", value: .string(reason)),
            ] + members)
        return HTTPResponse(status, type: "application/problem+json", content: Array(document.compact().utf8))
    }

    package init(_ refusal: HTTPRefusal) {
        self = .problem(refusal.status, refusal.reason)
    }

    /// The response with one more field; `name` in lower case.
    package func with(_ name: String, _ value: String) -> HTTPResponse {
        var response = self
        response.fields.append(name, value)
        return response
    }
}
