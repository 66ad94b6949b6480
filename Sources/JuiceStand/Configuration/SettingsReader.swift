import Platform
import TextFormats

/// Reads a configuration strictly: it checks every key, type and range, and reports all problems at once.
///
/// Absent keys take their default from ``StandSettings/standard``.
struct SettingsReader {
    let report: ProblemReport
    let traces: TraceLoader

    /// - Returns: Settings that are valid only if no problem was reported; nil if the document is not an object.
    func read(_ root: JSONNode) throws(ConfigurationError) -> StandSettings? {
        guard let section = Section(root, path: "", .stand, report) else { return nil }
        var settings = StandSettings.standard
        if let stand = section.string("stand") {
            settings.stand = stand
            if stand.isEmpty { report.add(section.node("stand")!.place, "stand", "must be a name, found \"\"") }
        }
        // For editors only.
        _ = section.string("$schema")
        settings.seed = section.integer("seed").map(UInt64.init) ?? settings.seed
        settings.wiring = (section.choice("wiring") as WiringChoice?)?.rawValue ?? settings.wiring
        settings.currency = section.string("currency") ?? settings.currency
        settings.wage = section.number("wage") ?? settings.wage
        if let shifts = readShifts(section) {
            settings.shifts = shifts
            settings.makers = shifts.makers[0]
        } else {
            settings.makers = readMakers(section) ?? settings.makers
        }
        settings.queueLimit = section.section("queue")?.limit("limit") ?? settings.queueLimit
        let pantry = readFruits(section)
        let menu = readMenu(section, fruits: pantry.entries)
        settings.menu = menu.menu
        settings.offers = menu.offers
        settings.shelves = pantry.shelves
        let opens = readOpens(section)
        settings.opens = opens.map { CalendarTime(nanosecondsSinceEpoch: $0).description } ?? settings.opens
        guard report.problems.isEmpty else {
            // A trace cannot be read without a valid menu. The other problems are still reported.
            _ = try readCustomers(section, settings.menu, opens: opens, traceIsRead: false)
            checkTogether(section, settings)
            return settings
        }
        let (customers, opening) = try readCustomers(section, settings.menu, opens: opens, traceIsRead: true)
        settings.customers = customers
        settings.opens = opening.map { CalendarTime(nanosecondsSinceEpoch: $0).description } ?? settings.opens
        checkTogether(section, settings)
        return settings
    }

    /// The opening in nanoseconds since 1970.
    private func readOpens(_ section: Section) -> Int64? {
        guard let text = section.string("opens") else { return nil }
        guard let nanoseconds = CalendarTime(text)?.nanosecondsSinceEpoch() else {
            report.add(
                section.node("opens")!.place, "opens",
                "must be a date such as \"2026-05-04T08:00:00\", found \"\(text)\"")
            return nil
        }
        return nanoseconds
    }

    /// The most orders of a fixed quantity that replace the fruit of one customer's order. Each is an event of its own.
    private static let mostRestocks = 1000

    /// Refuses a fixed quantity that is far too small for the orders of the customers.
    private func checkRestocks(_ section: Section, _ settings: StandSettings) {
        var (cups, party) = (settings.customers.largestOrder, settings.customers.largestParty)
        if case .trace(let trace) = settings.customers.arrivals {
            cups = trace.lines.reduce(cups) { max($0, $1.cups ?? 1) }
            // A trace ignores parties.
            party = 1
        }
        for fruit in settings.menu.allFruits {
            guard case .fixedQuantity(_, let quantity, _) = settings.shelves[fruit.index].restock else { continue }
            let pieces = settings.menu.mostPieces(of: fruit)
            let restocks = pieces * cups / quantity
            guard restocks > Self.mostRestocks || restocks * party > Self.mostAtOnce else { continue }
            let (customers, most, found): (String, Int, Int) =
                restocks > Self.mostRestocks
                ? ("an order", Self.mostRestocks, restocks) : ("\(party) orders", Self.mostAtOnce, restocks * party)
            report.add(
                section.node("fruits")?.place ?? section.place,
                "fruits.\(settings.menu.name(of: fruit)).restock.fixedQuantity.quantity",
                "must replace the fruit of \(customers) of \(cups) cups with at most \(most) orders, found \(found)"
            )
        }
    }

    /// Checks values that depend on each other.
    private func checkTogether(_ section: Section, _ settings: StandSettings) {
        checkRestocks(section, settings)
        if settings.wage > 0, settings.makers == .max {
            report.add(
                section.node("wage")?.place ?? section.place, "wage",
                "must be 0 with makers \"unlimited\", found \(settings.wage)")
        }
        guard !settings.offers.isEmpty, !hasArrivals("trace", section) else { return }
        if settings.offers.allSatisfy({ $0.popularity == 0 }) {
            report.add(
                section.node("menu")?.place ?? section.place, "menu", "must have a juice with a popularity above 0")
        }
    }

    /// Settings that can be used but are probably a mistake.
    static func warnings(_ settings: StandSettings, source: String) -> [TextProblem] {
        let menu = settings.menu
        let used = Set(menu.allJuices.flatMap { menu.recipe(of: $0).map(\.fruit) })
        let unused: [String] = menu.allFruits.filter { !used.contains($0) }.map { fruit in
            "fruits.\(menu.name(of: fruit)): no juice uses this fruit"
        }
        var unfillable: [String] = []
        if settings.customers.whenSoldOut == .wait {
            for juice in menu.allJuices {
                for ingredient in menu.recipe(of: juice) {
                    let capacity = settings.shelves[ingredient.fruit.index].capacity ?? .max
                    guard capacity < ingredient.pieces else { continue }
                    unfillable.append(
                        "menu.\(menu.name(of: juice)).recipe.\(menu.name(of: ingredient.fruit)): needs "
                            + "\(ingredient.pieces) and "
                            + "the shelf holds \(capacity), so customers who wait for it are never served")
                }
            }
        }
        return (unused + unfillable).map { TextProblem(place: Place(source: source), message: $0) }
    }
}
