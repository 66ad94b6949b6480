import TextFormats

/// What a distribution's values are measured in.
enum DistributionUnit {
    /// Numbers of seconds, or durations with a unit.
    case seconds
    /// Plain numbers.
    case count
}

extension Section {
    /// A law: a constant, or an object with the one key that names it.
    func distribution(_ key: String, _ unit: DistributionUnit = .seconds) -> Distribution? {
        guard let node = node(key) else { return nil }
        return LawReader(report: report, unit: unit).read(node, path(of: key))
    }
}

/// The laws by the keys that name them in a configuration.
enum LawName: String, CaseIterable {
    case exponential, uniform, triangular, normal, lognormal, gamma, erlang, weibull, poisson, geometric, empirical
}

private struct LawReader {
    let report: ProblemReport
    let unit: DistributionUnit

    func read(_ node: JSONNode, _ path: String) -> Distribution? {
        guard case .object = node.value else { return value(node, path).map { .constant($0) } }
        guard let section = Section(node, path: path, keys: LawName.allCases.map(\.rawValue), report) else {
            return nil
        }
        if section.count != 1 {
            let names = LawName.allCases.map(\.rawValue).joined(separator: ", ")
            report.add(node.place, path, "must have one key, the name of a law: " + names)
        }
        // All are read, so that one too many hides nothing that is wrong with another.
        return section.all.map { law(LawName(rawValue: $0.key)!, section) }.first ?? nil
    }

    private func law(_ name: LawName, _ section: Section) -> Distribution? {
        switch name {
        case .exponential:
            return parameters(section, name, ["mean"]).flatMap { p in
                positive(p, "mean").map { .exponential(mean: $0) }
            }
        case .uniform:
            return parameters(section, name, ["from", "to"]).flatMap { p in
                ordered(p, "from", "to").map { .uniform(from: $0, to: $1) }
            }
        case .triangular:
            return parameters(section, name, ["from", "mode", "to"]).flatMap { p in
                let (from, mode, to) = (value(p, "from"), value(p, "mode"), value(p, "to"))
                guard let from, let mode, let to else { return nil }
                let isOrdered = [isOrdered(p, from, mode, "from", "mode"), isOrdered(p, mode, to, "mode", "to")]
                return isOrdered == [true, true] ? .triangular(from: from, mode: mode, to: to) : nil
            }
        case .normal:
            return meanAndDeviation(section, name, meanIsPositive: false).map { .normal(mean: $0, deviation: $1) }
        case .lognormal:
            return meanAndDeviation(section, name, meanIsPositive: true).map { .lognormal(mean: $0, deviation: $1) }
        case .gamma:
            return parameters(section, name, ["shape", "mean"]).flatMap { p in
                both(plain(p, "shape"), positive(p, "mean")).map { .gamma(shape: $0, mean: $1) }
            }
        case .erlang:
            return parameters(section, name, ["stages", "mean"]).flatMap { p in
                let stages = p.has("stages") ? p.integer("stages", 1...1_000_000) : missing(p, "stages")
                return both(stages, positive(p, "mean")).map { .erlang(stages: $0, mean: $1) }
            }
        case .weibull:
            return parameters(section, name, ["shape", "scale"]).flatMap { p in
                both(plain(p, "shape"), positive(p, "scale")).map { .weibull(shape: $0, scale: $1) }
            }
        case .poisson:
            return parameters(section, name, ["mean"]).flatMap { p in
                (p.has("mean") ? p.number("mean", 0...1e9) : missing(p, "mean")).map { .poisson(mean: $0) }
            }
        case .geometric:
            return parameters(section, name, ["mean"]).flatMap { p in
                (p.has("mean") ? p.number("mean", 1...1e9) : missing(p, "mean")).map { .geometric(mean: $0) }
            }
        case .empirical:
            return parameters(section, name, ["values", "weights"]).flatMap(empirical)
        }
    }

    private func parameters(_ section: Section, _ law: LawName, _ keys: [String]) -> Section? {
        section.section(law.rawValue, keys: keys)
    }

