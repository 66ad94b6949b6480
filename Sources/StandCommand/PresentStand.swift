import HTTPServer
import JuiceStand
import StandExperiments
import StandService
import StandState
import TextFormats

/// A stand as it is now: from the state directory of one that is down, or from the socket of one that runs.
struct PresentStand {
    let stand: Stand
    let time: SimulationTime
    /// The state directory or the socket.
    let source: String

    /// The configuration of a stand, with every default filled in.
    struct Configuration {
        var text: [UInt8]
        /// For error messages.
        var source: String
    }

    var configuration: Configuration { .init(text: Array(stand.settings.resolved().compact().utf8), source: source) }

    /// - Parameter path: A state directory or a socket.
    init(_ path: String, _ options: Options, _ output: Output) throws(CommandFailure) {
        source = path
        guard !SocketFile.isSocket(path) else {
            stand = try Self.read(StandSession(options, output, format: .json, socket: path))
            time = stand.now
            return
        }
        do {
            let dormant = try DormantStand(path)
            (stand, time) = (dormant.stand, dormant.time)
        } catch {
            if case .inUse = error {
                throw CommandFailure(.stateInUse, "\(error); use the socket of that stand (juicestand status)")
            }
            throw CommandFailure(reading: error)
        }
    }

    private static func read(_ session: StandSession) throws(CommandFailure) -> Stand {
        let answer = try session.request(.get, "state")
        guard answer.isSuccess else { throw StandSession.failure(answer) }
        do {
            return try SavedStand(answer.content, source: session.socket).makeStand(file: session.socket)
        } catch {
            guard case .otherSchema = error else { throw CommandFailure(reading: error) }
            throw CommandFailure(
                .inputOutput, "\(session.socket): the answer is no state of this version; is the stand another version?"
            )
        }
    }
}
