import JuiceStand
import Platform
import StandExperiments
import TextFormats

/// Who hears of a simulation: nobody, the observers of `run`, or a ledger.
final class SimulationAudience: Sendable {
    private let isObserved: Bool
    private let ledger: (file: FileLineSink, menu: Menu)?

    /// - Throws: where a ledger can't be begun, or is asked for of more than one replication.
    init(_ options: Options, _ stand: StandOptions, _ experiment: Experiment) throws(CommandFailure) {
        isObserved = options.has("--observed")
        guard let path = stand.ledger else {
            ledger = nil
            return
        }
        let isOne = experiment.replications == 1 && experiment.settings.count == 1
        guard isOne, experiment.precisions.isEmpty, experiment.shard == nil else {
            throw CommandFailure(.usage, "--ledger is of one replication of one setting")
        }
        do { ledger = (try FileLineSink(newFile: path), stand.settings.menu) } catch {
            throw CommandFailure(.cannotCreate, "\(error.path): \(error.reason)")
        }
    }

    /// Why the ledger ends early; nil where it does not.
    var failure: FileError? { ledger?.file.failure }

    /// The audience of one replication.
    @Sendable func make(_ settings: StandSettings) -> Audience {
        guard isObserved || ledger != nil else { return .nobody }
        let wiring = (WiringChoice(rawValue: settings.wiring) ?? .notification).makeWiring()
        // Wirings hold observers as they please, some of them weakly.
        var observers: [AnyObject] = []
        let counter = OrderCounter()
        if isObserved { observers += [StockDisplay(), LowStockAlerter(), counter] }
        let logger = ledger.map { StandLogger(.ledger, menu: $0.menu, sink: $0.file, flushAt: 1 << 16) }
        if let logger { observers.append(logger) }
        for observer in observers { wiring.connect(observer) }
        return Audience(wiring) { [isObserved] stand in
            logger?.flush()
            defer { withExtendedLifetime(observers) {} }
            guard isObserved, stand.tally.start == .zero, counter.served != stand.tally.served else { return nil }
            return
                "was heard wrongly: \(Columns.counted(counter.served, "order")) served in place of \(stand.tally.served)"
        }
    }

    /// - Throws: where the ledger is not whole.
    func check() throws(CommandFailure) {
        guard let ledger, let failure = ledger.file.failure else { return }
        throw CommandFailure(
            .inputOutput,
            "\(failure.path): \(failure.reason); the ledger ends with its last whole line, "
                + "\(Columns.counted(ledger.file.linesLost, "line")) \(ledger.file.linesLost == 1 ? "is" : "are") lost"
        )
    }
}
