import JuiceStand
import TextFormats
import Tills

/// A stand fitted to a till, with tests of the fit.
package struct FittedStand: Sendable {
    /// The till as it was read.
    package let till: Till
    /// The part of the till whose items are on the menu: what the stand is fitted to.
    package let demand: Till
    package let week: WeekModel
    package let goodness: Goodness
    package let holdOut: HoldOut?
    package let preparation: PreparationFit?
    package let parameters: [Parameter]
    /// Sentences on assumptions, omissions and findings.
    package private(set) var notes: [String]
    let menu: MenuMapping
    /// The number of orders with each number of lines.
    let parties: [Int: Int]

    /// - Parameters:
    ///   - menu: The stand whose menu is kept; nil for the standard menu or a new one.
    ///   - holdOut: The share of the calendar days to forecast; nil for none.
    /// - Throws: ``TillError`` if too few days are left on either side.
    package init(
        _ till: Till, menu settings: StandSettings? = nil, holdOut share: Double? = nil,
        _ restriction: WeekModel.Restriction = .init(), samples: Int = Goodness.samples
    ) throws(TillError) {
        self.till = till
        menu = MenuMapping(till, menu: settings)
        let unmatched = Set(menu.unmatched.map(\.name))
        demand = unmatched.isEmpty ? till : till.keeping { !unmatched.contains($0.name) }
        try Self.check(demand, of: till)
        let model = WeekModel(demand, restriction)
        week = model
        let history = History(model.hours, isClosed: model.isClosed)
        holdOut = if let share { try HoldOut(history, share: share) } else { nil }
        goodness = Goodness(model, demand, samples: samples)
        preparation = PreparationFit(demand.durations)
        var sizes: [Int: Int] = [:]
        for order in demand.orders { sizes[order.lines, default: 0] += 1 }
        parties = sizes
        var all = model.parameters
        if let party = Parameter.mean("party.mean", of: parties), parties.count > 1 { all.append(party) }
        if let cups = Parameter.mean("cups.mean", of: demand.quantities), demand.quantities.count > 1 {
            all.append(cups)
        }
        parameters = all
        notes = till.notes
        notes += notesOnDays() + notesOnMenu() + notesOnPreparation()
    }

    private static func check(_ demand: Till, of till: Till) throws(TillError) {
        let fewest = 10
        guard demand.orders.count < fewest, till.orders.count >= fewest else { return }
        let items = till.items.prefix(5).map { "\"\($0.name)\"" }.joined(separator: ", ")
        throw .badTill(
            TextProblem(
                place: Place(source: till.file, line: 1, column: 1),
                message:
                    "expected at least \(fewest) orders of items on the menu, found \(demand.orders.count); the items "
                    + "of the till are \(items)\(till.items.count > 5 ? " and others" : "")"))
    }
}

// MARK: - Notes

