import Platform
import TextFormats

/// What a distribution's values are measured in.
enum DistributionUnit {
    /// Numbers of seconds, or durations with a unit.
    case seconds
    /// Plain numbers.
    case count

    /// The range of plain numbers.
    static let counts = 0...1e9
}

extension Section {
    /// A law: a constant, or an object with the one key that names it.
    func distribution(_ key: String) -> Distribution? {
        let unit = unit(key)
        guard let node = node(key) else { return nil }
        return LawReader(report: report, unit: unit).read(node, path(of: key))
    }
}

private struct LawReader {
    let report: ProblemReport
    let unit: DistributionUnit

    func read(_ node: JSONNode, _ path: String) -> Distribution? {
        guard case .object = node.value else { return value(node, path).map { .constant($0) } }
        guard let section = Section(node, path: path, .law(unit), report) else { return nil }
        if section.count != 1 {
            let names = section.knownKeys.joined(separator: ", ")
            report.add(node.place, path, "must have one key, the name of a law: \(names)")
        }
        // All are read, so that one too many hides nothing that is wrong with another.
        return section.all.map { member in
            section.section(member.key).flatMap { law(LawName(rawValue: member.key)!, $0) }
        }.first ?? nil
    }

    private func law(_ name: LawName, _ p: Section) -> Distribution? {
        switch name {
        case .exponential: return scale(p, "mean").map { .exponential(mean: $0) }
        case .uniform: return ordered(p, "from", "to").map { .uniform(from: $0, to: $1) }
        case .triangular:
            let (from, mode, to) = (value(p, "from"), value(p, "mode"), value(p, "to"))
            guard let from, let mode, let to else { return nil }
            let isOrdered = [isOrdered(p, from, mode, "from", "mode"), isOrdered(p, mode, to, "mode", "to")]
            return isOrdered == [true, true] ? .triangular(from: from, mode: mode, to: to) : nil
        case .normal: return both(value(p, "mean"), value(p, "deviation")).map { .normal(mean: $0, deviation: $1) }
        case .lognormal:
            return both(scale(p, "mean"), value(p, "deviation")).map { .lognormal(mean: $0, deviation: $1) }
        case .gamma: return both(shape(p), scale(p, "mean")).map { .gamma(shape: $0, mean: $1) }
        case .erlang: return both(p.integer("stages"), scale(p, "mean")).map { .erlang(stages: $0, mean: $1) }
        case .weibull: return both(shape(p), scale(p, "scale")).map { .weibull(shape: $0, scale: $1) }
        case .poisson: return p.number("mean").map { .poisson(mean: $0) }
        case .geometric: return p.number("mean").map { .geometric(mean: $0) }
        case .empirical: return empirical(p)
        }
    }

    private func empirical(_ p: Section) -> Distribution? {
        let values = p.list("values", "numbers", value)
        guard let weights = weights(p, count: values?.count), let values else { return nil }
        return .empirical(.init(values: values, weights: weights))
    }

    /// - Parameter count: of the values; nil where they are wrong themselves.
    private func weights(_ p: Section, count: Int?) -> [Double]? {
        guard let node = p.node("weights") else { return Array(repeating: 1, count: count ?? 0) }
        guard let weights = p.numbers("weights", "numbers"), let count else { return nil }
        guard weights.count == count, weights.contains(where: { $0 > 0 }) else {
            report.add(node.place, p.path(of: "weights"), "must be \(count) numbers, one for each value and not all 0")
            return nil
        }
        return weights
    }

    // MARK: - Numbers in the unit

    /// From 0.
    private func value(_ node: JSONNode, _ path: String) -> Double? {
        switch unit {
        case .seconds: report.duration(node, path)?.seconds
        case .count: report.number(node, path, DistributionUnit.counts)
        }
    }

    private func value(_ p: Section, _ key: String) -> Double? { p.node(key).flatMap { value($0, p.path(of: key)) } }

    /// A mean or scale, above 0.
    private func scale(_ p: Section, _ key: String) -> Double? {
        guard let value = value(p, key) else { return nil }
        return value >= p.least(key) ? value : tooSmall(p, key, "1e-9")
    }

    private func shape(_ p: Section) -> Double? {
        let range = p.numberRange("shape")
        guard let value = p.node("shape").flatMap({ report.number($0, p.path(of: "shape"), 0...range.upperBound) })
        else { return nil }
        return value >= range.lowerBound ? value : tooSmall(p, "shape", "\(range.lowerBound)")
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

    private func both<A, B>(_ a: A?, _ b: B?) -> (A, B)? {
        guard let a, let b else { return nil }
        return (a, b)
    }
}
