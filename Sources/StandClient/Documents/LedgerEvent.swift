import JuiceStand
import TextFormats

/// One event of the ledger for display: a line, or a part of a document.
package struct LedgerEvent: Equatable, Sendable {
    package let sequence: UInt64
    /// Stand time in seconds, as a line has it.
    package let at: String
    /// The fact's name in the ledger.
    package let name: String
    /// The event's own keys.
    package let members: [JSONValue.Member]

    /// nil if it is not a line of a ledger.
    package init?(_ line: ArraySlice<UInt8>) {
        guard let event = JSONValue(parsing: line) else { return nil }
        // Another program may write an event or a time that no ledger has.
        self.init(event, at: LedgerLine.head(line)?.at)
    }

    /// nil if it is not an event.
    ///
    /// - Parameter at: The time as it is written; nil to take the number.
    private init?(_ event: JSONValue, at: String?) {
        guard case .object(let members) = event, members.count >= 3, members[1].key == "at",
            let sequence = members[0].value.count, let time = members[1].value.seconds, let name = members[2].value.text
        else { return nil }
        self.sequence = UInt64(sequence)
        self.at = at ?? "\(time)"
        self.name = name
        self.members = Array(members[3...])
    }

    /// A fact with its own keys.
    package init(_ stamp: Stamp, _ kind: FactKind, _ members: JSONValue) {
        sequence = stamp.sequence
        at = "\(stamp.time.seconds)"
        name = kind.name
        self.members = members.members
    }

    /// Stand time in seconds.
    package var seconds: Double { Double(at) ?? 0 }

    package subscript(_ key: String) -> JSONValue? { members.first { $0.key == key }?.value }
}

extension LedgerEvent: DocumentValue {
    package static func read(_ json: JSONValue) -> LedgerEvent? { LedgerEvent(json, at: nil) }

    package var json: JSONValue {
        let head: JSONValue = ["seq": .whole(sequence), "at": .number(seconds), "event": .string(name)]
        return .object(head.members + members)
    }

    package static let schema: JSONValue = ["type": "object"]
}

// MARK: - As a line of a log

extension LedgerEvent {
    /// The keys whose values are single words, written without quotes.
    static let words: Set = ["by", "cause", "reason"]
    /// The keys whose values are spans of time, in seconds.
    static let times: Set = ["wait", "stay"]

    /// `at=08:00:30 level=info event=orderPlaced seq=2 order=1 …`
    ///
    /// - Parameter fields: Fields that follow the time.
    package func logLine(_ clock: StandClock, _ fields: String = "") -> String {
        let time = DurationText.nanoseconds(unitOptional: at) ?? 0
        let level = FactKind(name: name)?.severity.name ?? "info"
        var line = "at=\(clock.value(nanoseconds: time)) \(fields)level=\(level) event=\(name.word) seq=\(sequence)"
        for member in members {
            // `level` is the severity of a log line.
            line += " \(member.key == "level" ? "stock" : member.key.word)="
            if case .string(let text) = member.value, Self.words.contains(member.key) {
                line += text.word
            } else if case .number(let seconds) = member.value, Self.times.contains(member.key) {
                line += Columns.fixed(seconds, decimals: 9).filter { $0 != "," }
            } else {
                line += member.value.field
            }
        }
        return line
    }
}

// MARK: - Kinds of events

extension LedgerEvent {
    /// The groups that `--only` knows, each with the names of its events.
    package static let groups: [(key: String, value: [String])] = [
        ("orders", names(of: .orders)), ("lost", [FactKind.orderLost.name]), ("stock", names(of: .stock)),
        ("alerts", names(of: .alerts)), ("restock", names(of: .restock)), ("stand", names(of: .stand, .commands)),
    ]

    private static func names(of groups: FactGroup...) -> [String] {
        FactKind.allCases.filter { groups.contains($0.group) }.map(\.name)
    }

    package static let names = FactKind.allCases.map(\.name)

    /// The events that a group or an event's own name stands for; nil if it is neither.
    package static func events(named name: String) -> [String]? {
        groups.first { $0.key == name }?.value ?? (names.contains(name) ? [name] : nil)
    }
}
