// `customers`: how they come, what they want and how long they wait.

extension SettingsReader {
    private static let arrivalKeys = ["poisson", "renewal", "profile", "bursts", "trace"]

    func readCustomers(
        _ section: Section, _ menu: Menu, opens: Int64?, traceIsRead: Bool
    ) throws(ConfigurationError) -> (StandSettings.Customers, opens: Int64?) {
        var customers = StandSettings.Customers()
        guard let section = section.section("customers", keys: ["arrivals", "cups", "patience", "whenSoldOut"]) else {
            return (customers, opens)
        }
        customers.cups = section.distribution("cups", .count) ?? customers.cups
        if case .constant(let cups) = customers.cups, cups > Double(CustomerGenerator.mostCups) {
            report.add(
                section.node("cups")!.place, section.path(of: "cups"),
                "must be at most \(CustomerGenerator.mostCups), found \(section.node("cups")!.found)")
        }
        customers.patience = section.distribution("patience")
        customers.whenSoldOut = section.choice("whenSoldOut") ?? customers.whenSoldOut
        guard let arrivals = section.section("arrivals", keys: Self.arrivalKeys) else { return (customers, opens) }
        if arrivals.count != 1 {
            let list = Self.arrivalKeys.joined(separator: ", ")
            report.add(arrivals.place, arrivals.path, "must have one key, the way customers come: \(list)")
        }
        // All are read, so that one too many hides nothing that is wrong with another.
        for law in arrivals.all where law.key != "trace" {
            customers.arrivals = readArrivals(law.key, arrivals) ?? customers.arrivals
        }
        guard arrivals.has("trace"), let request = traces.request(arrivals, menu, report), traceIsRead,
            report.problems.isEmpty
        else { return (customers, opens) }
        let (trace, opening) = try traces.load(request, menu, opens: opens)
        customers.arrivals = .trace(trace)
        return (customers, opening)
    }

    /// Whether a section of customers tells of orders that were real.
    func hasTrace(_ section: Section) -> Bool {
        guard case .object(let customers)? = section.node("customers")?.value,
            case .object(let arrivals)? = customers.first(where: { $0.key == "arrivals" })?.node.value
        else { return false }
        return arrivals.contains { $0.key == "trace" }
    }

    private func readArrivals(_ law: String, _ arrivals: Section) -> Arrivals? {
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
        default:
            return arrivals.section("bursts", keys: ["calm", "busy"]).flatMap(readBursts)
        }
    }

    private func rate(_ section: Section) -> Double? {
        guard section.has("perSecond") else {
            section.reportMissing("perSecond", "customers a second")
            return nil
        }
        return section.number("perSecond", 0...1e9)
    }

    private func readProfile(_ profile: Section) -> Arrivals? {
        if !profile.has("every") { profile.reportMissing("every", "a duration") }
        let every = profile.duration("every")
        let repeats = profile.bool("repeat") ?? false
        guard let node = profile.node("perSecond") else {
            profile.reportMissing("perSecond", "a list of rates")
            return nil
        }
        guard case .array(let nodes) = node.value, !nodes.isEmpty else {
            if !node.isInvalid {
                report.add(node.place, profile.path(of: "perSecond"), "must be a list of rates, found \(node.found)")
            }
            return nil
        }
        let rates = nodes.enumerated().compactMap {
            report.number($1, "\(profile.path(of: "perSecond"))[\($0)]", 0...1e9)
        }
        guard let every, rates.count == nodes.count else { return nil }
        return .profile(every: every, perSecond: rates, repeats: repeats)
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
