import JuiceStand
import StandClient
import StandService
import TestSupport
import Testing

/// The stand of the process, as its live display uses it.
@Suite(.timeLimit(.minutes(60)), .onItsOwnThread)
struct OwnStandTests {
    @Test func `the user learns why an order was lost`() async throws {
        let stand = try OpenStand()
        let own = OwnStand(stand.control)
        func order(_ juice: String) async -> LiveRefusal? {
            await withCheckedContinuation { continuation in
                own.make(.order(juice: juice, cups: 1)) { continuation.resume(returning: $0) }
            }
        }
        #expect(await order("banana juice") == nil)
        guard case .problem(let problem)? = await order("strawberry juice") else {
            Issue.record("a lost order is not told")
            return
        }
        #expect(problem.detail == "not enough fruit for strawberry juice: 6 more strawberry needed")
        withExtendedLifetime(stand) {}
    }
}
