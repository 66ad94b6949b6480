import HTTPServer
import JuiceStand
import StandClient
import StandState

/// A stand as it is now: from the state directory of one that is down, or from the socket of one that runs.
struct PresentStand {
    let stand: Stand
    let time: SimulationTime
    /// The state directory or the socket.
    let source: String

    static let state = Option("--state", "DIR", .text, "starts from the state of a stand that is down")

    /// The stand that `--state` or `--socket` names; nil without either.
    init?(_ options: Options, _ output: Output) throws(CommandFailure) {
        if let stopped = try Self.stopped(options) {
            (stand, time, source) = stopped
        } else {
            guard let socket = options[ServiceOptions.socket] else { return nil }
            source = socket
            stand = try Self.read(StandSession(options, output, format: .json))
            time = stand.now
        }
    }

    /// The stand that is down in the folder of `--state`; nil without it.
    static func stopped(
        _ options: Options
    ) throws(CommandFailure) -> (stand: Stand, time: SimulationTime, folder: String)? {
        guard let folder = options[state] else { return nil }
        if options.has(ServiceOptions.socket) {
            throw CommandFailure(.usage, "--state reads a stand that is down; it cannot be used with --socket")
        }
        do {
            let stopped = try StoppedStand(folder)
            return (stopped.stand, stopped.time, folder)
        } catch {
            if case .inUse = error {
                throw CommandFailure(
                    .stateInUse,
                    "\(error.lines[0]); use --socket PATH with the socket of that stand (juicestand status)")
            }
            throw CommandFailure(reading: error)
        }
    }

    private static func read(_ session: StandSession) throws(CommandFailure) -> Stand {
        let answer = try session.request(.get, "state")
        guard answer.isSuccess else { throw StandSession.failure(answer) }
        do {
            return try StateSnapshot(answer.content, source: "\(session.target)").makeStand(file: "\(session.target)")
        } catch {
            guard case .otherSchema = error else { throw CommandFailure(reading: error) }
            throw CommandFailure(
                .inputOutput, "\(session.target): the answer is no state of this version; is the stand another version?"
            )
        }
    }
}
