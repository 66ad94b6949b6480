import TextFormats

// `customers.arrivals`: the arrival laws.

extension Arrivals {
    static let form = Form.oneOf(
        laws, must: ", the name of an arrival law: \(laws.map(\.key.name).joined(separator: ", "))")

    /// Customers per second. Gaps are rounded to whole nanoseconds, which makes the rate too high by about 1/(24·*g*²)
    /// for a mean gap of *g* nanoseconds: 0.0004% at the highest rate here, but 4% at 10⁹ per second.
    ///
    /// - Parameter seconds: The seconds in the unit of the rate, such as 60 for customers per minute.
    private static func rate(per seconds: Double) -> Form<Double> {
        Form<Double>.number(0...1e7 * seconds).mapped({ $0 / seconds }, back: { $0 * seconds })
    }

    private typealias Profile = (every: SimulationTime, perSecond: [Double], repeats: Bool)
    private typealias Bursts = (calm: Phase, busy: Phase)

    private static let laws: [Setting<Arrivals?>] = [
        Setting(
            choosing: "poisson", .object(0, [perSecond(\.self)]),
            "Customers at a constant rate, independent of each other.", Arrivals.poisson
        ) {
            if case .poisson(let perSecond) = $0 { perSecond } else { nil }
        },
        Setting(choosing: "renewal", gaps, "The time between two customers.", Arrivals.renewal) {
            if case .renewal(let gaps) = $0 { gaps } else { nil }
        },
        Setting(choosing: "profile", profile, "A rate that changes with time.") {
            .profile(every: $0.every, perSecond: $0.perSecond, repeats: $0.repeats)
        } parameters: {
            guard case .profile(let every, let perSecond, let repeats) = $0 else { return nil }
            return (every: every, perSecond: perSecond, repeats: repeats)
        },
        Setting(choosing: "bursts", bursts, "A rate that alternates between two phases.") {
            .bursts(calm: $0.calm, busy: $0.busy)
        } parameters: {
            if case .bursts(let calm, let busy) = $0 { (calm: calm, busy: busy) } else { nil }
        },
        Setting(choosing: "week", week, "A rate by time of day and day of the week.", Arrivals.week) {
            if case .week(let week) = $0 { week } else { nil }
        },
        Setting(choosing: "trace", Trace.Source.form, "The orders of a file.") {
            .trace(Trace(source: $0, lines: []))
        } parameters: {
            if case .trace(let trace) = $0 { trace.source } else { nil }
        },
    ]

    private static func perSecond<Root>(_ place: ValuePath<Root, Double>) -> Setting<Root> {
        Setting(rate: place, required: "customers per second", "Customers per second.", rate)
    }

    private static func every<Root>(_ place: ValuePath<Root, SimulationTime>) -> Setting<Root> {
        Setting("every", place, .duration, required: "a duration", "How long each rate holds.")
    }

    /// Gaps between customers. Customers that come faster than every 100 ns can't be told apart in stand time.
    private static let gaps = spans(of: 100, "100 nanoseconds", unit: "nanosecond", perSecond: 1e9)

    /// The law of gaps or phases, which are 0 no more than ten thousand times in a row on average.
    ///
    /// - Parameters:
    ///   - least: The least size of the law, in its unit.
    ///   - words: `least` in the words of the error message.
    private static func spans(
        of least: Double, _ words: String, unit: String, perSecond: Double
    ) -> Form<Distribution> {
        Form.distribution(.seconds).checked { law, _ in
            guard law.size >= least / perSecond else {
                return "must be \(words) or longer, found \(Columns.counted(law.size * perSecond, unit))"
            }
            guard law.shareOfZeros > 0.9999 else { return nil }
            return "must be 0 in at most 99.99% of the draws, found \(Columns.factor(law.shareOfZeros * 100))%"
        }
    }

    private static let profile = Form<Profile>.object(
        (every: .zero, perSecond: [], repeats: false),
        [
            every(\.every),
            Setting(rate: \.perSecond, required: "a list of rates", "The rates in turn.") {
                .list(rate(per: $0), of: "rates")
            },
            Setting("repeat", \.repeats, .flag, "Whether it starts again after the last rate."),
        ])

