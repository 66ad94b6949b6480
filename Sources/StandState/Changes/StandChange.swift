import JuiceStand
import TextFormats

/// A change that people ask of a running stand; what becomes of it depends on the stand and on nothing else, so that
/// it can be journalled and made again.
package enum StandChange: Codable, Equatable, Sendable {
    case order(juice: String, cups: Int)
    /// Differences of pieces, all or none; with `ifTag` only where the stock's edit tag is still that.
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

/// What a stand answers to a change that was made.
package enum ChangeAnswer: Codable, Equatable, Sendable {
    case order(OrderAnswer)
    case stock(editTag: UInt64, levels: [StockLevel])
    /// The factor, the pause, the end: since when.
    case done(at: SimulationTime)
    /// What changed, key by key; empty where nothing did.
    case reloaded([SettingChange])
}

/// How much there is of one fruit; nil without limit.
package struct StockLevel: Codable, Equatable, Sendable {
    package var fruit: String
    package var level: Int?
}

/// Why a stand did not do what it was asked to.
///
/// Nothing has been changed, except that an order for what is not on the menu is counted as a customer who left, and
/// that a change in doubt may be made at the next start.
package enum ControlError: Error, Codable, Equatable, Sendable {
    /// `nearest` is a name that may have been meant.
    case notOnMenu(name: String, nearest: String?)
    case unknownFruit(name: String, nearest: String?)
    case wouldBeNegative(fruit: String, by: Int)
    case doesNotFit(fruit: String, by: Int)
    case isUnlimited(fruit: String)
    /// Somebody else has changed the stock since; the tag of now.
    case tagMismatch(current: UInt64)
    /// An argument out of its range: what it must be, and what was found.
    case invalid(String)
    /// The idempotency key was used for another change.
    case keyReused
    /// What is wrong with the new configuration, a line each.
    case badConfiguration([String])
    /// The keys that can't change while the stand is open, each with the reason.
    case cannotChange([String])
    /// Nothing can be made to last now; the cause.
    case diskFailing(String)
    /// Whether the change lasts is not known until the next start; the cause.
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