    private func meanAndDeviation(_ section: Section, _ law: LawName, meanIsPositive: Bool) -> (Double, Double)? {
        guard let p = parameters(section, law, ["mean", "deviation"]) else { return nil }
        return both(meanIsPositive ? positive(p, "mean") : value(p, "mean"), value(p, "deviation"))
    }

    private func empirical(_ p: Section) -> Distribution? {
        let values = list(p, "values", value)
        guard let weights = weights(p, count: values?.count), let values else { return nil }
        return .empirical(.init(values: values, weights: weights))
    }

    /// - Parameter count: of the values; nil where they are wrong themselves.
    private func weights(_ p: Section, count: Int?) -> [Double]? {
        guard let node = p.node("weights") else { return Array(repeating: 1, count: count ?? 0) }
        guard let weights = list(p, "weights", { report.number($0, $1, 0...1e300) }), let count else { return nil }
        guard weights.count == count, weights.contains(where: { $0 > 0 }) else {
            report.add(node.place, p.path(of: "weights"), "must be \(count) numbers, one for each value and not all 0")
            return nil
        }
        return weights
    }

    private func list(
        _ p: Section, _ key: String, _ read: (JSONNode, String) -> Double?
    ) -> [Double]? {
        guard let node = p.node(key) else { return missing(p, key, "a list of numbers") }
        guard case .array(let nodes) = node.value, !nodes.isEmpty else {
            if !node.isInvalid {
                report.add(node.place, p.path(of: key), "must be a list of numbers, found \(node.found)")
            }
            return nil
        }
        let numbers = nodes.enumerated().map { read($1, "\(p.path(of: key))[\($0)]") }
        return numbers.allSatisfy { $0 != nil } ? numbers.compactMap { $0 } : nil
    }

    // MARK: - Numbers in the unit

    /// From 0.
    private func value(_ node: JSONNode, _ path: String) -> Double? {
        switch unit {
        case .seconds: report.duration(node, path)?.seconds
        case .count: report.number(node, path, 0...1e9)
        }
    }

    private func value(_ p: Section, _ key: String) -> Double? {
        guard let node = p.node(key) else { return missing(p, key) }
        return value(node, p.path(of: key))
    }

    private func positive(_ p: Section, _ key: String) -> Double? {
        guard let value = value(p, key) else { return nil }
        return value >= 1e-9 ? value : tooSmall(p, key, "1e-9")
    }

    /// A shape.
    private func plain(_ p: Section, _ key: String) -> Double? {
        guard let node = p.node(key) else { return missing(p, key) }
        guard let value = report.number(node, p.path(of: key), 0...1e9) else { return nil }
        return value >= 1e-3 ? value : tooSmall(p, key, "0.001")
    }

    private func ordered(_ p: Section, _ low: String, _ high: String) -> (Double, Double)? {
        guard let (from, to) = both(value(p, low), value(p, high)), isOrdered(p, from, to, low, high) else {
            return nil
        }
        return (from, to)
    }

    private func isOrdered(_ p: Section, _ from: Double, _ to: Double, _ low: String, _ high: String) -> Bool {
        if from > to, let node = p.node(high) {
            report.add(node.place, p.path(of: high), "must be at least \"\(low)\", found \(node.found)")
        }
        return from <= to
    }

    private func tooSmall(_ p: Section, _ key: String, _ least: String) -> Double? {
        let node = p.node(key)!
        let bound = if case .number(0, _) = node.value { "more than 0" } else { "at least \(least)" }
        report.add(node.place, p.path(of: key), "must be \(bound), found \(node.found)")
        return nil
    }

    private func missing<Value>(_ p: Section, _ key: String, _ expected: String = "a number") -> Value? {
        p.reportMissing(key, expected)
        return nil
    }

    private func both<A, B>(_ a: A?, _ b: B?) -> (A, B)? {
        guard let a, let b else { return nil }
        return (a, b)
    }
}
