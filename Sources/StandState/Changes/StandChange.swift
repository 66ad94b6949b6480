import JuiceStand
import TextFormats

/// A change of a running stand by hand. Its effect depends only on the stand, so that it can be replayed from the
/// journal.
package enum StandChange: Codable, Equatable, Sendable {
    case order(juice: String, cups: Int)
    /// Differences of pieces, all or none; with `ifTag` only if that is still the stock's edit tag.
    case stock([StockDifference], ifTag: UInt64?)
    case rate(Double)
    case pause
    case resume
    /// The whole of the new configuration, resolved.
    case reload(configuration: String)
    case stop

    package var isOrder: Bool { if case .order = self { true } else { false } }

    /// Pieces added to a fruit's stock; negative for pieces removed.
    package struct StockDifference: Codable, Equatable, Sendable {
        package var fruit: String
        package var pieces: Int

        package init(fruit: String, pieces: Int) {
            self.fruit = fruit
            self.pieces = pieces
        }
    }
}

/// The answer to a change that was made.
package enum ChangeAnswer: Codable, Equatable, Sendable {
    case order(OrderAnswer)
    case stock(editTag: UInt64, levels: [StockLevel])
    /// The rate, the pause or the end has been in effect since this stand time.
    case done(at: SimulationTime)
    /// The changed settings; empty if nothing changed.
    case reloaded([SettingChange])
}

/// The pieces of one fruit on hand; nil for an unlimited fruit.
package struct StockLevel: Codable, Equatable, Sendable {
    package var fruit: String
    package var level: Int?
}

/// Why a stand did not make a change.
///
/// The stand is unchanged, with two exceptions: an order for a juice that is not on the menu counts as a lost customer,
/// and a change in doubt may be made at the next start.
package enum ControlError: Error, Codable, Equatable, Sendable {
    /// `nearest` is a name that may have been meant.
    case notOnMenu(name: String, nearest: String?)
    case unknownFruit(name: String, nearest: String?)
    case wouldBeNegative(fruit: String, by: Int)
    case doesNotFit(fruit: String, by: Int)
    case isUnlimited(fruit: String)
    /// The stock has been changed since; `current` is its present edit tag.
    case tagMismatch(current: UInt64)
    /// An argument is out of its range. The text has the expected and the found value.
    case invalid(String)
    /// The idempotency key was used for another change.
    case keyReused
    /// The problems of the new configuration, one a line.
    case badConfiguration([String])
    /// The keys that can't change while the stand is open, each with the reason.
    case cannotChange([String])
    /// The journal can't be written now, for this cause.
    case diskFailing(String)
    /// Until the next start it is unknown whether the change is in the journal, for this cause.
    case inDoubt(String)
    /// The stand has closed.
    case closed
    /// The program is about to end.
    case stopping
}

extension ControlError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notOnMenu(let name, let nearest): "\"\(name)\" is not on the menu\(Self.hint(nearest))"
        case .unknownFruit(let name, let nearest): "unknown fruit \"\(name)\"\(Self.hint(nearest))"
        case .wouldBeNegative(let fruit, let pieces):
            "not enough \(fruit): \(Columns.counted(pieces, "piece")) short"
        case .doesNotFit(let fruit, let pieces):
            "no room for that much \(fruit): the shelf is \(Columns.counted(pieces, "place")) short"
        case .isUnlimited(let fruit): "\(fruit) is unlimited; its stock cannot be changed"
        case .tagMismatch(let current): "the stock was changed meanwhile; its edit tag is now \(current)"
        case .invalid(let what): what
        case .keyReused: "the idempotency key was used for another change"
        case .badConfiguration(let problems): problems.joined(separator: "\n")
        case .cannotChange(let keys): keys.joined(separator: "\n")
        case .diskFailing(let cause): "changes cannot be saved now: \(cause)"
        case .inDoubt(let cause):
            "the change could not be saved, but may take effect at the stand's next start: \(cause); "
                + "to find out, send it again with the same Idempotency-Key after that start"
        case .closed: "the stand has closed"
        case .stopping: "the stand is stopping"
        }
    }

    private static func hint(_ nearest: String?) -> String { nearest.map { "; did you mean \"\($0)\"?" } ?? "" }
}
