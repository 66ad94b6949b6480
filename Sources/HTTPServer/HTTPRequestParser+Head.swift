// MARK: - The request line

extension HTTPRequestParser {
    /// Reads `METHOD TARGET HTTP/1.1`, with exactly one space between the parts.
    mutating func readRequestLine(_ line: Range<Int>) throws(HTTPRefusal) {
        if line.isEmpty, !skippedEmptyLine {
            // RFC 9112, 2.2: some clients send one line end too many after the content before.
            skippedEmptyLine = true
            return
        }
        let bytes = buffer[line]
        guard let first = bytes.firstIndex(of: 0x20), let last = bytes.lastIndex(of: 0x20), line.lowerBound < first,
            first < last, bytes[..<first].allSatisfy(HTTPGrammar.isToken)
        else { throw HTTPRefusal(.badRequest, "the request line is not a method, a target and a version") }
        request.minorVersion = try Self.minorVersion(bytes[(last + 1)...])
        guard let method = HTTPMethod(rawValue: String(decoding: bytes[..<first], as: UTF8.self)) else {
            throw HTTPRefusal(.notImplemented, "the method is not one this service knows")
        }
        request.method = method
        // A space too many is one of the target's, where none may be.
        try readTarget(bytes[(first + 1)..<last])
        headLeft -= min(headLeft, line.count)
        phase = .fields
    }

    private static func minorVersion(_ text: ArraySlice<UInt8>) throws(HTTPRefusal) -> Int {
        let digits = [5, 7].map { text.startIndex + $0 }
        guard text.count == 8, text.starts(with: "HTTP/".utf8), text[text.startIndex + 6] == UInt8(ascii: "."),
            digits.allSatisfy({ HTTPGrammar.isDigit(text[$0]) })
        else { throw HTTPRefusal(.badRequest, "the version is not one of HTTP") }
        guard text[digits[0]] == UInt8(ascii: "1") else {
            throw HTTPRefusal(.versionNotSupported, "only versions 1.0 and 1.1 of HTTP are spoken here")
        }
        // A later minor version is one this server may take for the latest it knows: RFC 9110, 2.5.
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
                throw HTTPRefusal(.badRequest, "the target does not name a host")
            }
            request.authority = rest[..<end].lowercasedASCII()
            rest = rest[end...]
            if rest.first != UInt8(ascii: "/") { rest = [UInt8(ascii: "/")] + rest }
        }
        guard rest.first == UInt8(ascii: "/") else {
            throw HTTPRefusal(.badRequest, "the target does not begin with a slash")
        }
        guard HTTPGrammar.areOfTarget(rest) else {
            throw HTTPRefusal(.badRequest, "the target holds what must be percent-encoded, or a percent sign alone")
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
        guard fieldsLeft > 0 else { throw HTTPRefusal(.fieldsTooLarge, "there are too many fields") }
        fieldsLeft -= 1
        let bytes = buffer[line]
        guard !HTTPGrammar.isSpace(bytes[line.lowerBound]) else {
            throw HTTPRefusal(.badRequest, "a field goes on in the next line, which RFC 9112 has given up")
        }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > line.lowerBound,
            bytes[..<colon].allSatisfy(HTTPGrammar.isToken)
        else { throw HTTPRefusal(.badRequest, "a field is not a name, a colon at once, and a value") }
        var value = bytes[(colon + 1)...]
        while let first = value.first, HTTPGrammar.isSpace(first) { value.removeFirst() }
        while let last = value.last, HTTPGrammar.isSpace(last) { value.removeLast() }
        return HTTPFields.Field(name: bytes[..<colon].lowercasedASCII(), value: String(decoding: value, as: UTF8.self))
    }

    /// What the fields say about the host, the connection and the content.
    ///
    /// - Returns: How the content is to be read.
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
                    .badRequest, "Content-Length beside Transfer-Encoding: where the content ends is unclear")
            }
            guard request.minorVersion == 1 else {
                throw HTTPRefusal(.badRequest, "Transfer-Encoding is not of HTTP/1.0")
            }
            let names = Self.list(codings)
            guard names.last == "chunked", !names.dropLast().contains("chunked") else {
                throw HTTPRefusal(.badRequest, "Transfer-Encoding must end in chunked, once")
            }
            guard names.count == 1 else {
                throw HTTPRefusal(.notImplemented, "the only Transfer-Encoding known here is chunked")
            }
            return .chunkSize
        }
        guard lengths > 0 else { return .complete }
        guard lengths == 1, let text = request.fields["content-length"], !text.isEmpty,
            text.utf8.allSatisfy(HTTPGrammar.isDigit)
        else { throw HTTPRefusal(.badRequest, "Content-Length must be one number, of digits alone") }
        // Digits that fit no integer are a number all the same, and one that is too large.
        guard let length = Int(text), length <= limits.content else { throw contentTooLarge }
        return length == 0 ? .complete : .content(left: length)
    }

    private mutating func readHost() throws(HTTPRefusal) {
        let hosts = request.fields.count(of: "host")
        guard hosts == 1 || (hosts == 0 && request.minorVersion == 0) else {
            throw HTTPRefusal(.badRequest, "there must be one Host, and there are \(hosts)")
        }
        guard let host = request.fields["host"] else { return }
        guard HTTPGrammar.areOfHost(Array(host.utf8)[...]) else {
            throw HTTPRefusal(.badRequest, "Host must be a name or an address, and perhaps a port")
        }
        // RFC 9112, 3.2.2: where the target names a host, it alone counts.
        if request.authority.isEmpty { request.authority = host.utf8.lowercasedASCII() }
    }

    func expectsContinue() throws(HTTPRefusal) -> Bool {
        guard request.minorVersion == 1, let expectation = request.fields["expect"] else { return false }
        guard expectation.utf8.lowercasedASCII() == "100-continue" else {
            throw HTTPRefusal(.expectationFailed, "the only expectation known here is 100-continue")
        }
        return true
    }

    /// The elements of a comma-separated value, in lower case.
    private static func list(_ value: String) -> [String] {
        value.utf8.lowercasedASCII().split(separator: ",", omittingEmptySubsequences: false).map { element in
            String(element.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }
    }
}
