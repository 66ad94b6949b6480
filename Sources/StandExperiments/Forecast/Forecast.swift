import JuiceStand
import Platform
import TextFormats

/// A forecast of a stand from now on: many futures of each course of action, with the same random numbers.
///
/// ``Futures`` says what is known and what is drawn. `Forecast+Running.swift` runs the futures.
package struct Forecast: Sendable {
    /// How far and how finely to look.
    package struct Span: Hashable, Sendable {
        /// Stand time from now to the horizon.
        package let length: SimulationTime
        /// The interval between instants with levels and the queue.
        package let every: SimulationTime
        package let replications: Int

        /// - Parameter every: Nil: 15 minutes or a hundredth of the length, if that is longer; at most the length.
        package init(
            length: SimulationTime = SimulationTime(seconds: 4 * 3600), every: SimulationTime? = nil,
            replications: Int = 1000
        ) {
            self.length = length
            let usual = SimulationTime(nanoseconds: max(900_000_000_000, length.nanoseconds / 100))
            self.every = every ?? min(length, usual)
            self.replications = replications
        }

        /// The number of instants with levels.
        var instants: Int { Int(length.nanoseconds / every.nanoseconds) }

        package static let mostInstants = 1000
        package static let mostReplications = 100_000
        /// The most levels and metrics kept at a time, over all futures: 480 MB.
        private static let mostValues = 30_000_000

        /// - Throws: ``ForecastError/invalid(_:)`` if there is no instant with levels, or there are too many.
        package func checkInstants() throws(ForecastError) {
            guard every > .zero, every <= length, instants <= Self.mostInstants else {
                throw .invalid(
                    "every must be at most in and at least a \(Columns.grouped(Self.mostInstants))th of it, found "
                        + "\(Columns.readable(every.seconds)) s in \(Columns.readable(length.seconds)) s")
            }
        }

        fileprivate func check() throws(ForecastError) {
            guard (1...Self.mostReplications).contains(replications) else {
                throw .invalid(
                    "replications must be from 1 to \(Columns.grouped(Self.mostReplications)), found "
                        + "\(Columns.grouped(replications))")
            }
            try checkInstants()
        }

        /// - Parameter metrics: The number of metrics of all courses together.
        fileprivate func checkValues(courses: Int, fruits: Int, metrics: Int) throws(ForecastError) {
            guard courses * instants * (fruits + 1) + metrics <= Self.mostValues / replications else {
                throw .tooLarge(
                    "too many levels and metrics at a time; use fewer replications, fewer changes or a longer every")
            }
        }
    }

    /// A course of action: the stand as it is, or with a change made now.
    package struct Course: Sendable {
        /// The change made now; nil for none.
        package var change: ForecastChange?
        /// The changed keys of the configuration; empty for none.
        package var set: [JSONValue.Member]
        /// How the stand goes on with the keys in `set`; nil if `set` is empty.
        fileprivate(set) var goingOn: VirtualDriver.GoingOn?
        /// The metrics of its futures; empty until the course is part of a forecast.
        fileprivate(set) var metricNames: [String] = []

        package init(change: ForecastChange? = nil, set: [JSONValue.Member] = []) {
            self.change = change
            self.set = set
        }
    }

    let start: Experiment.Start
    /// The fruits that can run out.
    let fruits: [Fruit]
    package let span: Span
    /// The first course changes nothing.
    package let courses: [Course]

    var menu: Menu { start.settings.menu }
    var now: SimulationTime { start.origin.at }
    var horizon: SimulationTime { now + span.length }

    /// - Parameters:
    ///   - stand: An open stand.
    ///   - time: Now. If an event is late, the forecast is from that event's time on.
    ///   - seed: The seed of the futures; nil for the stand's own.
    ///   - courses: The courses to compare with the stand as it is.
    /// - Throws: ``ForecastError``
    package init(
        of stand: Stand, at time: SimulationTime, _ span: Span = Span(), seed: UInt64? = nil,
        comparing courses: [Course] = []
    ) throws(ForecastError) {
        start = try Experiment.Start(of: stand, at: time, seed: seed)
        let now = start.origin.at
        try span.check()
        guard now + span.length < .never else { throw .tooLarge("in must end within 292 years of opening") }
        self.span = span
        fruits = stand.settings.menu.allFruits.filter { stand.maker.stock(of: $0) != nil }
        var checked: [Course] = []
        for var course in [Course()] + courses {
            course.goingOn = try Self.goingOn(course.set, from: start)
            var trial = stand
            try course.begin(&trial, at: now, FactPublisher(WiringChoice.closure.makeWiring()))
            course.metricNames = trial.metrics(at: now).map(\.name)
            checked.append(course)
        }
        self.courses = checked
        try span.checkValues(
            courses: checked.count, fruits: stand.settings.menu.fruits.count,
            metrics: checked.reduce(0) { $0 + $1.metricNames.count })
    }

    private static func goingOn(
        _ set: [JSONValue.Member], from start: Experiment.Start
    ) throws(ForecastError) -> VirtualDriver.GoingOn? {
        guard !set.isEmpty else { return nil }
        let overrides = set.map {
            StandConfiguration.Override(
                source: "\($0.key)=\(SimulationResult.plain($0.value))", keyPath: $0.key, value: $0.value.compact())
        }
        let changed: StandSettings
        do {
            changed = try StandConfiguration(
                Array(start.settings.resolved().compact().utf8), source: "configuration", overrides: overrides
            ).settings
        } catch {
            throw .badConfiguration(error.lines)
        }
        try start.check(changed)
        return start.goingOn(with: changed)
    }
}

extension Forecast.Course {
    /// Makes the change now.
    func begin(_ stand: inout Stand, at time: SimulationTime, _ out: FactPublisher) throws(ForecastError) {
        if let goingOn { stand.reload(goingOn.settings, goingOn.changes, at: time, out) }
        try change?.make(in: &stand, at: time, out)
    }
}
