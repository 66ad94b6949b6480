// `customers`: arrivals, cups, patience, and what they do if a juice is sold out.

extension SettingsReader {
    private static let arrivalKeys = ["poisson", "renewal", "profile", "bursts", "week", "trace"]
    /// Customers per second. Gaps are rounded to whole nanoseconds, which makes the rate too high by about 1/(24·*g*²) for
    /// a mean gap of *g* nanoseconds: 0.0004% at the highest rate here, but 4% at 10⁹ per second.
    private static let rates = 0...1e7

    func readCustomers(
        _ section: Section, _ menu: Menu, opens: Int64?, traceIsRead: Bool
    ) throws(ConfigurationError) -> (StandSettings.Customers, opens: Int64?) {
        var customers = StandSettings.Customers()
        guard
            let section = section.section("customers", keys: ["arrivals", "party", "cups", "patience", "whenSoldOut"])
        else {
            return (customers, opens)
        }
        customers.cups = readCount("cups", section, most: CustomerGenerator.mostCups) ?? customers.cups
        customers.party = readCount("party", section, most: CustomerGenerator.largestParty) ?? customers.party
        customers.patience = section.distribution("patience")
        customers.whenSoldOut = section.choice("whenSoldOut") ?? customers.whenSoldOut
        guard let arrivals = section.section("arrivals", keys: Self.arrivalKeys) else { return (customers, opens) }
        if arrivals.count != 1 {
            let list = Self.arrivalKeys.joined(separator: ", ")
            report.add(arrivals.place, arrivals.path, "must have one key, the name of an arrival law: \(list)")
        }
        // All are read, so that a superfluous law does not hide the problems of another.
        for law in arrivals.all where law.key != "trace" {
            customers.arrivals = readArrivals(law.key, arrivals, opens: opens) ?? customers.arrivals
        }
        guard arrivals.has("trace"), let request = traces.request(arrivals, menu, report), traceIsRead,
            report.problems.isEmpty
        else { return (customers, opens) }
        let (trace, opening) = try traces.load(request, menu, opens: opens)
        customers.arrivals = .trace(trace)
        return (customers, opening)
    }

    /// Whether the section names the arrival law `law`, valid or not.
    func hasArrivals(_ law: String, _ section: Section) -> Bool {
        guard case .object(let customers)? = section.node("customers")?.value,
            case .object(let arrivals)? = customers.first(where: { $0.key == "arrivals" })?.node.value
        else { return false }
        return arrivals.contains { $0.key == law }
    }

    /// A distribution of whole numbers up to `most`.
    private func readCount(_ key: String, _ section: Section, most: Int) -> Distribution? {
        let law = section.distribution(key, .count)
        if case .constant(let count)? = law, count > Double(most) {
            let node = section.node(key)!
            report.add(node.place, section.path(of: key), "must be at most \(most), found \(node.found)")
        }
        return law
    }

    private func readArrivals(_ law: String, _ arrivals: Section, opens: Int64?) -> Arrivals? {
        switch law {
        case "poisson":
            return arrivals.section("poisson", keys: ["perSecond"]).flatMap { rate($0) }.map { .poisson(perSecond: $0) }
        case "renewal":
            guard let gaps = arrivals.distribution("renewal") else { return nil }
            if gaps.isAlwaysZero {
                report.add(arrivals.node("renewal")!.place, arrivals.path(of: "renewal"), "must not always be 0")
            }
            return .renewal(gaps)
        case "profile":
            return arrivals.section("profile", keys: ["every", "perSecond", "repeat"]).flatMap(readProfile)
        case "week":
            return arrivals.section("week", keys: ["every", "perSecond", "level"]).flatMap { readWeek($0, opens) }
        default:
            return arrivals.section("bursts", keys: ["calm", "busy"]).flatMap(readBursts)
        }
    }

    private func rate(_ section: Section) -> Double? {
        guard section.has("perSecond") else {
            section.reportMissing("perSecond", "customers per second")
            return nil
        }
        return section.number("perSecond", Self.rates)
    }

    private func readProfile(_ profile: Section) -> Arrivals? {
        if !profile.has("every") { profile.reportMissing("every", "a duration") }
        let every = profile.duration("every")
        let repeats = profile.bool("repeat") ?? false
        let rates = readRates("perSecond", profile)
        guard let every, let rates else { return nil }
        return .profile(every: every, perSecond: rates, repeats: repeats)
    }

    private func readRates(_ key: String, _ section: Section) -> [Double]? {
        guard let nodes = section.list(key, of: "rates") else { return nil }
        let rates = nodes.enumerated().compactMap { report.number($1, "\(section.path(of: key))[\($0)]", Self.rates) }
        return rates.count == nodes.count ? rates : nil
    }

    private func readWeek(_ week: Section, _ opens: Int64?) -> Arrivals? {
        if !week.has("every") { week.reportMissing("every", "a duration") }
        let every = week.duration("every")
        let level = week.distribution("level", .count)
        var isSameEveryDay = true
        var rates: [[Double]]?
        if let node = week.node("perSecond"), case .object = node.value {
            isSameEveryDay = false
            rates = week.section("perSecond", keys: Self.days).flatMap { days in
                let lists = Self.days.map { days.has($0) ? readRates($0, days) : [] }
                return lists.contains(nil) ? nil : lists.compactMap { $0 }
            }
        } else {
            rates = readRates("perSecond", week).map { Array(repeating: $0, count: 7) }
        }
        guard let every, let rates else { return nil }
        let entries = (Self.day + every.nanoseconds - 1) / every.nanoseconds
        if let longest = rates.map(\.count).max(), longest > entries {
            report.add(
                week.node("perSecond")!.place, week.path(of: "perSecond"),
                "must have at most \(entries) entries of \(week.node("every")!.found) a day, found \(longest)")
        }
        return .week(
            Arrivals.Week(
                every: every, perSecond: rates, isSameEveryDay: isSameEveryDay, level: level,
                opening: Self.sinceMonday(opens ?? Self.usualOpening)))
    }

    static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let day: Int64 = 86_400_000_000_000
    /// 2026-01-01, the default opening.
    private static let usualOpening: Int64 = 20_454 * day

    /// The time from Monday midnight to an instant. 1970 began on a Thursday.
    private static func sinceMonday(_ nanosecondsSinceEpoch: Int64) -> SimulationTime {
        let left = (nanosecondsSinceEpoch % (7 * day) + 3 * day) % (7 * day)
        return SimulationTime(nanoseconds: left < 0 ? left + 7 * day : left)
    }

    private func readBursts(_ bursts: Section) -> Arrivals? {
        func phase(_ key: String) -> Arrivals.Phase? {
            guard bursts.has(key) else {
                bursts.reportMissing(key, "{\"perSecond\": …, \"lasting\": …}")
                return nil
            }
            guard let section = bursts.section(key, keys: ["perSecond", "lasting"]) else { return nil }
            let rate = rate(section)
            guard section.has("lasting") else {
                section.reportMissing("lasting", "a distribution")
                return nil
            }
            guard let lasting = section.distribution("lasting") else { return nil }
            if lasting.size < 1e-3 {
                report.add(
                    section.node("lasting")!.place, section.path(of: "lasting"),
                    "must be a millisecond or longer, found \(section.node("lasting")!.found)")
            }
            guard let rate else { return nil }
            return Arrivals.Phase(perSecond: rate, lasting: lasting)
        }
        let calm = phase("calm")
        guard let busy = phase("busy"), let calm else { return nil }
        return .bursts(calm: calm, busy: busy)
    }
}
