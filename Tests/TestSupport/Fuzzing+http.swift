import HTTPServer

// What must be true of any bytes that are given to the parser. Asked by the tests of the package, and by
// `scripts/soak fuzz`.

/// Stops the program if reading `bytes` breaks a promise.
package func checkHTTP(_ bytes: [UInt8]) {
    let whole = readHTTP([bytes[...]])
    precondition(readHTTP(bytes.indices.map { bytes[$0...$0] }) == whole, "byte by byte, something else is read")
    let middle = bytes.count / 2
    precondition(readHTTP([bytes[..<middle], bytes[middle...]]) == whole, "in two halves, something else is read")
    for request in whole.requests {
        let again = readHTTP([written(request)[...]])
        precondition(again.requests == [request] && again.refusal == nil, "what was read is not read again")
    }
}

/// The result of parsing bytes.
package struct HTTPReading: Equatable {
    package var requests: [HTTPRequest] = []
    package var continuations = 0
    package var refusal: HTTPRefusal?

    package init(requests: [HTTPRequest] = [], continuations: Int = 0, refusal: HTTPRefusal? = nil) {
        self.requests = requests
        self.continuations = continuations
        self.refusal = refusal
    }
}

/// Gives a parser bytes in pieces.
package func readHTTP(_ pieces: [ArraySlice<UInt8>], limits: HTTPLimits = HTTPLimits()) -> HTTPReading {
    var parser = HTTPRequestParser(limits: limits)
    var reading = HTTPReading()
    for piece in pieces {
        parser.append(piece)
        do throws(HTTPRefusal) {
            while let event = try parser.next() {
                switch event {
                case .head: break
                case .awaitsContinue: reading.continuations += 1
                case .request(let request): reading.requests.append(request)
                }
            }
        } catch {
            reading.refusal = error
            return reading
        }
    }
    return reading
}

/// The simplest bytes of a request: the same fields in the same order, and its content.
private func written(_ request: HTTPRequest) -> [UInt8] {
    let query = request.query.map { "?" + $0 } ?? ""
    var text = "\(request.method.rawValue) \(request.path)\(query) HTTP/1.\(request.minorVersion)\r\n"
    // Where the target named another host than Host does, it has to again.
    if !request.authority.isEmpty, request.fields["host"]?.lowercased() != request.authority {
        text = text.replacing(" /", with: " http://\(request.authority)/", maxReplacements: 1)
    }
    for field in request.fields.all { text += "\(field.name): \(field.value)\r\n" }
    // Fields are read as Latin-1.
    var bytes = (text + "\r\n").unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    guard request.fields["transfer-encoding"] != nil else { return bytes + request.content }
    if !request.content.isEmpty {
        bytes += Array(String(request.content.count, radix: 16).utf8) + [0x0D, 0x0A] + request.content + [0x0D, 0x0A]
    }
    return bytes + Array("0\r\n\r\n".utf8)
}
