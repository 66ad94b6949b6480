import JuiceStand
import TextFormats

/// One record of the journal.
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
    package var line: [UInt8] { ChecksummedLine.bytes(JSONValue.object(members).compact()) }

    private var members: [JSONValue.Member] {
        switch self {
        case .mark(let time):
            return [.init(key: "mark", value: .integer(time.nanoseconds))]
        case .ledgerBegins(let sequence):
            return [.init(key: "ledgerBegins", value: Self.json(sequence))]
        case .change(let number, let time, let change, let key):
            var members: [JSONValue.Member] = [
                .init(key: "change", value: Self.json(number)), .init(key: "at", value: .integer(time.nanoseconds)),
            ]
            if let key { members.append(.init(key: "key", value: .string(key))) }
            return members + Self.members(of: change)
        }
    }

    private static func members(of change: StandChange) -> [JSONValue.Member] {
        switch change {
        case .order(let juice, let cups):
            [.init(key: "order", value: .string(juice)), .init(key: "cups", value: .integer(Int64(cups)))]
        case .stock(let changes, let ifTag):
            [
                .init(
                    key: "stock",
                    value: .object(changes.map { .init(key: $0.fruit, value: .integer(Int64($0.pieces))) }))
            ] + (ifTag.map { [.init(key: "ifTag", value: json($0))] } ?? [])
        // As bits, because a decimal number might be rounded.
        case .rate(let factor):
            [.init(key: "rate", value: .string(String(factor.bitPattern, radix: 16)))]
        case .pause: [.init(key: "pause", value: true)]
        case .resume: [.init(key: "resume", value: true)]
        case .reload(let configuration): [.init(key: "reload", value: .string(configuration))]
        case .stop: [.init(key: "stop", value: true)]
        }
    }

    private static func json(_ number: UInt64) -> JSONValue { .integer(Int64(clamping: number)) }
}

// MARK: - Reading

extension JournalRecord {
    /// The record in a line's text; nil if there is none.
    package init?(_ text: ArraySlice<UInt8>) {
        let parsed = JSON5Parser.parse(text, source: "journal")
        guard parsed.problems.isEmpty, let root = parsed.root, case .object(let members)? = JSONValue(root) else {
            return nil
        }
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

        mutating func text(_ key: String) -> String? {
            if case .string(let text)? = take(key) { text } else { nil }
        }

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
