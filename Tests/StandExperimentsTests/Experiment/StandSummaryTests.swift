import JuiceStand
import Reports
import StandExperiments
import Testing

@Suite(.timeLimit(.minutes(60)))
struct StandSummaryTests {
    private func row(_ name: String, _ values: [(String, [Double])]) -> String {
        let metrics = values.map { Estimate(name: $0.0, of: $0.1.map { Optional($0) }) }
        return StandSummary(metrics, currency: "EUR").figures.first { $0.name == name }?.value ?? ""
    }

    private static let served: [(String, [Double])] = [
        ("customers.arrived", [1234]), ("customers.served", [1000]), ("customers.balked", [34]),
        ("customers.reneged", [0]), ("customers.soldOut", [200]), ("customers.present", [0]),
    ]

    @Test(arguments: [
        (1.0, "1,000 (81%), 1 cup"), (0, "1,000 (81%), 0 cups"), (2, "1,000 (81%), 2 cups"),
        (1234, "1,000 (81%), 1,234 cups"), (1.5, "1,000 (81%), 1.50 cups"),
    ])
    func `numbers and nouns agree`(cups: Double, text: String) {
        #expect(row("served", Self.served + [("cups.served", [cups])]) == text)
    }

    @Test func `customers who were lost are told by reason, the most frequent first`() {
        #expect(row("lost", Self.served) == "234 (19%): sold out 200, queue full 34")
        #expect(row("lost", Self.served + [("customers.notOnMenu", [300])]).contains("not on the menu 300"))
        #expect(row("lost", [("customers.arrived", [3]), ("customers.soldOut", [0])]) == "0")
    }

    @Test func `means have their intervals, and figures their units`() {
        let waits: [(String, [Double])] = [
            ("wait.p50", [60, 70]), ("wait.p95", [100, 104]), ("wait.max", [3600, 3600]),
        ]
        #expect(row("wait", waits) == "median 65 s, 95% within 102 ± 25 s, longest 60 min")
        #expect(row("wait", []) == "nobody was served")
        let makers: [(String, [Double])] = [("makers.utilization", [0.503]), ("makers.onDuty.hours", [16])]
        #expect(row("makers", makers) == "busy 50.3% of the time, on duty for 16 h")
        #expect(row("makers", []) == "unlimited")
    }

    @Test func `the profit comes first where there are costs`() {
        let revenue: [(String, [Double])] = [("revenue", [10]), ("cost.total", [0]), ("profit", [10])]
        #expect(row("money", revenue) == "10.00 EUR revenue, 0.00 EUR costs")
        let both: [(String, [Double])] = [("revenue", [10]), ("cost.total", [4]), ("profit", [6])]
        #expect(row("money", both) == "6.00 EUR profit: 10.00 EUR revenue, 4.00 EUR costs")
    }

    @Test func `the fruit that was short longest comes first`() {
        let fruits: [(String, [Double])] = [
            ("stock.kiwi.shortFraction", [0.1]), ("stock.red.apple.shortFraction", [0.25]),
            ("alerts.lowStock", [1]), ("restock.kiwi.orders", [2]), ("spoiled.kiwi", [3]),
        ]
        #expect(
            row("fruit", fruits)
                == "red.apple short 25% of the time, 1 low-stock alert, 2 restocking orders, 3 pieces spoiled")
    }
}
