import Dispatch
import JuiceStand
import Platform
import StandState

extension RunningStand {
    /// The stand to run, and its outputs.
    package struct Options: Sendable {
        package var settings: StandSettings
        package var wiring: WiringChoice
        /// Stand seconds per wall second.
        package var speed: Double
        /// Stand time at which the stand closes; `never` if it stays open.
        package var horizon: SimulationTime
        /// Wall time after which the stand closes; nil if it stays open.
        package var duration: SimulationTime?
        package var ledger: String?
        /// The folder of the state, from which the next start resumes; nil for none.
        package var state: String?
        /// The disk through which state and ledger are written, if there is a state.
        package var disk: any Disk = SystemDisk()
        /// When to save a snapshot in the state folder.
        package var saving = SavingRule.usual
        /// How far to forecast; nil to forecast only when somebody asks.
        package var forecast: SimulationTime?
        /// The poll interval for whether the next forecast is due, in wall time.
        package var forecastInterval = DispatchTimeInterval.seconds(2)
        package var display: Display
        package var logsAsJSON: Bool
        /// Reads the configuration again; nil if there is none to read.
        package var reloading: (@Sendable () throws(ConfigurationError) -> StandSettings)?

        package init(
            settings: StandSettings, wiring: WiringChoice, speed: Double, horizon: SimulationTime,
            duration: SimulationTime?, ledger: String?, display: Display, logsAsJSON: Bool
        ) {
            self.settings = settings
            self.wiring = wiring
            self.speed = speed
            self.horizon = horizon
            self.duration = duration
            self.ledger = ledger
            self.display = display
            self.logsAsJSON = logsAsJSON
        }
    }

    /// The output on standard output while the stand is open.
    package enum Display: Sendable {
        /// Levels and counts, redrawn in place.
        case live
        /// One line per fact.
        case text
        case none
    }

    /// How a run ended.
    package struct Outcome: Sendable {
        package var stand: Stand
        package var lateness: LiveDriver.Lateness
        /// See ``LiveDriver/Outcome/behind``.
        package var behind: SimulationTime
        /// Wall time from a fact's post until every observer had handled it, as far as it was timed.
        package var deliveries: Histogram
        /// Outputs that could not be written, each with the number of lines missing.
        package var failures: [(error: FileError, linesLost: Int)]
        /// The reasons why the state was not saved completely before the end. The next start repairs it.
        package var causes: [String]
    }
}
