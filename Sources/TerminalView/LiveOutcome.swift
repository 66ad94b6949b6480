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
        case .noAnswer(let reason): words.detail(reason, or: .noAnswer)
        case .problem(let kind, let members, let detail):
            words.problem(kind, members, detail: detail.split(separator: "\n").first.map(String.init) ?? "") {
                name($0)
            }
        }
    }
}
