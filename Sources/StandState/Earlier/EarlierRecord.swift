import JuiceStand
import TextFormats

extension JournalRecord {
    /// Reads a record as journals of the schema 1 have it, which were flat; nil if there is none.
    static func earlier(_ text: ArraySlice<UInt8>) -> JournalRecord? {
        guard case .object(let members)? = JSONValue(parsing: text) else { return nil }
        var fields = Fields(members: members)
        let record: JournalRecord
        if let time = fields.integer("mark") {
            record = .mark(at: SimulationTime(nanoseconds: time))
        } else if let sequence = fields.integer("ledgerBegins") {
            record = .ledgerBegins(sequence: UInt64(sequence))
        } else {
            guard let number = fields.integer("change"), let time = fields.integer("at") else { return nil }
            let key = fields.text("key")
            guard let change = fields.change() else { return nil }
            record = .change(number: UInt64(number), at: SimulationTime(nanoseconds: time), making: change, key: key)
        }
        return fields.areAllTaken ? record : nil
    }

    /// The members of a record that were not read yet; a record with a member left is refused.
    private struct Fields {
        var members: [JSONValue.Member]

        var areAllTaken: Bool { members.isEmpty }

        private mutating func take(_ key: String) -> JSONValue? {
            members.firstIndex { $0.key == key }.map { members.remove(at: $0).value }
        }

        /// Takes a whole number from 0; nil for any other value.
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
