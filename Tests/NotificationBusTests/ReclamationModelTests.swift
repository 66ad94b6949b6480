import Testing

/// The protocol that frees observers without a lock on the path of a post, in every interleaving of small cases.
@Suite(.timeLimit(.minutes(60)))
struct ReclamationModelTests {
    typealias Model = ReclamationModel

    static let cases: [[Model.Role]] = [
        [.post(times: 2), .cancel(0)],
        [.post(times: 2), .cancel(0), .cancel(1)],
        [.post(times: 1), .post(times: 1), .cancel(0)],
        [.post(times: 2), .replace],
        [.post(times: 1), .replace, .cancel(1)],
        [.post(times: 2), .replace, .cancel(0)],
        [.post(times: 1, cancelling: [0: 0])],
        [.post(times: 2, cancelling: [0: 1]), .post(times: 1)],
        [.post(times: 1, cancelling: [0: 0]), .post(times: 1, cancelling: [0: 0])],
        [.post(times: 1, cancelling: [0: 0, 1: 1]), .replace],
        [.post(times: 1, cancelling: [0: 1]), .replace, .cancel(0)],
    ]

    @Test(arguments: cases)
    func `nothing is freed in use, nothing is called too late, and nothing is left`(roles: [Model.Role]) throws {
        let states = try Model.explore(roles)
        #expect(states > 20)
    }

    @Test(arguments: Model.Fault.allCases)
    func `without any one step of the protocol the exploration finds what goes wrong`(fault: Model.Fault) {
        // The first violation ends the search: most faults show early.
        #expect(throws: Model.Violation.self) {
            for roles in Self.cases { _ = try Model.explore(roles, fault: fault) }
        }
    }
}
