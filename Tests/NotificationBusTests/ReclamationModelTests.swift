import Testing

/// The protocol that frees observers without a lock on the path of a post, in every interleaving of small cases.
@Suite(.timeLimit(.minutes(60)))
struct ReclamationModelTests {
    typealias Model = ReclamationModel

    struct Case: CustomTestStringConvertible {
        var programs: [[Model.Action]]
        var observers = 2
        var testDescription: String { "\(programs)" }
    }

    static let cases: [Case] = [
        Case(programs: [[.post(), .post()], [.cancel(0, waits: true)]]),
        Case(programs: [[.post(), .post()], [.cancel(0)], [.cancel(1)]], observers: 2),
        Case(programs: [[.post()], [.post()], [.cancel(0, waits: true)]], observers: 1),
        Case(programs: [[.post(), .post()], [.replace()]]),
        Case(programs: [[.post()], [.replace()], [.cancel(1)]]),
        Case(programs: [[.post(), .post()], [.replace()], [.cancel(0)]]),
        Case(programs: [[.post(cancelling: [0: 0])]]),
        Case(programs: [[.post(cancelling: [0: 1]), .post()], [.post()]]),
        Case(programs: [[.post(cancelling: [0: 0])], [.post(cancelling: [0: 0])]]),
        Case(programs: [[.post(cancelling: [0: 0, 1: 1])], [.replace()]]),
        Case(programs: [[.post(cancelling: [0: 1])], [.replace()], [.cancel(0)]]),
        // Threads that come and go.
        Case(programs: [[.enroll, .post()], [.cancel(0)]]),
        Case(programs: [[.enroll, .post()], [.post()], [.cancel(0)]], observers: 1),
        Case(programs: [[.post(), .end], [.enroll, .post()], [.cancel(0)]], observers: 1),
        Case(programs: [[.post(), .end], [.post(), .end], [.cancel(0)]], observers: 1),
        Case(programs: [[.end], [.end, .enroll, .post()], [.cancel(0)]], observers: 1),
        Case(programs: [[.post(endsInside: true)], [.cancel(0, waits: true)]]),
        Case(programs: [[.post(endsInside: true)], [.replace()], [.cancel(0)]]),
        Case(programs: [[.post(cancelling: [0: 0], endsInside: true)], [.cancel(1)]]),
        Case(programs: [[.post(endsInside: true)], [.enroll, .post()], [.cancel(0, waits: true)]], observers: 1),
        // The memory of a rack serves another channel.
        Case(programs: [[.post()], [.replace(), .replace(channel: 1), .cancel(1)]], observers: 1),
        Case(programs: [[.post(), .post(channel: 1)], [.replace(), .replace(channel: 1), .cancel(0)]], observers: 1),
        Case(programs: [[.post(endsInside: true)], [.replace(), .replace(channel: 1), .cancel(1)]], observers: 1),
        Case(
            programs: [[.post(), .replace(channel: 1), .post(channel: 1)], [.replace(), .post(cancelling: [0: 0])]],
            observers: 1),
    ]

    @Test(arguments: cases)
    func `nothing is freed in use, decided on too late, or left`(example: Case) throws {
        let states = try Model.explore(example.programs, observers: example.observers).states
        #expect(states > 20)
    }

    @Test func `a call that a post has decided on may begin after cancel returned`() throws {
        #expect(try Model.explore([[.post()], [.cancel(0)]]).windows > 0)
        #expect(
            try Model.explore([[.post(cancelling: [0: 1])]]).windows == 0, "a thread has no such window with itself")
    }

    @Test(arguments: Model.Fault.allCases)
    func `without any one step of the protocol the exploration finds what goes wrong`(fault: Model.Fault) {
        // The first violation ends the search, and most faults show with two threads.
        let smallFirst = Self.cases.sorted { $0.programs.count < $1.programs.count }
        #expect(throws: Model.Violation.self) {
            for example in smallFirst {
                _ = try Model.explore(example.programs, observers: example.observers, fault: fault)
            }
        }
    }
}
