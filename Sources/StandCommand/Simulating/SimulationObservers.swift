import JuiceStand
import Platform
import StandExperiments
import TextFormats

/// The observers of a simulation: none, those of `run`, or a ledger.
final class SimulationObservers: Sendable {
    private let isObserved: Bool
    private let ledger: (file: FileLineSink, menu: Menu)?

    /// - Throws: ``CommandFailure`` if the ledger cannot be created, or more than one replication would write to it.
    init(_ options: Options, _ stand: StandOptions, _ experiment: Experiment) throws(CommandFailure) {
        isObserved = options[SimulateCommand.observed]
        guard let path = stand.ledger else {
            ledger = nil
            return
        }
        let isOne = experiment.replications == 1 && experiment.settings.count == 1
        guard isOne, experiment.precisions.isEmpty, experiment.shard == nil else {
            throw CommandFailure(.usage, "--ledger needs a single replication of a single setting")
        }
        try ResultOptions.claim(path)
        do { ledger = (try FileLineSink(newFile: path), stand.settings.menu) } catch {
            throw CommandFailure(.cannotCreate, error)
        }
    }

    /// The write error that ended the ledger early; nil if there was none.
    var failure: FileError? { ledger?.file.failure }

    /// The observers of one replication.
    @Sendable func make(_ settings: StandSettings) -> Audience {
        guard isObserved || ledger != nil else { return .nobody }
        let wiring = (WiringChoice(rawValue: settings.wiring) ?? .notification).makeWiring()
        let logger = ledger.map { StandLogger(.ledger, menu: $0.menu, sink: $0.file, flushAt: 1 << 16) }
        let observers = StandObservers(loggers: logger.map { [$0] } ?? [])
        observers.connect(to: wiring)
        return Audience(wiring) { stand in
            observers.flush()
            let served = observers.display.current.served
            guard stand.tally.start == .zero, served != stand.tally.served else { return nil }
            return "delivery failed: the display counted \(Columns.counted(served, "served order")), the stand "
                + "\(stand.tally.served)"
        }
    }

    /// - Throws: ``CommandFailure`` if a ledger line was not written.
    func check() throws(CommandFailure) {
        guard let ledger, let failure = ledger.file.failure else { return }
        throw CommandFailure(
            .inputOutput,
            "\(failure.path): \(failure.reason); the ledger ends with its last complete line, "
                + "\(String.linesLost(ledger.file.linesLost))")
    }
}
