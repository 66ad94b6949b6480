import NotificationBus

/// A stand for use in another program: configured by text, observed through a notification center.
///
/// ```swift
/// let center = TypedNotificationCenter()
/// let token = center.observe(LowStock.self) { print("only \($0.level) left") }
/// let simulation = try StandSimulation(configuration: #"{"makers": 2}"#)
/// let figures = simulation.run(for: .seconds(8 * 3600), posting: center)
/// print(figures.first { $0.name == "wait.mean" }?.value ?? "nobody came")
/// ```
public struct StandSimulation: Sendable {
    private let settings: StandSettings

    /// A stand with the configuration in `configuration`, a JSON5 text. Absent keys take their defaults: `{}` is the
    /// standard menu with ten of each fruit. <doc:Configuration> describes the keys.
    ///
    /// - Throws: ``InvalidConfiguration`` with all problems.
    public init(configuration: String) throws(InvalidConfiguration) {
        do {
            settings = try StandConfiguration(Array(configuration.utf8), source: "configuration").settings
        } catch {
            throw InvalidConfiguration(error)
        }
    }

    /// A stand with the configuration in the JSON5 file at `path`.
    ///
    /// - Throws: ``InvalidConfiguration`` with all problems, or with the reason why a file cannot be read.
    public init(contentsOf path: String) throws(InvalidConfiguration) {
        do { settings = try StandConfiguration(file: path).settings } catch { throw InvalidConfiguration(error) }
    }

    /// The menu of the configuration. It gives the names of the fruits and juices in the facts.
    public var menu: Menu { settings.menu }

    /// Runs the stand in virtual time from its opening and posts every fact to `center`.
    ///
    /// The same configuration and seed give the same facts on every run, with any observers.
    ///
    /// - Parameters:
    ///   - duration: Stand time, not negative and at most 292 years. The run ends earlier with the last order of a
    ///     trace.
    ///   - center: Its observers are called synchronously on the calling thread.
    /// - Returns: The metrics of the whole run, with the names and in the order of <doc:Results>.
    /// - Complexity: O(*n* log *m*) for *n* events with up to *m* scheduled at a time.
    @discardableResult
    public func run(for duration: Duration, posting center: TypedNotificationCenter) -> [Metric] {
        let (seconds, attoseconds) = duration.components
        let horizon = SimulationTime(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        let wiring = NotificationWiring(center: center)
        wiring.alsoAnnounce(.all)
        var stand = Stand(settings)
        VirtualDriver(horizon: horizon).run(&stand, wiring)
        return stand.metrics(at: stand.now)
    }
}

/// Why a configuration cannot be used.
///
/// ```swift
/// do { _ = try StandSimulation(configuration: #"{"makers": 0}"#) } catch { error.problems.forEach { print($0) } }
/// ```
public struct InvalidConfiguration: Error, Equatable, Sendable, CustomStringConvertible {
    /// One line for each problem: its place, the key path, what is wrong, and what is expected. Never empty.
    public let problems: [String]

    init(_ error: ConfigurationError) { problems = error.lines }

    /// The problems, one on each line.
    public var description: String { problems.joined(separator: "\n") }
}
