import StandClient
import Terms
import TextFormats

extension StandView {
    /// The message after a request was carried out or refused; nil if there is nothing to say.
    func text(of wish: LiveWish, _ refusal: LiveRefusal?) -> String? {
        if let refusal { return words(.notDoneBecause, text(of: refusal)) }
        func factor(_ factor: Double) -> String { "× " + Columns.factor(factor) }
        return switch wish {
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

    private func text(of refusal: LiveRefusal) -> String {
        switch refusal {
        case .noAnswer(let reason): words.detail(reason, or: .noAnswer)
        case .problem(let problem): words.problem(problem) { name($0) }
        }
    }
}
