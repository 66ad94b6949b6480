import TextFormats

// `customers`: arrivals, cups, patience, and what they do if a juice is sold out.

extension SettingsReader {
    func readCustomers(
        _ section: Section, _ menu: Menu, opens: Int64?, traceIsRead: Bool
    ) throws(ConfigurationError) -> (StandSettings.Customers, opens: Int64?) {
        var customers = StandSettings.Customers()
        guard let section = section.section("customers") else { return (customers, opens) }
        customers.cups = readCount("cups", section, most: CustomerGenerator.mostCups) ?? customers.cups
        customers.party = readCount("party", section, most: CustomerGenerator.largestParty) ?? customers.party
        customers.patience = section.distribution("patience")
        customers.whenSoldOut = section.choice("whenSoldOut") ?? customers.whenSoldOut
        let arrivals = section.section("arrivals")
        // A trace ignores parties.
        if arrivals?.has("trace") != true { checkCups(of: customers, section) }
        guard let arrivals else { return (customers, opens) }
        if arrivals.count != 1 {
            let list = arrivals.knownKeys.joined(separator: ", ")
            report.add(arrivals.place, arrivals.path, "must have one key, the name of an arrival law: \(list)")
        }
        // All are read, so that a superfluous law does not hide the problems of another.
        for law in arrivals.all {
            customers.arrivals =
                readArrivals(ArrivalName(rawValue: law.key)!, arrivals, opens: opens) ?? customers.arrivals
        }
        guard arrivals.has("trace"), let request = traces.request(arrivals, menu, report), traceIsRead,
            report.problems.isEmpty
        else { return (customers, opens) }
        let (trace, opening) = try traces.load(request, menu, opens: opens)
        customers.arrivals = .trace(trace)
        return (customers, opening)
    }

    /// Refuses parties that order more cups at one instant than the stand can handle before the next one.
    private func checkCups(of customers: StandSettings.Customers, _ section: Section) {
        let cups = customers.largestOrder * customers.largestParty
        guard cups > Self.mostAtOnce else { return }
        report.add(
            section.node("party")!.place, section.path(of: "party"),
            "must bring orders of at most \(Self.mostAtOnce) cups together, found \(cups)")
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
        let law = section.distribution(key)
        if case .constant(let count)? = law, count > Double(most) {
            let node = section.node(key)!
            report.add(node.place, section.path(of: key), "must be at most \(most), found \(node.found)")
        }
        return law
    }

    /// - Returns: nil for a trace, which needs the menu.
    private func readArrivals(_ law: ArrivalName, _ arrivals: Section, opens: Int64?) -> Arrivals? {
        switch law {
        case .poisson:
            return arrivals.section(law.rawValue)?.number("perSecond").map { .poisson(perSecond: $0) }
        case .renewal:
            guard let gaps = arrivals.distribution(law.rawValue) else { return nil }
            if let problem = Self.problem(ofGaps: gaps) {
                report.add(arrivals.node("renewal")!.place, arrivals.path(of: "renewal"), problem)
            }
            return .renewal(gaps)
        case .profile: return arrivals.section(law.rawValue).flatMap(readProfile)
        case .week: return arrivals.section(law.rawValue).flatMap { readWeek($0, opens) }
        case .bursts: return arrivals.section(law.rawValue).flatMap(readBursts)
        case .trace: return nil
        }
    }

    /// What is wrong with gaps that would bring customers faster than stand time can tell apart.
    private static func problem(ofGaps gaps: Distribution) -> String? {
        guard gaps.size >= 1e-7 else {
            return "must be 100 nanoseconds or longer, found \(Columns.counted(gaps.size * 1e9, "nanosecond"))"
        }
        return problem(ofZeros: gaps)
    }

    /// What is wrong with gaps or phases that are 0 more than ten thousand times in a row on average.
    private static func problem(ofZeros law: Distribution) -> String? {
        guard law.shareOfZeros > 0.9999 else { return nil }
        return "must be 0 in at most 99.99% of the draws, found \(Columns.factor(law.shareOfZeros * 100))%"
    }

    private func readProfile(_ profile: Section) -> Arrivals? {
        let every = profile.duration("every")
        let repeats = profile.bool("repeat") ?? false
        let rates = profile.numbers("perSecond", "rates")
        guard let every, let rates else { return nil }
        return .profile(every: every, perSecond: rates, repeats: repeats)
    }

    private func readWeek(_ week: Section, _ opens: Int64?) -> Arrivals? {
        let every = week.duration("every")
        let level = week.distribution("level")
        let spacing = week.duration("spacing")
        let followers = week.section("followers").flatMap(readFollowers)
        var isSameEveryDay = true
        var rates: [[Double]]?
        if let node = week.node("perSecond"), case .object = node.value {
            isSameEveryDay = false
            rates = week.section("perSecond").flatMap { days in
                let lists = Weekday.short.map { days.has($0) ? days.numbers($0, "rates") : [] }
                return lists.contains(nil) ? nil : lists.compactMap { $0 }
            }
        } else {
            rates = week.numbers("perSecond", "rates").map { Array(repeating: $0, count: 7) }
        }
        guard let every, let rates else { return nil }
        let entries = (CalendarTime.day + every.nanoseconds - 1) / every.nanoseconds
        if let longest = rates.map(\.count).max(), longest > entries {
            report.add(
                week.node("perSecond")!.place, week.path(of: "perSecond"),
                "must have at most \(entries) entries of \(week.node("every")!.found) a day, found \(longest)")
        }
        return .week(
            Arrivals.Week(
                every: every, perSecond: rates, isSameEveryDay: isSameEveryDay, level: level, spacing: spacing,
                followers: followers, opening: Self.sinceMonday(opens ?? Self.usualOpening)))
    }

    private func readFollowers(_ followers: Section) -> Arrivals.Followers? {
        let share = followers.number("share")
        guard let after = followers.distribution("after"), let share else { return nil }
        return Arrivals.Followers(share: share, after: after)
    }

    /// 2026-01-01, the default opening.
    private static let usualOpening: Int64 = 20_454 * CalendarTime.day

    /// The time from Monday midnight to an instant.
    private static func sinceMonday(_ nanosecondsSinceEpoch: Int64) -> SimulationTime {
        let time = CalendarTime(nanosecondsSinceEpoch: nanosecondsSinceEpoch)
        let days = Int64(Weekday.number(of: time.days))
        return SimulationTime(nanoseconds: days * CalendarTime.day + time.nanosecondsOfDay)
    }

    private func readBursts(_ bursts: Section) -> Arrivals? {
        func phase(_ key: String) -> Arrivals.Phase? {
            guard let section = bursts.section(key) else { return nil }
            let rate = section.number("perSecond")
            guard let lasting = section.distribution("lasting") else { return nil }
            let problem: String? =
                lasting.size < 1e-3
                ? "must be a millisecond or longer, found \(Columns.counted(lasting.size * 1e3, "millisecond"))"
                : Self.problem(ofZeros: lasting)
            if let problem { report.add(section.node("lasting")!.place, section.path(of: "lasting"), problem) }
            guard let rate else { return nil }
            return Arrivals.Phase(perSecond: rate, lasting: lasting)
        }
        let calm = phase("calm")
        guard let busy = phase("busy"), let calm else { return nil }
        return .bursts(calm: calm, busy: busy)
    }
}
