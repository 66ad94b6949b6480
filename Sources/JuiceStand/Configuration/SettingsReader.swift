import TextFormats

/// The keys of a configuration.
enum StandKey: String, CaseIterable {
    case stand, opens, seed, wiring, currency, fruits, menu, makers, queue, customers
}

/// Reads a configuration strictly: every key known, every value of its type and in its range, all problems in one
/// report.
///
/// What is absent takes its default from ``StandSettings/standard``.
struct SettingsReader {
    let report: ProblemReport
    let traces: TraceLoader

    /// - Returns: nil where the document is no object; otherwise settings that hold only if nothing was reported.
    func read(_ root: JSONNode) throws(ConfigurationError) -> StandSettings? {
        guard let section = Section(root, path: "", keys: StandKey.allCases.map(\.rawValue), report) else { return nil }
        var settings = StandSettings.standard
        if let stand = section.string("stand") {
            settings.stand = stand
            if stand.isEmpty { report.add(section.node("stand")!.place, "stand", "must be a name, found \"\"") }
        }
        settings.seed = section.integer("seed", 0...Int.max).map(UInt64.init) ?? settings.seed
        settings.wiring = (section.choice("wiring") as WiringChoice?)?.rawValue ?? settings.wiring
        settings.currency = section.string("currency") ?? settings.currency
        if let shifts = readShifts(section) {
            settings.shifts = shifts
            settings.makers = shifts.makers[0]
        } else {
            settings.makers = readMakers(section) ?? settings.makers
        }
        settings.queueLimit =
            section.section("queue", keys: ["limit"])?.limit("limit", 0...1_000_000_000) ?? settings.queueLimit
        let pantry = readFruits(section)
        let menu = readMenu(section, fruits: pantry.entries)
        settings.menu = menu.menu
        settings.offers = menu.offers
        settings.shelves = pantry.shelves
        let opens = readOpens(section)
        settings.opens = opens.map { CalendarTime(nanosecondsSinceEpoch: $0).description } ?? settings.opens
        guard report.problems.isEmpty else {
            // A trace can't be read without a sound menu; whatever else is wrong is still reported.
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

    /// The opening date in nanoseconds since 1970.
    private func readOpens(_ section: Section) -> Int64? {
        guard let text = section.string("opens") else { return nil }
        // A week is about the clock on the stand's wall, so a time zone has no part in it.
        let read = hasArrivals("week", section) ? Self.withoutZone(text) : text
        guard case .calendar(let nanoseconds) = TimeReader().read(read) else {
            report.add(
                section.node("opens")!.place, "opens",
                "must be a date such as \"2026-05-04T08:00:00\", found \"\(text)\"")
            return nil
        }
        return nanoseconds
    }

    /// A date and a time without the offset at its end: `Z`, `+02:00` or `-0500`.
    private static func withoutZone(_ text: String) -> String {
        guard let time = text.firstIndex(where: { $0 == "T" || $0 == "t" || $0 == " " }),
            let zone = text[time...].dropFirst().firstIndex(where: { "Zz+-".contains($0) })
        else { return text }
        return String(text[..<zone])
    }

    /// What can only be wrong of several values together.
    private func checkTogether(_ section: Section, _ settings: StandSettings) {
        guard !settings.offers.isEmpty, !hasArrivals("trace", section) else { return }
        if settings.offers.allSatisfy({ $0.popularity == 0 }) {
            report.add(
                section.node("menu")?.place ?? section.place, "menu", "must have a juice with a popularity above 0")
        }
    }

    /// Usable, but hardly meant.
    static func warnings(_ settings: StandSettings, source: String) -> [TextProblem] {
        let menu = settings.menu
        let used = Set(menu.allJuices.flatMap { menu.recipe(of: $0).map(\.fruit) })
        let unused = menu.allFruits.filter { !used.contains($0) }.map { fruit in
            "fruits.\(menu.name(of: fruit)): no juice of the menu takes it"
        }
        var unfillable: [String] = []
        if settings.customers.whenSoldOut == .wait {
            for juice in menu.allJuices {
                for ingredient in menu.recipe(of: juice) {
                    let capacity = settings.shelves[ingredient.fruit.index].capacity ?? .max
                    guard capacity < ingredient.pieces else { continue }
                    unfillable.append(
                        "menu.\(menu.name(of: juice)).recipe.\(menu.name(of: ingredient.fruit)): needs \(ingredient.pieces) and "
                            + "the shelf holds \(capacity), so customers who wait for it wait for ever")
                }
            }
        }
        return (unused + unfillable).map { TextProblem(place: Place(source: source), message: $0) }
    }
}