    private static let bursts: Form<Bursts> = {
        let none = Phase(perSecond: 0, lasting: .constant(1))
        let lasting = spans(of: 1, "a millisecond", unit: "millisecond", perSecond: 1e3)
        let phase = Form.object(
            none,
            [
                perSecond(\.perSecond),
                Setting("lasting", \.lasting, lasting, required: "a distribution", "How long the phase lasts."),
            ])
        let required = #"{"perSecond": …, "lasting": …}"#
        return .object(
            (calm: none, busy: none),
            [
                Setting("calm", \.calm, phase, required: required, "The phase at the opening."),
                Setting("busy", \.busy, phase, required: required, "The other phase."),
            ])
    }()

    private static let week: Form<Week> = {
        let followers = Form.object(
            Followers(share: 0, after: .constant(0)),
            [
                Setting(
                    "share", \.share, .number(0...0.9999), required: "a share from 0 to below 1",
                    "The probability that a party is followed by another, and that one again."),
                Setting(
                    "after", \.after, .distribution(.seconds), required: "a distribution",
                    "The time between the two."),
            ])
        return .object(
            // The opening is not known here.
            Week(every: .zero, perSecond: noRates, isSameEveryDay: true, level: nil, opening: .zero),
            [
                every(\.every),
                Setting(
                    rate: \.rates, required: "a list of rates", "The rates of every day, or of each day of the week.",
                    ratesOfDays),
                Setting("level", \.level, .distribution(.count), "A factor on the rates, drawn once a day."),
                Setting(
                    "spacing", \.spacing, .duration, "The least time between two parties. The default is 0."),
                Setting("followers", \.followers, followers, "Parties that follow others soon."),
            ]
        ) { found, week in
            let entries = (CalendarTime.day + week.every.nanoseconds - 1) / week.every.nanoseconds
            let longest = week.perSecond.map(\.count).max() ?? 0
            if longest > entries {
                let every = found["every"]?.text ?? ""
                found.rate?.problem("must have at most \(entries) entries of \(every) a day, found \(longest)")
            }
            return true
        }
    }()

    private static let noRates: [[Double]] = Array(repeating: [], count: 7)

    /// One list for every day, or an object with lists by day.
    private static func ratesOfDays(per seconds: Double) -> Form<Week.Rates> {
        let list = Form<[Double]>.list(rate(per: seconds), of: "rates")
        let days = Form<[[Double]]>.object(
            noRates,
            Weekday.short.enumerated().map { index, day in
                Setting(day, \.[index], list, isLeftOut: \.isEmpty, "The rates of this day, from midnight on.")
            })
        let everyDay = list.mapped({ Week.Rates(Array(repeating: $0, count: 7), true) }, back: { $0.perSecond[0] })
        let byDay = days.mapped({ Week.Rates($0, false) }, back: { $0.perSecond })
        return everyDay.or(byDay) { !$0.isSameEveryDay }
    }
}

extension Arrivals.Week {
    fileprivate typealias Rates = (perSecond: [[Double]], isSameEveryDay: Bool)

    fileprivate var rates: Rates {
        get { (perSecond, isSameEveryDay) }
        set { (perSecond, isSameEveryDay) = newValue }
    }
}

// MARK: - Units of rates

extension Setting {
    /// A rate that is given per second, per minute or per hour. A resolved configuration has it per second.
    ///
    /// - Parameter form: Makes the form of a rate from the seconds of its unit.
    fileprivate init<Value>(
        rate place: ValuePath<Root, Value>, required: String, _ about: String,
        _ form: (_ seconds: Double) -> Form<Value>
    ) {
        let forms = Found.unitsOfRates.map { (name: $0.name, form: form($0.seconds)) }
        let spellings = forms.map { name, form in
            let isFirst = name == forms[0].name
            return ConfigurationKey.Spelling(
                name: name, shape: form.shape, about: isFirst ? about : "Replaces \(forms[0].name).")
        }
        self.init(key: ConfigurationKey(spellings: spellings, required: required)) { object, root in
            let given = forms.filter { object[$0.name] != nil }
            for other in given.dropFirst() {
                object.problem(at: other.name, "must not stand beside \(given[0].name): a rate has one unit")
            }
            let values = given.map { name, form in object[name].flatMap(form.read) }
            guard let value = values.first ?? nil else { return false }
            root[keyPath: place] = value
            return true
        } write: { root, purpose in
            forms[0].form.write(root[keyPath: place], purpose)
        }
    }
}

extension Found {
    fileprivate static let unitsOfRates = [
        (name: "perSecond", seconds: 1.0), (name: "perMinute", seconds: 60), (name: "perHour", seconds: 3600),
    ]

    /// The rate of an object in any unit.
    fileprivate var rate: Found? { Self.unitsOfRates.lazy.compactMap { self[$0.name] }.first }
}
