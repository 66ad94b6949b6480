import TestSupport
import Testing

/// The protocol that frees observers without a lock on the path of a post, in every interleaving of small cases.
@Suite(.timeLimit(.minutes(60)))
struct ReclamationModelTests {
    typealias Model = ReclamationModel

    struct Case: CustomTestStringConvertible {
        var programs: [[Model.Action]]
        var observers = 2
        /// Whether it has more than 15,000 states, too many for every run of the tests; see ``Study``.
        var isLarge = false
        /// The faults that it shows soonest.
        var shows: [Model.Fault] = []
        var testDescription: String { "\(programs)" }
    }

    static let cases: [Case] = [
        Case(programs: [[.post(), .post()], [.cancel(0, waits: true)]]),
        Case(programs: [[.post(), .post()], [.cancel(0)], [.cancel(1)]], observers: 2),
        Case(programs: [[.post()], [.post()], [.cancel(0, waits: true)]], observers: 1, isLarge: true),
        Case(programs: [[.post(), .post()], [.replace()]]),
        Case(programs: [[.post()], [.replace()], [.cancel(1)]], shows: [.slotIsReadBeforeItIsAnnounced]),
        Case(programs: [[.post(), .post()], [.replace()], [.cancel(0)]], isLarge: true),
        Case(programs: [[.post(cancelling: [0: 0])]], shows: [.noBarrierAfterDebt]),
        Case(programs: [[.post(cancelling: [0: 1]), .post()], [.post()]]),
        Case(
            programs: [[.post(cancelling: [0: 0])], [.post(cancelling: [0: 0])]],
            shows: [.noSecondLook, .frameOfAnotherThread]),
        Case(
            programs: [[.post(cancelling: [0: 0, 1: 1])], [.replace()]],
            shows: [.slotsAreNotAnnounced, .retiredRacksAreForgotten]),
        Case(programs: [[.post(cancelling: [0: 1])], [.replace()], [.cancel(0)]], isLarge: true),
        // Threads that come and go.
        Case(programs: [[.enroll, .post()], [.cancel(0)]], shows: [.noFenceAfterEnrolling]),
        Case(programs: [[.enroll, .post()], [.post()], [.cancel(0)]], observers: 1, isLarge: true),
        Case(programs: [[.post(), .end], [.enroll, .post()], [.cancel(0)]], observers: 1, isLarge: true),
        Case(
            programs: [[.post(), .end], [.post(), .end], [.cancel(0)]], observers: 1, isLarge: true,
            shows: [.leftRecordLeadsNowhere]),
        Case(programs: [[.end], [.end, .enroll, .post()], [.cancel(0)]], observers: 1),
        Case(
            programs: [[.post(endsInside: true)], [.cancel(0, waits: true)]], shows: [.endedThreadPaysForItsLastCall]),
        Case(
            programs: [[.post(endsInside: true)], [.replace()], [.cancel(0)]],
            shows: [.noBarrierAfterBurying, .rackIsNotChecked, .laterRacksAreFreedToo]),
        Case(
            programs: [[.post(cancelling: [0: 0], endsInside: true)], [.cancel(1)]],
            shows: [.noDebt, .endedThreadStaysInPlace]),
        Case(
            programs: [[.post(endsInside: true)], [.enroll, .post()], [.cancel(0, waits: true)]], observers: 1,
            isLarge: true),
        // The memory of a rack serves another channel.
        Case(
            programs: [[.post()], [.replace(), .replace(channel: 1), .cancel(1)]], observers: 1,
            shows: [.onlyOwnChannelIsPaid]),
        Case(programs: [[.post(), .post(channel: 1)], [.replace(), .replace(channel: 1), .cancel(0)]], observers: 1),
        Case(programs: [[.post(endsInside: true)], [.replace(), .replace(channel: 1), .cancel(1)]], observers: 1),
        Case(
            programs: [[.post(), .replace(channel: 1), .post(channel: 1)], [.replace(), .post(cancelling: [0: 0])]],
            observers: 1, isLarge: true, shows: [.slotsOfFreedRacksAreKept]),
    ]

    @Test(arguments: cases.filter { Study.isFull || !$0.isLarge })
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
        #expect(throws: Model.Violation.self) {
            for example in Self.cases where example.shows.contains(fault) {
                _ = try Model.explore(example.programs, observers: example.observers, fault: fault)
            }
        }
    }
}
