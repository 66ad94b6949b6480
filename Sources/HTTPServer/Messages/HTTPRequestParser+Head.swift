// MARK: - The request line

extension HTTPRequestParser {
    /// Reads `METHOD TARGET HTTP/1.1`, with exactly one space between the parts.
    mutating func readRequestLine(_ line: Range<Int>) throws(HTTPRefusal) {
        if line.isEmpty, !skippedEmptyLine {
            // RFC 9112, 2.2: some clients send an extra line end after the previous content.
            skippedEmptyLine = true
            return
        }
        let bytes = buffer[line]
        guard let first = bytes.firstIndex(of: 0x20), let last = bytes.lastIndex(of: 0x20), line.lowerBound < first,
            first < last, bytes[..<first].allSatisfy(HTTPGrammar.isToken)
        else { throw HTTPRefusal(.badRequest, "the request line must be a method, a target and a version") }
        request.minorVersion = try Self.minorVersion(bytes[(last + 1)...])
        guard let method = HTTPMethod(rawValue: String(decoding: bytes[..<first], as: UTF8.self)) else {
            throw HTTPRefusal(.notImplemented, "unknown method")
        }
        request.method = method
        // An extra space belongs to the target, which refuses it.
        try readTarget(bytes[(first + 1)..<last])
        headLeft -= min(headLeft, line.count)
        phase = .fields
    }

    private static func minorVersion(_ text: ArraySlice<UInt8>) throws(HTTPRefusal) -> Int {
        let digits = [5, 7].map { text.startIndex + $0 }
        guard text.count == 8, text.starts(with: "HTTP/".utf8), text[text.startIndex + 6] == UInt8(ascii: "."),
            digits.allSatisfy({ HTTPGrammar.isDigit(text[$0]) })
        else { throw HTTPRefusal(.badRequest, "unknown HTTP version") }
        guard text[digits[0]] == UInt8(ascii: "1") else {
            throw HTTPRefusal(.versionNotSupported, "only HTTP/1.0 and HTTP/1.1 are supported")
        }
        // RFC 9110, 2.5: a later minor version counts as the latest known one.
        return text[digits[1]] == UInt8(ascii: "0") ? 0 : 1
    }

    /// Reads `/path?query`, `http://host/path?query`, or `*` with OPTIONS.
    private mutating func readTarget(_ target: ArraySlice<UInt8>) throws(HTTPRefusal) {
        if target.elementsEqual("*".utf8), request.method == .options {
            request.path = "*"
            return
        }
        var rest = target
        let scheme = "http://"
        if rest.prefix(scheme.utf8.count).lowercasedASCII() == scheme {
            rest = rest.dropFirst(scheme.utf8.count)
            let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
            guard rest.startIndex < end, HTTPGrammar.areOfHost(rest[..<end]) else {
                throw HTTPRefusal(.badRequest, "the target must name a host")
            }
            request.authority = rest[..<end].lowercasedASCII()
            rest = rest[end...]
            if rest.first != UInt8(ascii: "/") { rest = [UInt8(ascii: "/")] + rest }
        }
        guard rest.first == UInt8(ascii: "/") else {
            throw HTTPRefusal(.badRequest, "the target must begin with a slash")
        }
        guard HTTPGrammar.areOfTarget(rest) else {
            throw HTTPRefusal(
                .badRequest,
                "the target has a character that must be percent-encoded, or an incomplete percent-encoding")
        }
        let question = rest.firstIndex(of: UInt8(ascii: "?"))
        request.path = String(decoding: rest[..<(question ?? rest.endIndex)], as: UTF8.self)
        request.query = question.map { String(decoding: rest[($0 + 1)...], as: UTF8.self) }
    }
}

// MARK: - Fields

