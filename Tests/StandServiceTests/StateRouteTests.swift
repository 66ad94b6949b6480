import JuiceStand
import StandClient
import StandService
import StandState
import TestSupport
import Testing

/// The route that hands out the state of a stand.
@Suite(.serialized, .onItsOwnThread)
struct StateRouteTests {
    @Test func `the Unix socket hands out the state, and TCP does not`() throws {
        let stand = try OpenStand()
        _ = try stand.client.send(.post, "/api/v1/pause")
        let answer = try stand.client.send(.get, "/api/v1/state")
        #expect(answer.isSuccess)
        let copy = try SavedStand(answer.content, source: "state").makeStand(file: "state")
        #expect(copy.now == stand.control.status.time && copy.factsAnnounced == stand.control.status.sequence)
        let refused = try stand.overTCP(
            "GET /api/v1/state", fields: "Authorization: Bearer \(stand.server.token.text)\r\n")
        #expect(refused.hasPrefix("HTTP/1.1 403 ") && refused.contains("only the Unix socket"), "\(refused)")
    }
}