extension FittedStand {
    private func notesOnDays() -> [String] {
        var notes: [String] = []
        let closed = week.isClosed.indices.stretches { week.isClosed[$0] }
        if !closed.isEmpty {
            let days = Columns.counted(closed.reduce(0) { $0 + $1.count }, "day")
            notes.append("\(days) closed: \(Self.list(closed, from: week.counts)).")
        }
        let seen = Set((0..<week.counts.days).map(week.counts.weekday))
        let unseen = (0..<7).filter { !seen.contains($0) }.map { Weekday.long[$0] }
        if !unseen.isEmpty {
            notes.append("Not in the till, so that nobody comes: \(unseen.joined(separator: ", ")).")
        }
        let outside = week.ordersOutside
        if outside > 0 {
            notes.append(
                "\(Columns.counted(outside, "order")) outside the opening hours or on closed weekdays: left out of the "
                    + "arrival rates.")
        }
        let index = Columns.fixed(week.law.dispersion.index, decimals: 2)
        let p = Self.p(week.law.dispersion.p)
        notes.append(
            week.law.levelShape.isFinite
                ? "Days differ by more than chance: the variance of a day's orders is \(index) times their mean "
                    + "(\(p)), so the stand has a level."
                : "Days differ no more than chance makes them: the variance of a day's orders is \(index) times "
                    + "their mean (\(p)), so the stand has no level.")
        if week.law.levelShape != week.law.shape, week.law.levelShape.isFinite {
            notes.append(
                "The configuration's level has another shape than the most likely one: "
                    + "\(Columns.fixed(week.law.levelShape, decimals: 2)). With it, simulated days vary as those of "
                    + "the till.")
        }
        if let recent = week.recent {
            let factor = Columns.fixed(recent.factor, decimals: 2)
            let key = "customers.arrivals.week.level" + (week.law.levelShape.isFinite ? ".gamma.mean" : "")
            notes.append(
                "Recent days have \(factor) times the orders of all days, if a day counts half after "
                    + "\(Int(recent.halfLife)) days. The stand is the mean of all days. For the shop of today add "
                    + "--set \(key)=\(factor) to simulate or run.")
        }
        let gaps = week.law.shortGaps
        if gaps.spacing > 0 {
            notes.append(
                "Short gaps are fewer than chance makes them, because a till takes one order at a time. So orders of "
                    + "the stand are at least \(Columns.fixed(gaps.spacing, decimals: 1)) s apart.")
        }
        if gaps.share > 0 {
            notes.append(
                "Short gaps are more than chance makes them, as if customers came one after another. So "
                    + "\(Columns.fixed(100 * gaps.share, decimals: 1))% of orders are followed by another, after "
                    + "\(Columns.fixed(gaps.delay.mean, decimals: 0)) s on average.")
            notes.append(
                "These numbers give the stand the till's short gaps. Other numbers give nearly the same gaps, so they "
                    + "have no interval, and gaps and hourly counts are not tested.")
        }
        if goodness.days < week.openDays.count {
            notes.append("The tests look at the last \(Columns.counted(goodness.days, "day")).")
        }
        if goodness.tests.contains(where: { $0.p < 0.05 }) {
            notes.append(
                "A test below .05 is usual for a real shop: none follows a law exactly, and many orders show small "
                    + "deviations. --report shows how large they are.")
        }
        return notes
    }

    private func notesOnMenu() -> [String] {
        var notes: [String] = []
        func list(_ all: [String]) -> String {
            all.prefix(5).joined(separator: ", ") + (all.count > 5 ? " and \(all.count - 5) more" : "")
        }
        if !menu.unmatched.isEmpty {
            let lines = till.lines - demand.lines
            notes.append(
                "\(Columns.grouped(lines)) of \(Columns.counted(till.lines, "line")) \(lines == 1 ? "is" : "are") of "
                    + "items that the menu does not have, and left out of the demand: "
                    + "\(list(menu.unmatched.map { "\"\($0.name)\"" })).")
        }
        if !menu.likened.isEmpty {
            let names = menu.likened.map { "\"\($0.item)\" for \"\($0.juice)\"" }
            notes.append("Taken for juices of the menu by a part of their names: \(list(names)).")
        }
        if menu.base == nil {
            notes.append(
                "The menu is new: fill in the recipes of its \(Columns.counted(menu.popularity.count, "juice")).")
        }
        return notes
    }

    private func notesOnPreparation() -> [String] {
        guard let preparation else {
            return [
                demand.durations.isEmpty
                    ? "Gaps between till lines are not service times: without columns of start and end, preparation "
                        + "keeps its default."
                    : "There are too few different times from start to end to fit preparation."
            ]
        }
        let laws = preparation.candidates.map { law in
            "\(law.name) \(Columns.fixed(law.criterion, decimals: 1)) (\(Self.p(law.p)))"
        }
        return ["Laws of preparation by Akaike's criterion, the best first: \(laws.joined(separator: ", "))."]
    }

    static func p(_ value: Double) -> String {
        value < 0.001 ? "p < .001" : "p = ." + String(1000 + min(999, Int((value * 1000).rounded()))).dropFirst()
    }

    /// Dates of stretches of days.
    private static func list(_ stretches: [Range<Int>], from counts: DayCounts) -> String {
        let shown = stretches.prefix(6).map { days in
            let first = date(counts.firstDay + days.lowerBound)
            return days.count == 1 ? first : "\(first) to \(date(counts.firstDay + days.upperBound - 1))"
        }
        let list = shown.joined(separator: ", ")
        return stretches.count > 6 ? "\(list), …" : list
    }

    /// `2016-10-30`, from days since 1970.
    static func date(_ day: Int) -> String {
        String("\(CalendarTime(nanosecondsSinceEpoch: Int64(day) * CalendarTime.day))".prefix(10))
    }
}