extension HTTPRequestParser {
    /// One line `name: value`; the name in lower case.
    mutating func field(_ line: Range<Int>) throws(HTTPRefusal) -> HTTPFields.Field {
        guard fieldsLeft > 0 else { throw HTTPRefusal(.fieldsTooLarge, "too many fields") }
        fieldsLeft -= 1
        let bytes = buffer[line]
        guard !HTTPGrammar.isSpace(bytes[line.lowerBound]) else {
            throw HTTPRefusal(.badRequest, "a field must not continue on the next line")
        }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > line.lowerBound,
            bytes[..<colon].allSatisfy(HTTPGrammar.isToken)
        else { throw HTTPRefusal(.badRequest, "a field must be a name, a colon directly behind it, and a value") }
        var value = bytes[(colon + 1)...]
        while let first = value.first, HTTPGrammar.isSpace(first) { value.removeFirst() }
        while let last = value.last, HTTPGrammar.isSpace(last) { value.removeLast() }
        // As Latin-1, so that different bytes are different texts, whatever they mean to the client.
        var text = String.UnicodeScalarView()
        text.append(contentsOf: value.lazy.map { Unicode.Scalar($0) })
        return HTTPFields.Field(name: bytes[..<colon].lowercasedASCII(), value: String(text))
    }

    /// Evaluates the fields about the host, the connection and the content.
    ///
    /// - Returns: The phase that reads the content.
    mutating func framing() throws(HTTPRefusal) -> Phase {
        try readHost()
        let options = request.fields["connection"].map(Self.list) ?? []
        request.keepsConnection =
            !options.contains("close") && (request.minorVersion == 1 || options.contains("keep-alive"))
        let codings = request.fields["transfer-encoding"]
        let lengths = request.fields.count(of: "content-length")
        if let codings {
            guard lengths == 0 else {
                throw HTTPRefusal(
                    .badRequest, "Content-Length must not stand beside Transfer-Encoding")
            }
            guard request.minorVersion == 1 else { throw HTTPRefusal(.badRequest, "HTTP/1.0 has no Transfer-Encoding") }
            let names = Self.list(codings)
            guard names.last == "chunked", !names.dropLast().contains("chunked") else {
                throw HTTPRefusal(.badRequest, "Transfer-Encoding must end in chunked, and have it once")
            }
            guard names.count == 1 else {
                throw HTTPRefusal(.notImplemented, "the only supported Transfer-Encoding is chunked")
            }
            return .chunkSize
        }
        guard lengths > 0 else { return .complete }
        guard lengths == 1, let text = request.fields["content-length"], !text.isEmpty,
            text.utf8.allSatisfy(HTTPGrammar.isDigit)
        else { throw HTTPRefusal(.badRequest, "Content-Length must be one decimal number") }
        // A number that fits no integer is too large as well.
        guard let length = Int(text), length <= limits.content else { throw contentTooLarge }
        return length == 0 ? .complete : .content(left: length)
    }

    private mutating func readHost() throws(HTTPRefusal) {
        let hosts = request.fields.count(of: "host")
        guard hosts == 1 || (hosts == 0 && request.minorVersion == 0) else {
            throw HTTPRefusal(.badRequest, "there must be one Host field, found \(hosts)")
        }
        guard let host = request.fields["host"] else { return }
        guard HTTPGrammar.areOfHost(Array(host.utf8)[...]) else {
            throw HTTPRefusal(.badRequest, "Host must be a name or an address, with or without a port")
        }
        // RFC 9112, 3.2.2: a host in the target takes precedence.
        if request.authority.isEmpty { request.authority = host.utf8.lowercasedASCII() }
    }

    func expectsContinue() throws(HTTPRefusal) -> Bool {
        guard request.minorVersion == 1, let expectation = request.fields["expect"] else { return false }
        guard expectation.utf8.lowercasedASCII() == "100-continue" else {
            throw HTTPRefusal(.expectationFailed, "the only supported expectation is 100-continue")
        }
        return true
    }

    /// The elements of a comma-separated value, in lower case. Empty elements don't count (RFC 9110, 5.6.1).
    private static func list(_ value: String) -> [String] {
        value.utf8.lowercasedASCII().split(separator: ",").map { element in
            String(element.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }
        .filter { !$0.isEmpty }
    }
}
