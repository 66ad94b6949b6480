import JuiceStand

/// A line of the journal.
package enum JournalRecord: Codable, Equatable, Sendable {
    /// The `number`th change since the opening, and when it takes effect.
    case change(number: UInt64, at: SimulationTime, making: StandChange, key: String?)
    /// Stand time had come to this instant.
    case mark(at: SimulationTime)
    /// The ledger's file begins with line `sequence`; the lines before it are in earlier files.
    case ledgerBegins(sequence: UInt64)
}

extension JournalRecord {
    /// The record with its checksum and a line feed.
    package var line: [UInt8] { ChecksummedLine.bytes(StateCoding.encode(self)) }

    /// The record in a line's text; nil if there is none.
    package init?(_ text: ArraySlice<UInt8>) {
        let record: JournalRecord
        do { record = try StateCoding.decode(JournalRecord.self, from: text) } catch {
            guard let earlier = JournalRecord.earlier(text) else { return nil }
            record = earlier
        }
        switch record {
        case .change(let number, let time, let change, _):
            guard number > 0, time >= .zero, change.invalidity == nil else { return nil }
        case .mark(let time): guard time >= .zero else { return nil }
        case .ledgerBegins: break
        }
        self = record
    }
}
