import TextFormats

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
    ///   - members: An object of extension members, for programs.
    ///   - type: A URI that identifies the kind of problem, and its title; nil for the status alone.
    package static func problem(
        _ status: HTTPStatus, _ reason: String, _ members: JSONValue = [:], type: (uri: String, title: String)? = nil
    ) -> HTTPResponse {
        let document: JSONValue = [
            "type": .string(type?.uri ?? "about:blank"), "title": .string(type?.title ?? status.phrase),
            "status": .whole(status.rawValue), "detail": .string(reason),
        ]
        let whole = JSONValue.object(document.members + members.members)
        return HTTPResponse(status, type: "application/problem+json", content: Array(whole.compact().utf8))
    }

    package init(_ refusal: HTTPRefusal) { self = .problem(refusal.status, refusal.reason) }

    /// The response with one more field; `name` in lower case.
    package func with(_ name: String, _ value: String) -> HTTPResponse {
        var response = self
        response.fields.append(name, value)
        return response
    }
}
