import HTTPServer
import JuiceStand
import TextFormats

/// A connection over which a stand sends its events as they happen.
///
/// Never blocks: ``receive()`` takes what has arrived. Its owner closes it.
struct EventStream {
    /// What a stand sends.
    enum Item: Equatable {
        /// A line of the ledger, without its line feed.
        case line(ArraySlice<UInt8>, sequence: UInt64)
        /// The events between these numbers are lost; `first` is the next one. If `first` is not after `after`, another
        /// stand answers.
        case gap(after: UInt64, first: UInt64)
        /// A heartbeat.
        case sign
    }

    let socket: Socket
    private var bytes: [UInt8] = []
    private var isInHead = true
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    /// Requests the events after number `place` from the stand at `path`.
    init(path: String, after place: UInt64) throws(StandClient.Failure) {
        let client = StandClient(path: path)
        socket = try client.connect()
        // HTTP/1.0 content ends with the connection and needs no framing.
        let request = "GET /api/v1/events HTTP/1.0\r\nHost: localhost\r\nLast-Event-ID: \(place)\r\n\r\n"
        guard case .bytes(request.utf8.count) = socket.send(Array(request.utf8)[...]) else {
            socket.close()
            throw client.unreachable("the stand closed the connection")
        }
        socket.becomeNonBlocking()
    }

    /// Takes what has arrived; nil at the end.
    mutating func receive() -> [Item]? {
        switch socket.receive(into: &buffer) {
        case .wouldWait: return []
        case .ended: return nil
        case .bytes(let count): bytes += buffer[..<count]
        }
        var rest = bytes[...]
        if isInHead {
            guard let end = Self.end(of: "\r\n\r\n", in: rest) else { return [] }
            guard rest.starts(with: "HTTP/1.1 200 ".utf8) else { return nil }
            rest = rest[end...]
            isInHead = false
        }
        var items: [Item] = [.sign]
        while let end = Self.end(of: "\n\n", in: rest) {
            if let item = Self.item(rest[..<(end - 2)]) { items.append(item) }
            rest = rest[end...]
        }
        bytes = Array(rest)
        return items
    }

    private static func end(of mark: StaticString, in bytes: ArraySlice<UInt8>) -> Int? {
        let (first, size) = (unsafe mark.utf8Start.pointee, mark.utf8CodeUnitCount)
        var place = bytes.startIndex
        while let found = bytes[place...].firstIndex(of: first), found + size <= bytes.endIndex {
            if unsafe bytes[found..<(found + size)].elementsEqual(
                UnsafeBufferPointer(start: mark.utf8Start, count: size))
            {
                return found + size
            }
            place = found + 1
        }
        return nil
    }

    /// Parses one Server-Sent Event: one field per line.
    private static func item(_ block: ArraySlice<UInt8>) -> Item? {
        var (id, name): (UInt64?, String?)
        var data: ArraySlice<UInt8> = []
        for line in block.split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: "data: ".utf8) { data = line.dropFirst(6) }
            if line.starts(with: "id: ".utf8) { id = UInt64(String(decoding: line.dropFirst(4), as: UTF8.self)) }
            if line.starts(with: "event: ".utf8) { name = String(decoding: line.dropFirst(7), as: UTF8.self) }
        }
        if name == "gap", let json = JSONValue(parsing: data), let after = json["after"]?.whole,
            let first = json["first"]?.whole
        {
            return .gap(after: UInt64(clamping: after), first: UInt64(clamping: first))
        }
        guard name == nil, let id, !data.isEmpty else { return nil }
        return .line(data, sequence: id)
    }
}
