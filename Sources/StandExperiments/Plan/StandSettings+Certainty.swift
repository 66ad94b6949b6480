import JuiceStand

extension StandSettings {
    /// Whether the configuration alone makes a sum of metrics the same in every replication.
    func isCertain(_ sum: MetricSum, horizon: SimulationTime?) -> Bool {
        sum.terms.allSatisfy { isCertain($0.metric, horizon: horizon) }
    }

    /// Whether the configuration alone makes a metric the same in every replication.
    ///
    /// An unlimited line cannot balk, and a constant number of makers is on duty for a known time. Equal values of some
    /// replications are no such reason: a rare event may be missing from all of them.
    package func isCertain(_ metric: String, horizon: SimulationTime?) -> Bool {
        if drawsNothing { return true }
        let hasConstantMakers = makers < .max && shifts == nil
        let waitsForMakers = makers < .max || shifts != nil
        let hasAllFruit = shelves.allSatisfy { $0.initial == nil }
        let waitsForFruit = customers.whenSoldOut == .wait && !hasAllFruit
        let isCertain = { (other: String) in self.isCertain(other, horizon: horizon) }
        switch metric {
        case "makers.onDuty.hours": return hasConstantMakers && horizon != nil
        case "cost.makers": return wage == 0 || isCertain("makers.onDuty.hours")
        case "customers.balked": return queueLimit == .max || !waitsForMakers
        case "customers.reneged": return customers.patience == nil
        case "customers.soldOut": return hasAllFruit || customers.whenSoldOut == .wait
        case "customers.substituted": return hasAllFruit || customers.whenSoldOut != .substitute
        case "cups.lost": return isCertain("customers.soldOut") && isCertain("customers.reneged")
        case "fillRate": return hasAllFruit
        case "wait.mean", "wait.p50", "wait.p90", "wait.p95", "wait.p99", "wait.max", "waitProbability", "queue.mean",
            "queue.hours":
            return !waitsForMakers && !waitsForFruit
        case "cost.ordering":
            return shelves.allSatisfy { $0.restock == .manual || $0.costs.order == 0 && $0.costs.unit == 0 }
        case "cost.holding": return shelves.allSatisfy { $0.initial == nil || $0.costs.holding == 0 }
        case "cost.shortage": return !waitsForFruit || shelves.allSatisfy { $0.costs.shortage == 0 }
        case "cost.total":
            let parts = ["cost.ordering", "cost.holding", "cost.shortage"].allSatisfy(isCertain)
            return parts && (!waitsForMakers || isCertain("cost.makers"))
        case "revenue": return offers.allSatisfy { $0.price == 0 }
        case "profit": return isCertain("revenue") && isCertain("cost.total")
        case "alerts.lowStock": return shelves.allSatisfy { $0.initial == nil || $0.lowStock == nil }
        default: return isCertainOfFruit(metric, waitsForFruit)
        }
    }

    private func isCertainOfFruit(_ metric: String, _ waitsForFruit: Bool) -> Bool {
        for fruit in menu.allFruits {
            let name = menu.name(of: fruit)
            let shelf = shelves[fruit.index]
            switch metric {
            case "stock.\(name).backordered.mean": return !waitsForFruit
            case "restock.\(name).orders", "restock.\(name).pieces": return shelf.restock == .manual
            case "spoiled.\(name)": return shelf.shelfLife == nil
            default: continue
            }
        }
        return false
    }

    /// Whether nothing is left to chance, so that all replications are equal.
    private var drawsNothing: Bool {
        switch customers.arrivals {
        case .trace: break
        case .renewal(.constant) where offers.count == 1: break
        default: return false
        }
        let laws =
            [customers.cups, customers.party, customers.patience].compactMap { $0 } + offers.map(\.preparation)
            + shelves.compactMap(\.restock.leadTime)
        return laws.allSatisfy { if case .constant = $0 { true } else { false } }
    }
}
