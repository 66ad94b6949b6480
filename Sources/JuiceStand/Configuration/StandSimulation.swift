import NotificationBus

/// A stand to run in a program of one's own: configured by text, observed through a notification center.
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

    /// A stand described by the text of a configuration, JSON5; what it leaves out takes its default, and `{}` is the standard
    /// menu with ten of each fruit.
    ///
    /// - Throws: ``InvalidConfiguration`` with everything that is wrong.
    public init(configuration: String) throws(InvalidConfiguration) {
        do {
            settings = try StandConfiguration(Array(configuration.utf8), source: "configuration").settings
        } catch {
            throw InvalidConfiguration(error)
        }
    }

    /// A stand described by a file.
    ///
    /// - Throws: ``InvalidConfiguration`` with everything that is wrong, also where the file can't be read.
    public init(contentsOf path: String) throws(InvalidConfiguration) {
        do { settings = try StandConfiguration(file: path).settings } catch { throw InvalidConfiguration(error) }
    }

    /// The names of the fruits and juices in the facts.
    public var menu: Menu { settings.menu }

    /// Runs the stand in virtual time from its opening, posting every fact to `center`.
    ///
    /// The same seed gives the same facts, whoever observes.
    /// - Parameters:
    ///   - duration: of stand time; a trace that ends earlier ends the run.
    ///   - center: Called on this thread, from within the run.
    /// - Returns: the figures of the run, in the order and with the names of `juicestand simulate`.
    /// - Complexity: O(*n* log *m*) for *n* events, *m* of them expected at a time
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

/// Why a configuration could not be used.
public struct InvalidConfiguration: Error, Equatable, Sendable, CustomStringConvertible {
    /// One line for each thing that is wrong, with its place and what would be right.
    public let problems: [String]

    init(_ error: ConfigurationError) {
        problems =
            switch error {
            case .invalid(let problems), .badTrace(let problems): problems.map(\.description)
            case .unreadable(let path, let reason): ["\(path): \(reason)"]
            }
    }

    public var description: String { problems.joined(separator: "\n") }
}
