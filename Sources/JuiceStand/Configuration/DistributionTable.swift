import TextFormats

/// What the values of a distribution are measured in.
enum DistributionUnit: Sendable {
    /// Numbers of seconds, or durations with a unit.
    case seconds
    /// Plain numbers.
    case count
}

/// The laws of a distribution, each a row: its name, its parameters with their bounds, and how it is made of them.
package enum DistributionTable {
    /// The keys that name the laws.
    package static let names = laws(.seconds).map(\.key.name)

    fileprivate static let seconds = form(.seconds).described(ConfigurationSchema.reference("distributionOfSeconds"))
    fileprivate static let counts = form(.count).described(ConfigurationSchema.reference("distributionOfCounts"))

    private static func form(_ unit: DistributionUnit) -> Form<Distribution> {
        let law = Form.oneOf(laws(unit), must: ", the name of a law: \(names.joined(separator: ", "))")
        return Form<Double>.amount(unit).mapped({ Distribution.constant($0) }, back: { row(of: $0).parameters[0] })
            .or(law, where: { row(of: $0).name != "constant" })
    }

    /// The definition of a distribution, to which the schemas of keys refer.
    static func schema(_ unit: DistributionUnit) -> JSONValue { form(unit).shape.schema }

    private static func laws(_ unit: DistributionUnit) -> [Setting<Distribution?>] {
        let amount = Form<Double>.amount(unit)
        let positive = Form<Double>.amount(unit, least: 1e-9)
        let mean = Parameter("mean", positive, "The mean.")
        let meanFromZero = Parameter("mean", amount, "The mean.")
        let deviation = Parameter("deviation", amount, "The standard deviation.")
        let shape = Parameter("shape", .positive(1e-3...1e9), "The shape.")
        let scale = Parameter("scale", positive, "The scale.")
        let whole = Form.integer(1...1_000_000).mapped({ Double($0) }, back: { Int($0) })
        let stages = Parameter("stages", whole, "The number of stages.")
        let mode = Parameter("mode", amount, "The most likely value.")
        let from = Parameter("from", amount, "The smallest value.")
        let to = Parameter("to", amount, "The largest value.")
        return [
            law("exponential", [mean], "Exponential.") { .exponential(mean: $0[0]) },
            law("uniform", [from, to], inOrder: true, "Uniform.") { .uniform(from: $0[0], to: $0[1]) },
            law("triangular", [from, mode, to], inOrder: true, "Triangular.") {
                .triangular(from: $0[0], mode: $0[1], to: $0[2])
            },
            law("normal", [meanFromZero, deviation], "Normal; negative values are drawn again.") {
                .normal(mean: $0[0], deviation: $0[1])
            },
            law("lognormal", [mean, deviation], "Lognormal, by the mean and deviation of the variable itself.") {
                .lognormal(mean: $0[0], deviation: $0[1])
            },
            law("gamma", [shape, mean], "Gamma.") { .gamma(shape: $0[0], mean: $0[1]) },
            law("erlang", [stages, mean], "Erlang.") { .erlang(stages: Int($0[0]), mean: $0[1]) },
            law("weibull", [shape, scale], "Weibull.") { .weibull(shape: $0[0], scale: $0[1]) },
            law("poisson", [Parameter("mean", .number(0...1e9), "The mean.")], "Poisson, on 0, 1, 2, …") {
                .poisson(mean: $0[0])
            },
            law("geometric", [Parameter("mean", .number(1...1e9), "The mean.")], "Geometric, on 1, 2, 3, …") {
                .geometric(mean: $0[0])
            },
            empirical(amount),
        ]
    }

    /// The name of the law of a distribution, and its parameters in the order of the row.
    private static func row(of distribution: Distribution) -> (name: String, parameters: [Double]) {
        switch distribution {
        case .constant(let value): ("constant", [value])
        case .exponential(let mean): ("exponential", [mean])
        case .uniform(let from, let to): ("uniform", [from, to])
        case .triangular(let from, let mode, let to): ("triangular", [from, mode, to])
        case .normal(let mean, let deviation): ("normal", [mean, deviation])
        case .lognormal(let mean, let deviation): ("lognormal", [mean, deviation])
        case .gamma(let shape, let mean): ("gamma", [shape, mean])
        case .erlang(let stages, let mean): ("erlang", [Double(stages), mean])
        case .weibull(let shape, let scale): ("weibull", [shape, scale])
        case .poisson(let mean): ("poisson", [mean])
        case .geometric(let mean): ("geometric", [mean])
        case .empirical: ("empirical", [])
        }
    }

    private typealias Parameter = (name: String, form: Form<Double>, about: String)

    /// - Parameter inOrder: Whether no parameter may be below the one before it.
    private static func law(
        _ name: String, _ parameters: [Parameter], inOrder: Bool = false, _ about: String,
        make: @escaping @Sendable ([Double]) -> Distribution
    ) -> Setting<Distribution?> {
        let names = parameters.map(\.name)
        let settings = parameters.enumerated().map { index, parameter in
            Setting<[Double]>(parameter.name, \.[index], parameter.form, required: "a number", parameter.about)
        }
        let form = Form.object(Array(repeating: 0, count: names.count), settings) { found, values in
            guard inOrder else { return true }
            let low = names.indices.dropFirst().filter { values[$0] < values[$0 - 1] }
            for index in low { found[names[index]]?.mustBe("at least \"\(names[index - 1])\"") }
            return low.isEmpty
        }
        return Setting(choosing: name, form, about, make) { distribution in
            let row = row(of: distribution)
            return row.name == name ? row.parameters : nil
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
        return Setting(choosing: "empirical", form, "One of some values.", make) {
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
