import TextFormats

/// The head of an HTTP answer.
struct AnswerHead: Equatable {
    let status: Int
    /// The length of the content in bytes; nil if the head has none.
    let length: Int?
    /// Where a redirect leads.
    let location: String?

    /// - Parameter bytes: The head without the empty line.
    /// - Returns: nil for anything else, and if the length is no number from 0.
    init?(_ bytes: some Collection<UInt8>) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
        guard let first = lines.first, first.hasPrefix("HTTP/1."),
            let status = first.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        func field(_ name: String) -> String? {
            lines.dropFirst().lazy.map { $0.split(separator: ":", maxSplits: 1) }
                .first { $0.count == 2 && $0[0].lowercased() == name }.map { $0[1].trimmed }
        }
        let length = field("content-length").map { Int($0) ?? -1 }
        guard length ?? 0 >= 0 else { return nil }
        self.status = status
        self.length = length
        location = field("location")
    }

    /// Why no document and no events of a stand follow; nil if they do.
    var problem: String? {
        if let location, (300..<400).contains(status) {
            return "it redirects to \(location.prefix(200)); name that address"
        }
        return status == 200 ? nil : "it answers with status \(status)"
    }
}

/// Takes an answer of a stand apart as it arrives: its head, then its content or Server-Sent Events.
///
/// Keeps at most ``mostOfDocument`` bytes of a document or ``mostOfEvent`` bytes of an event that is not complete,
/// whatever the peer sends and in whatever pieces. All figures in what it returns are those of ``Figures``, from 0.
struct AnswerReader {
    /// A complete part of an answer.
    enum Item: Equatable {
        /// A line of the ledger, without its line feed.
        case line(ArraySlice<UInt8>, sequence: UInt64)
        /// The events between these numbers are lost, at least one; `first` is the next one. If `first` is not after
        /// `after`, another stand answers.
        case gap(after: UInt64, first: UInt64)
        /// A heartbeat, or what only browsers need.
        case sign
        /// A complete answer, which may be a refusal. Nothing follows.
        case answer(AnswerHead, content: ArraySlice<UInt8>)
        /// The peer does not speak as a stand does. Nothing follows.
        case fault(reason: String)
        /// The connection failed or was closed before the answer was complete. Nothing follows.
        case broken(reason: String)
    }

    private struct Fault: Error { let reason: String }

    /// The most bytes of a document. The status of a stand with 64 fruits is far shorter.
    static let mostOfDocument = 8 << 20
    /// The most bytes of an event. The longest line of a stand is far shorter.
    static let mostOfEvent = 1 << 20

    /// Whether the answer is a stand's events and not a document.
    let isStream: Bool
    private var head: AnswerHead?
    private var bytes: [UInt8] = []
    /// The index in ``bytes`` at which the search for the end of the head or of an event goes on.
    private var scanned = 0

    init(isStream: Bool) { self.isStream = isStream }

    /// Takes what has arrived; returns what is complete.
    mutating func take(_ piece: ArraySlice<UInt8>) -> [Item] {
        bytes += piece
        var items: [Item] = []
        do throws(Fault) {
            try readHead()
            guard let head else { return [] }
            if isStream {
                try readEvents(into: &items)
                try checkLength(of: "a line that it sends", Self.mostOfEvent)
            } else {
                if let length = head.length, bytes.count >= length {
                    return [.answer(head, content: bytes.prefix(length))]
                }
                try checkLength(of: "its answer", Self.mostOfDocument)
            }
        } catch {
            items.append(.fault(reason: error.reason))
        }
        return items
    }

    /// The peer has finished. Only an answer without a length is complete then.
    func end() -> Item {
        guard !isStream, let head, head.length == nil else {
            return .broken(reason: "the stand closed the connection")
        }
        return .answer(head, content: bytes[...])
    }

