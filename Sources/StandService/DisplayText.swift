import JuiceStand

/// The stock display's view as lines of text.
struct DisplayText {
    let menu: Menu
    let shelves: [StandSettings.Shelf]
    private static let barWidth = 30

    init(_ settings: StandSettings) {
        menu = settings.menu
        shelves = settings.shelves
    }

    func lines(_ view: StockDisplay.View, alerts: Int, last: LowStockAlerter.Alert?) -> [String] {
        let nameWidth = menu.fruits.map(\.name.count).max() ?? 0
        var lines = [
            "\(view.stand)  stand time \(clock(view.time))  in line \(view.queue)  in the stand \(view.present)",
            "served \(Columns.grouped(view.served))  lost \(Columns.grouped(view.lostInAll)) ("
                + zip(["line full", "sold out", "impatient", "not on menu"], view.lost)
                .map { "\($0) \(Columns.grouped($1))" }.joined(separator: ", ") + ")",
        ]
        for (index, level) in view.levels.enumerated() {
            let name = Columns.left(menu.fruits[index].name, nameWidth)
            guard let level else {
                lines.append("  \(name)  unlimited")
                continue
            }
            let owed = view.onOrder[index] > 0 ? "  +\(Columns.grouped(view.onOrder[index])) on order" : ""
            let low = view.isLow[index] ? "  low" : ""
            lines.append("  \(name) \(Columns.right(Columns.grouped(level), 7)) \(bar(level, index))\(low)\(owed)")
        }
        if let last {
            lines.append(
                "alerts \(Columns.grouped(alerts)), the last at \(clock(last.time)): \(menu.name(of: last.fruit)) "
                    + (last.isLow ? "down to" : "up again to") + " \(Columns.grouped(last.level))")
        }
        return lines
    }

    /// As long as the level is of the most that the shelf is meant to hold.
    private func bar(_ level: Int, _ index: Int) -> String {
        let shelf = shelves[index]
        let most = max(shelf.capacity ?? 0, shelf.restock.fullLevel ?? 0, shelf.initial ?? 0, level, 1)
        let filled = (level * Self.barWidth + most - 1) / most
        return String(repeating: "#", count: filled) + String(repeating: ".", count: Self.barWidth - filled)
    }

    private func clock(_ time: SimulationTime) -> String {
        let seconds = Int(time.seconds)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let days = seconds >= 86_400 ? "\(seconds / 86_400)d " : ""
        return "\(days)\(two(seconds / 3600 % 24)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
}

extension RestockPolicy {
    /// The level restocking aims at, roughly.
    fileprivate var fullLevel: Int? {
        switch self {
        case .manual: nil
        case .orderUpTo(_, let level, _, _): level
        case .fixedQuantity(let point, let quantity, _): point + quantity
        }
    }
}
