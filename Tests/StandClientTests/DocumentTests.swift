import JuiceStand
import StandClient
import Testing
import TextFormats

/// The documents of a stand: what one side writes, the other reads.
struct DocumentTests {
    private static let status: JSONValue = [
        "stand": "corner", "phase": "open", "opens": "2026-05-04T08:00:00", "seed": 9_007_199_254_740_993,
        "time": .number(600.5),
        "speed": nil, "behind": ["seconds": .number(0.5), "share": .number(0.25)], "rate": 2, "sequence": 12,
        "makers": .null,
        "stock": ["mango": 5, "ice": .null], "forecast": .null, "waits": ["p50": 30, "p95": .null, "p99": .null],
        "alerts": [["seq": 2, "at": 12, "event": "lowStock", "fruit": "kiwi", "level": 4, "threshold": 5]],
    ]

    @Test func `a document that was written is read again, member by member`() throws {
        let status = try #require(StatusDocument(ofStand: Self.status))
        #expect(status.stock["mango"] == 5 && status.stock["ice"] == .some(nil) && status.stock["kiwi"] == nil)
        #expect(status.seed == 9_007_199_254_740_993 && status.makers == nil && status.alerts.first?.sequence == 2)
        let json = status.json
        #expect(StatusDocument(json: json) == status)
        for member in Self.status.members { #expect(json[member.key]?.compact() == member.value.compact()) }
        // Members of an instant alone, and the page of a stand without one, are left out.
        for key in ["line", "making", "events", "url"] { #expect(json[key] == nil) }
        #expect(json["speed"] == .null)
    }

    @Test func `what is missing or of another kind keeps its default`() throws {
        let figures: JSONValue = [
            "queue": "many", "orders": -1, "lost": [], "behind": 3, "stock": ["kiwi": "x", "ice": 2],
        ]
        let status = try #require(StatusDocument(json: figures))
        #expect(status.queue == 0 && status.orders == 0 && status.lost == [:] && status.behind == nil)
        #expect(status.stock == ["ice": 2] && status.rate == 1)
        #expect(StatusDocument(ofStand: figures) == nil && StatusDocument(json: []) == nil)
    }

    @Test func `an order that has left tells nothing but that`() throws {
        let left = OrderDocument().with(\.order, 7).with(\.state, "left")
        #expect(left.json == ["order": 7, "state": "left"])
        let lost = left.with(\.state, "lost").with(\.placed, .some(nil)).with(\.reason, "soldOut")
        #expect(lost.json == ["order": 7, "state": "lost", "placed": .null, "reason": "soldOut"])
        #expect(OrderDocument(json: lost.json) == lost && OrderDocument(json: left.json) == left)
    }

    @Test func `a schema lists the members that are always there, and which of them may be null`() {
        let schema = StatusDocument.Order.schema
        #expect(schema["required"] == ["order", "juice", "cups", "placed"])
        #expect(schema["properties"]?.members.map(\.key) == ["order", "juice", "cups", "placed", "started"])
        #expect(StatusDocument.schema["properties"]?["makers"] == ["type": ["integer", "null"], "minimum": 0])
        #expect(StatusDocument.schema["properties"]?["behind"]?["type"] == ["object", "null"])
    }
}
