import JuiceStand
import StandClient
import StandService
import TestSupport
import Testing
import TextFormats

/// The wiring of a running stand, over its socket.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct WiringRouteTests {
    /// Fruit never runs out, however late the question comes.
    private let busy =
        #"{"makers": "unlimited", "fruits": {"kiwi": {"initial": "unlimited"}}, "menu": {"kiwi juice": {"recipe": {"kiwi": 3}}},"#
        + #""customers": {"arrivals": {"poisson": {"perSecond": 50}}}}"#

    private func facts(_ json: JSONValue?) -> [String: JSONValue] {
        Dictionary(uniqueKeysWithValues: (json?["facts"]?.elements ?? []).map { ($0["fact"]?.text ?? "", $0) })
    }

    @Test func `a measurement counts the posts of its time and says what it costs`() throws {
        let stand = try OpenStand(busy, wiring: .notification, ledger: true)
        let before = stand.control.status.sequence
        let answer = try stand.client.send(.get, "/api/v1/wiring?for=1s")
        let after = stand.control.status.sequence
        #expect(answer.isSuccess, "\(answer.text)")
        let json = try #require(answer.json)
        let facts = facts(json)
        #expect(facts.count == FactKind.allCases.count)
        let count = facts.values.reduce(0) { $0 + ($1["count"]?.whole ?? 0) }
        #expect(count > 0 && count <= after - before && json["unheard"]?["count"]?.whole == 0)
        let placed = try #require(facts["orderPlaced"])
        #expect(placed["postedBy"]?.text == "orders")
        let seconds = try #require(json["seconds"]?.seconds)
        #expect(seconds >= 1)
        let rate = try #require(placed["perSecond"]?.seconds)
        #expect(abs(rate * seconds - Double(placed["count"]?.whole ?? -1)) < 0.001)
        let observers = try #require(placed["observers"]?.elements)
        #expect(observers.map { $0["observer"]?.text } == ["StockDisplay", "ledger"])
        #expect(
            observers.allSatisfy { $0["calls"] == placed["count"] && ($0["mean"]?.seconds ?? 0) > 0 }, "\(answer.text)")
        #expect((json["pricePerCall"]?.seconds ?? 0) > 0 && json["slowest"]?["observer"]?.text != nil)
    }

    @Test func `other wirings have counts but no times of calls`() throws {
        let stand = try OpenStand(busy, wiring: .closure)
        let json = try stand.client.send(.get, "/api/v1/wiring?for=0.2").json
        #expect(json?["pricePerCall"] == .null && json?["slowest"] == nil && json?["wiring"]?.text == "closure")
        let facts = facts(json)
        #expect((facts["orderPlaced"]?["count"]?.whole ?? 0) > 0)
        #expect(facts["orderPlaced"]?["observers"]?.elements.first?["calls"] == .null)
        // Without a ledger, nobody observes these.
        #expect(json?["unheard"]?["facts"]?.elements.compactMap(\.text).contains("configurationChanged") == true)
        #expect(facts["configurationChanged"]?["count"] == .null)
    }

    @Test func `questions at the same time share a measurement`() async throws {
        let stand = try OpenStand(busy, wiring: .notification)
        let socket = stand.folder + "/socket"
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    try await onItsOwnThread { try StandClient(path: socket).send(.get, "/api/v1/wiring?for=1s").text }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 3 && Set(answers).count == 1)
    }

    @Test(arguments: ["0", "61s", "soon", "-1"])
    func `a wrong time is refused`(text: String) throws {
        let stand = try OpenStand()
        let answer = try stand.client.send(.get, "/api/v1/wiring?for=\(text)")
        #expect(answer.status == 400)
        #expect(
            answer.json?["detail"]?.text == "for must be a duration above 0 and up to 60s, such as 500ms or 5s",
            "\(answer.text)")
    }
}
