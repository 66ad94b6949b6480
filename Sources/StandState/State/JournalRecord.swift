import JuiceStand
import TextFormats

package enum JournalRecord: Equatable, Sendable {
    /// The `number`th change since the opening, and when it takes effect.
    case change(number: UInt64, at: SimulationTime, StandChange, key: String?)
    /// Stand time had come to this instant.
    case mark(at: SimulationTime)
    /// The ledger's file begins with line `sequence`; the lines before it are in earlier files.
    case ledgerBegins(sequence: UInt64)
}

extension JournalRecord {
    /// The record with its checksum and a line feed.
    package var line: [UInt8] { ChecksummedLine.bytes(json.compact()) }

    private var json: JSONValue {
        switch self {
        case .mark(let time): return ["mark": .integer(time.nanoseconds)]
        case .ledgerBegins(let sequence): return ["ledgerBegins": .whole(sequence)]
        case .change(let number, let time, let change, let key):
            let head: JSONValue = [
                "change": .whole(number), "at": .integer(time.nanoseconds), "key": key.map { .string($0) },
            ]
            return .object(head.members + Self.json(change).members)
        }
    }

    private static func json(_ change: StandChange) -> JSONValue {
        switch change {
        case .order(let juice, let cups): ["order": .string(juice), "cups": .whole(cups)]
        case .stock(let changes, let ifTag):
            [
                "stock": .object(changes.map { .init(key: $0.fruit, value: .whole($0.pieces)) }),
                "ifTag": ifTag.map { .whole($0) },
            ]
        // As bits, because a decimal number might be rounded.
        case .rate(let factor): ["rate": .string(String(factor.bitPattern, radix: 16))]
        case .pause: ["pause": true]
        case .resume: ["resume": true]
        case .reload(let configuration): ["reload": .string(configuration)]
        case .stop: ["stop": true]
        }
    }
}

// MARK: - Reading

extension JournalRecord {
    /// The record in a line's text; nil if there is none.
    package init?(_ text: ArraySlice<UInt8>) {
        guard case .object(let members)? = JSONValue(parsing: text) else { return nil }
        var fields = Fields(members: members)
        if let time = fields.integer("mark") {
            self = .mark(at: SimulationTime(nanoseconds: time))
        } else if let sequence = fields.integer("ledgerBegins") {
            self = .ledgerBegins(sequence: UInt64(sequence))
        } else {
            guard let number = fields.integer("change"), number > 0, let time = fields.integer("at") else { return nil }
            let key = fields.text("key")
            guard let change = fields.change(), change.invalidity == nil else { return nil }
            self = .change(
                number: UInt64(number), at: SimulationTime(nanoseconds: time), change, key: key)
        }
        guard fields.areAllTaken else { return nil }
    }

    /// The members of a record that were not read yet; a record with a member left is refused.
    private struct Fields {
        var members: [JSONValue.Member]

        var areAllTaken: Bool { members.isEmpty }

        private mutating func take(_ key: String) -> JSONValue? {
            members.firstIndex { $0.key == key }.map { members.remove(at: $0).value }
        }

        /// Not negative.
        mutating func integer(_ key: String) -> Int64? {
            if case .integer(let number)? = take(key), number >= 0 { number } else { nil }
        }

        mutating func text(_ key: String) -> String? { if case .string(let text)? = take(key) { text } else { nil } }

        mutating func change() -> StandChange? {
            if let juice = text("order") {
                return integer("cups").flatMap { Int(exactly: $0) }.map { .order(juice: juice, cups: $0) }
            }
            if case .object(let members)? = take("stock") {
                let changes = members.compactMap { member -> StandChange.StockDifference? in
                    guard case .integer(let pieces) = member.value else { return nil }
                    return .init(fruit: member.key, pieces: Int(pieces))
                }
                guard changes.count == members.count else { return nil }
                return .stock(changes, ifTag: integer("ifTag").map { UInt64($0) })
            }
            if let bits = text("rate") {
                return UInt64(bits, radix: 16).map { .rate(Double(bitPattern: $0)) }
            }
            if let configuration = text("reload") { return .reload(configuration: configuration) }
            for (key, change) in [("pause", StandChange.pause), ("resume", .resume), ("stop", .stop)]
            where take(key) == true {
                return change
            }
            return nil
        }
    }
}