    private mutating func readHead() throws(Fault) {
        guard head == nil else { return }
        // A record of TLS: an alert, or a handshake.
        if bytes.count > 1, bytes[0] == 0x15 || bytes[0] == 0x16, bytes[1] == 3 {
            throw Fault(reason: "it speaks TLS; name a local proxy instead (see juicestand help security)")
        }
        guard bytes.starts(with: "HTTP/1.".utf8.prefix(bytes.count)) else { throw Self.noHTTP }
        guard let end = bytes[max(0, scanned - 3)...].firstRange(of: Array("\r\n\r\n".utf8)) else {
            scanned = bytes.count
            return try checkLength(of: "the head of its answer", Self.mostOfEvent)
        }
        guard let head = AnswerHead(bytes[..<end.lowerBound]) else { throw Self.noHTTP }
        if isStream, let problem = head.problem { throw Fault(reason: problem) }
        self.head = head
        bytes.removeSubrange(..<end.upperBound)
        scanned = 0
    }

    /// Reads the events up to the last empty line.
    private mutating func readEvents(into items: inout [Item]) throws(Fault) {
        let lineFeed = UInt8(ascii: "\n")
        var start = 0
        while let found = bytes[scanned...].firstIndex(of: lineFeed) {
            scanned = found
            guard found + 1 < bytes.count else { break }
            scanned += 1
            guard bytes[scanned] == lineFeed else { continue }
            scanned += 1
            if let item = try item(bytes[start..<found]) { items.append(item) }
            start = scanned
        }
        if bytes.last != lineFeed { scanned = bytes.count }
        // Without a complete event nothing is copied, because a long line may come byte by byte.
        guard start > 0 else { return }
        bytes = Array(bytes[start...])
        scanned -= start
    }

    private func checkLength(of what: String, _ most: Int) throws(Fault) {
        guard bytes.count <= most else {
            throw Fault(reason: "not a juice stand: \(what) is longer than \(most >> 20) MB")
        }
    }

    private static let noHTTP = Fault(reason: "not a juice stand: no HTTP answer")

    /// Parses one Server-Sent Event: one field per line.
    ///
    /// - Returns: nil for an event of a later version.
    private func item(_ block: ArraySlice<UInt8>) throws(Fault) -> Item? {
        var id: ArraySlice<UInt8>?
        var name: ArraySlice<UInt8>?
        var lines: [ArraySlice<UInt8>] = []
        var isSign = false
        for line in block.split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: "data: ".utf8) {
                lines.append(line.dropFirst(6))
            } else if line.starts(with: "id: ".utf8) {
                id = line.dropFirst(4)
            } else if line.starts(with: "event: ".utf8) {
                name = line.dropFirst(7)
            } else if line.first == UInt8(ascii: ":") || line.starts(with: "retry: ".utf8) {
                isSign = true
            }
        }
        if let name { return try item(named: name, lines.first ?? []) }
        if lines.isEmpty, isSign { return .sign }
        let text = id.map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard let id = Int(text), 0...Figures.most ~= id, lines.count == 1, Self.isLine(lines[0], id) else {
            throw Fault(reason: "not a juice stand: it sends no lines of a ledger")
        }
        return .line(lines[0], sequence: UInt64(id))
    }

    private func item(named name: ArraySlice<UInt8>, _ data: ArraySlice<UInt8>) throws(Fault) -> Item? {
        let json: JSONValue
        do throws(TextProblem) { json = try JSONValue(figuresIn: data, least: 0) } catch { return nil }
        guard name.elementsEqual("gap".utf8) else { return nil }
        guard let after = json["after"]?.count, let first = json["first"]?.count, first > 0, first != after + 1 else {
            throw Fault(reason: "not a juice stand: it reports a gap without events")
        }
        return .gap(after: UInt64(after), first: UInt64(first))
    }

    /// Whether it begins and ends as the ledger's line with that number does, is JSON with figures, and can be printed.
    private static func isLine(_ line: ArraySlice<UInt8>, _ sequence: Int) -> Bool {
        line.starts(with: "{\"seq\":\(sequence),\"at\":".utf8) && line.last == UInt8(ascii: "}")
            && line.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && Figures.areAll(in: line)
    }
}
