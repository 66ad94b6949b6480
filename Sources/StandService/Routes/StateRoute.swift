import Dispatch
import HTTPServer
import JuiceStand
import StandExperiments
import StandState

/// The route that hands out the state of the stand, for experiments that start from it.
///
/// The state determines the random numbers to come. So only those who may read the state folder get it.
struct StateRoute: Sendable {
    let control: StandControl
    private let writing = DispatchQueue(label: "state", qos: .utility)

    var route: Route {
        Route(
            .get, "/api/v1/state",
            .init(
                name: "state",
                summary: "The state of the stand, for juicestand simulate --socket. Only over the Unix socket",
                answer: .text(Self.mediaType), problems: [.conflict, .unprocessableContent], isLocal: true)
        ) { [control, writing] _, _ in
            .later { reply in
                control.inspect({ stand, time, _ in (stand, time) }) { present in
                    // Writing a large state takes a while, and must not hold up the stand.
                    writing.async { reply.send(Self.response(present)) }
                }
            }
        }
    }

    static let mediaType = "application/octet-stream"

    private static func response(_ present: (stand: Stand, time: SimulationTime)?) -> HTTPResponse {
        guard var (stand, time) = present else { return HTTPResponse(ForecastDeskError.ended) }
        do throws(ForecastError) { time = try Experiment.Start.present(of: stand, at: time) } catch {
            return HTTPResponse(.impossible(error))
        }
        // Sets the clock of the copy to the present, and drops its figures from before.
        stand.endWarmUp(at: time)
        let saved = StateSnapshot(stand, IdempotencyCache(), nil, ledger: nil)
        return HTTPResponse(type: mediaType, content: saved.file(generation: 0))
    }
}
