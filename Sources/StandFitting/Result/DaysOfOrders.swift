import JuiceStand
import Platform
import TextFormats
import Tills

/// The orders of a till or of a simulated stand, as the report compares them.
package struct DaysOfOrders: Sendable {
    /// The mean orders of an open day by weekday, from Monday; 0 for a closed one.
    package var byWeekday = [Double](repeating: 0, count: 7)
    /// The mean orders of an open day by hour.
    package var byHour = [Double](repeating: 0, count: 24)
    /// The orders of each open day, sorted.
    package var counts: [Int] = []
    /// The share of gaps between orders of a day below each of ``gapMinutes``.
    package var gaps = [Double](repeating: 0, count: Self.gapMinutes.count)
    /// The share of the lines of each item.
    package var items: [(name: String, share: Double)] = []

    package static let gapMinutes = [1, 2, 3, 4, 5, 10, 20, 30, 60]

    /// The variance of daily counts divided by their mean; nil if there are fewer than two days.
    package var dispersion: Double? {
        let moments = Moments(counts.map(Double.init))
        return counts.count > 1 && moments.mean > 0 ? moments.variance / moments.mean : nil
    }

    /// - Parameters:
    ///   - times: The times of the orders, sorted, in nanoseconds since 1970.
    ///   - openDays: The open days, in days since 1970.
    init(times: [Int64], openDays: [Int], items: [(name: String, lines: Int)]) {
        var byDay: [Int: Int] = [:]
        var last: Int64?
        var gapCount = 0
        var below = [Int](repeating: 0, count: Self.gapMinutes.count)
        let open = Set(openDays)
        for time in times {
            let day = Till.day(of: time)
            guard open.contains(day) else { continue }
            byDay[day, default: 0] += 1
            byHour[Int((time - Int64(day) * CalendarTime.day) / (3600 * DurationText.second))] += 1
            if let last, Till.day(of: last) == day {
                gapCount += 1
                for (index, minutes) in Self.gapMinutes.enumerated()
                where time - last < Int64(minutes) * 60 * DurationText.second {
                    below[index] += 1
                }
            }
            last = time
        }
        var days = [Int](repeating: 0, count: 7)
        for day in openDays {
            let weekday = Weekday.number(of: day)
            days[weekday] += 1
            byWeekday[weekday] += Double(byDay[day] ?? 0)
            counts.append(byDay[day] ?? 0)
        }
        counts.sort()
        for weekday in 0..<7 where days[weekday] > 0 { byWeekday[weekday] /= Double(days[weekday]) }
        byHour = byHour.map { $0 / Double(max(openDays.count, 1)) }
        if gapCount > 0 { gaps = below.map { Double($0) / Double(gapCount) } }
        let lines = items.reduce(0) { $0 + $1.lines }
        self.items = items.map { ($0.name, Double($0.lines) / Double(max(lines, 1))) }
    }
}

extension FittedStand {
    private static let mostOrders = 200_000.0

    /// The days of the whole till, with the items that the menu lacks.
    package var observedDays: DaysOfOrders {
        let items =
            menu.popularity.isEmpty
            ? []
            : menu.popularity.map { ($0.juice, $0.lines) }
                + menu.unmatched.map { ($0.name, $0.lines) }
        return DaysOfOrders(
            times: till.orders.map(\.time), openDays: week.openDays.map { week.counts.firstDay + $0 }, items: items)
    }

    /// Days of the fitted stand in virtual time, about as many as those of the till, and at least 200.
    ///
    /// Fruit and waiting places are unlimited here, so that every order counts.
    package func simulatedDays() throws(ConfigurationError) -> DaysOfOrders {
        var settings = try StandConfiguration(Array(configurationText.utf8), source: "the fitted configuration")
            .settings
        for index in settings.shelves.indices {
            settings.shelves[index].initial = nil
            settings.shelves[index].shelfLife = nil
        }
        settings.makers = .max
        settings.shifts = nil
        settings.queueLimit = .max
        settings.customers.patience = nil
        let perDay = week.rates.totals.reduce(0, +) / 7
        let wanted = Double(max(200, min(week.counts.days, 1000)))
        let weeks = max(1, Int((min(wanted, Self.mostOrders / max(perDay, 1)) / 7).rounded(.up)))
        let firstDay = till.days.upperBound + 1
        let opening = opening
        let heard = Heard()
        let wiring = DirectWiring()
        wiring.connect(heard)
        var stand = Stand(settings)
        VirtualDriver(horizon: SimulationTime(seconds: Double(weeks) * 7 * 86_400)).run(&stand, wiring)
        let found = heard.state.withLock { $0 }
        // Rounded like the till's clock, because rounding moves gaps across the ends of minutes.
        let resolution = max(till.resolution, 1)
        let items = settings.menu.allJuices.map { (settings.menu.name(of: $0), found.lines[$0.index] ?? 0) }
        return DaysOfOrders(
            times: found.times.map { $0 + opening - ($0 + opening) % resolution },
            openDays: (firstDay..<firstDay + 7 * weeks).filter { week.rates.totals[Weekday.number(of: $0)] > 0 },
            items: menu.popularity.isEmpty ? [] : items)
    }

    /// Notes the times of orders, the same time once, and the number of orders of each juice.
    private final class Heard: FactObserver, Sendable {
        struct State {
            var times: [Int64] = []
            var lines: [Int: Int] = [:]
        }

        let state = Guarded(State())

        var wanted: FactSet { FactSet(.orderPlaced) }

        func hear(_ fact: OrderPlaced) {
            state.withLock {
                if $0.times.last != fact.stamp.time.nanoseconds { $0.times.append(fact.stamp.time.nanoseconds) }
                $0.lines[fact.juice.index, default: 0] += 1
            }
        }
    }
}
