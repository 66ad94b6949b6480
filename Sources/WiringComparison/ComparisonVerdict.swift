import JuiceStand
import TextFormats

/// What follows from the figures, in sentences, and nothing that does not.
struct ComparisonVerdict {
    private let comparison: Comparison
    /// The load the sentences are about.
    private static let rate = 1000.0

    init(_ comparison: Comparison) {
        self.comparison = comparison
    }

    func sentences() -> [String] { cost() + standing() }

    /// What the choice costs this stand.
    private func cost() -> [String] {
        guard let stand = comparison.stand, stand.orders > 0 else { return [] }
        let perOrder = Double(stand.facts) / Double(stand.orders)
        let shares = comparison.wirings.compactMap { wiring -> (name: String, share: Double)? in
            guard let speed = closest(wiring, to: stand.observers) else { return nil }
            return (wiring.choice.rawValue, perOrder * speed.nanoseconds.median * Self.rate / 1e9)
        }.sorted { $0.share < $1.share }
        guard let least = shares.first, let most = shares.last, shares.count > 1 else { return [] }
        var text =
            "An order of \(stand.name) is \(Columns.fixed(perOrder, decimals: 1)) notifications. At "
            + "\(Columns.grouped(Int(Self.rate))) orders/s they cost \(percent(least.share)) of a core under \(least.name) and "
            + "\(percent(most.share)) under \(most.name)"
        if let own = shares.first(where: { $0.name == WiringChoice.notification.rawValue }), own.name != least.name,
            own.name != most.name
        {
            text += ", \(percent(own.share)) under \(own.name)"
        }
        return [
            text + ": the choice costs \(percent(most.share - least.share)) of a core, and what decides is the matrix."
        ]
    }

    /// How our own center stands among the others.
    private func standing() -> [String] {
        guard let own = comparison.wirings.first(where: { $0.choice == .notification }), comparison.wirings.count > 1
        else { return [] }
        var sentences: [String] = []
        let others = comparison.wirings.filter { $0.choice != .notification }
        let lacking = own.properties.filter { entry in
            entry.finding.holds == false
                && others.contains {
                    $0.properties.contains { $0.property == entry.property && $0.finding.holds == true }
                }
        }
        if !own.properties.isEmpty {
            let best = others.map { $0.properties.count { $0.finding.holds == true } }.max() ?? 0
            let held = own.properties.count { $0.finding.holds == true }
            sentences.append(
                lacking.isEmpty
                    ? "Of \(own.properties.count) properties notification has \(held), and lacks none that another wiring has; "
                        + "the next best has \(best)."
                    : "notification lacks what others have: \(lacking.map(\.property.title).joined(separator: "; ")).")
        }
        let open = own.properties.filter { $0.finding.holds == nil }
        if !open.isEmpty {
            sentences.append(
                "Of notification it could not be established: \(open.map(\.property.title).joined(separator: "; ")).")
        }
        let faster = others.compactMap { wiring -> String? in
            let counts = own.speed.filter { speed in
                wiring.speed.contains {
                    $0.observers == speed.observers && $0.nanoseconds.median < speed.nanoseconds.median
                }
            }.map { Columns.grouped($0.observers) }
            return counts.isEmpty ? nil : "\(wiring.choice.rawValue) (with \(counts.joined(separator: ", ")))"
        }
        if !own.speed.isEmpty {
            sentences.append(
                faster.isEmpty
                    ? "Nothing was faster than notification, with any number of observers."
                    : "Faster than notification, by number of observers: \(faster.joined(separator: "; ")).")
        }
        return sentences
    }

    private func closest(_ wiring: Comparison.Wiring, to observers: Int) -> Comparison.Speed? {
        wiring.speed.min { abs($0.observers - observers) < abs($1.observers - observers) }
    }

    private func percent(_ share: Double) -> String {
        let value = share * 100
        return Columns.fixed(value, decimals: value < 0.01 ? 4 : value < 1 ? 3 : 1) + "%"
    }
}
