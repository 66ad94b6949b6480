import TextFormats

/// The unit of the values of a distribution.
enum DistributionUnit: Sendable {
    /// Numbers of seconds, or durations with a unit.
    case seconds
    /// Plain numbers.
    case count
}

/// The forms of a distribution: one for each family, and that of values with weights.
package enum DistributionTable {
    /// A row of the table in the guide.
    package typealias Row = (name: String, parameters: [String], about: String, residual: String)

    package static let rows: [Row] =
        Distribution.families.map { ($0.name, $0.parameters.map(\.name), $0.about, $0.residual) }
        + [("empirical", ["values", "weights"], aboutEmpirical, "inversion")]

    private static let aboutEmpirical = "One of some values, by their relative weights; without weights all are equal."

    fileprivate static let seconds = form(.seconds).described(ConfigurationSchema.reference("distributionOfSeconds"))
    fileprivate static let counts = form(.count).described(ConfigurationSchema.reference("distributionOfCounts"))

    private static func form(_ unit: DistributionUnit) -> Form<Distribution> {
        let laws = Distribution.families.map { setting($0, unit) } + [empirical(.amount(unit))]
        let law = Form.oneOf(laws, must: ", the name of a law: \(rows.map(\.name).joined(separator: ", "))")
        return Form<Double>.amount(unit).mapped({ Distribution.constant($0) }, back: { $0.parameters.values[0] })
            .or(law, where: { $0.parameters.family != "constant" })
    }

    /// The definition of a distribution, to which the schemas of keys refer.
    static func schema(_ unit: DistributionUnit) -> JSONValue { form(unit).shape.schema }

    private static func setting(_ family: Distribution.Family, _ unit: DistributionUnit) -> Setting<Distribution?> {
        let names = family.parameters.map(\.name)
        let settings = family.parameters.enumerated().map { index, parameter in
            Setting<[Double]>(
                parameter.name, \.[index], form(parameter.values, unit), required: "a number", parameter.about)
        }
        let object = Form.object(Array(repeating: 0, count: names.count), settings) { found, values in
            guard family.isInOrder else { return true }
            let low = names.indices.dropFirst().filter { values[$0] < values[$0 - 1] }
            for index in low { found[names[index]]?.mustBe("at least \"\(names[index - 1])\"") }
            return low.isEmpty
        }
        return Setting(choosing: family.name, object, family.about, family.make) { distribution in
            let parameters = distribution.parameters
            return parameters.family == family.name ? parameters.values : nil
        }
    }

    private static func form(_ values: Distribution.ParameterValues, _ unit: DistributionUnit) -> Form<Double> {
        switch values {
        case .amount(let least): .amount(unit, least: least)
        case .number(let range): .number(range)
        case .positive(let range): .positive(range)
        case .whole(let range): Form.integer(range).mapped({ Double($0) }, back: { Int($0) })
        }
    }

    private static func empirical(_ amount: Form<Double>) -> Setting<Distribution?> {
        typealias Values = (values: [Double], weights: [Double]?)
        let form = Form<Values>.object(
            (values: [], weights: nil),
            [
                Setting(
                    "values", \.values, .list(amount, of: "numbers"), required: "a list of numbers",
                    "The possible values."),
                Setting(
                    "weights", \.weights, .list(.number(0...1e300), of: "numbers"),
                    "Their weights. By default all are equal."),
            ]
        ) { found, law in
            guard let weights = law.weights else { return true }
            if weights.count == law.values.count, weights.contains(where: { $0 > 0 }) { return true }
            found["weights"]?.problem("must be \(law.values.count) numbers, one for each value and not all 0")
            return false
        }
        let make = { @Sendable (law: Values) in
            let weights = law.weights ?? Array(repeating: 1, count: law.values.count)
            return Distribution.empirical(.init(values: law.values, weights: weights))
        }
        return Setting(choosing: "empirical", form, aboutEmpirical, make) {
            if case .empirical(let law) = $0 { (values: law.values, weights: law.weights) } else { nil }
        }
    }
}

extension Form where Value == Distribution {
    /// A constant, or an object with the one key that names a law.
    static func distribution(_ unit: DistributionUnit) -> Form {
        switch unit {
        case .seconds: DistributionTable.seconds
        case .count: DistributionTable.counts
        }
    }
}
