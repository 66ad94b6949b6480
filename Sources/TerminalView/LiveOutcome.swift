import JuiceStand
import StandState
import Terms
import TextFormats

/// What became of a request of the display's user.
package struct LiveOutcome: Sendable {
    /// Why a request was refused.
    package enum Refusal: Sendable {
        /// The kind of the problem in the service's documents, the members of the document, and its sentence.
        case problem(String, JSONValue, detail: String)
        case notKept
        /// The stand does not answer; the reason.
        case noAnswer(String)
    }

    let wish: LiveWish
    /// nil if it was done.
    let refusal: Refusal?

    package init(_ wish: LiveWish, _ refusal: Refusal? = nil) {
        self.wish = wish
        self.refusal = refusal
    }
}

extension StandView {
    /// The message after a request was carried out or refused; nil if there is nothing to say.
    func text(of outcome: LiveOutcome) -> String? {
        if let refusal = outcome.refusal { return words(.notDoneBecause, text(of: refusal)) }
        func factor(_ factor: Double) -> String { "× " + Columns.factor(factor) }
        return switch outcome.wish {
        case .order(let juice, let cups): words(.ordered, Columns.grouped(cups), name(juice))
        case .restock(let fruit, let pieces):
            words(pieces < 0 ? .taken : .added, Columns.grouped(abs(pieces)), name(fruit))
        case .rate(let rate): words(.arrivalRate, factor(rate))
        case .speed(let speed): words(.speed, factor(speed))
        case .pause: words(.paused)
        case .resume: words(.open)
        case .look, .quit: nil
        }
    }

    private func name(_ key: String) -> String {
        shelves.first { $0.key == key }?.name ?? drinks.first { $0.key == key }?.name ?? key
    }

    private func text(of refusal: LiveOutcome.Refusal) -> String {
        switch refusal {
        case .notKept: return words(.instantNotKept)
        case .noAnswer(let reason): return words.detail(reason, or: .noAnswer)
        case .problem(let kind, let members, let detail):
            let fruit = name(members["fruit"]?.text ?? "?")
            func number(_ key: String) -> String { members[key]?.whole.map(Columns.grouped) ?? "?" }
            switch kind {
            case "soldOut": return words(.fruitNeeded, fruit, number("missing"))
            case "queueFull": return words(.theLineIsFull)
            case "notEnoughFruit": return words(.notEnough, fruit, number("by"))
            case "shelfFull": return words(.noRoom, fruit, number("by"))
            case "unlimitedFruit": return words(.isUnlimited, fruit)
            case "invalidValue": return words.detail(detail, or: .badValue)
            case "diskFailing": return words.detail(detail, or: .cannotSave)
            case "inDoubt": return words.detail(detail, or: .inDoubt)
            case "closed": return words(.standClosed)
            case "stopping": return words(.standStops)
            default:
                return words.detail(detail.split(separator: "\n").first.map(String.init), or: .standRefused)
            }
        }
    }
}
