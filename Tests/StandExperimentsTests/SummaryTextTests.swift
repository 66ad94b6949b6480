import JuiceStand
import StandExperiments
import Testing

@Suite(.timeLimit(.minutes(60)))
struct SummaryTextTests {
    private func totals(_ values: [(String, Double)]) -> [String] {
        let metrics = values.map { Estimate(name: $0.0, of: [$0.1]) }
        return SummaryText(metrics: metrics, currency: "EUR").text().split(separator: "\n").prefix(2)
            .map(String.init)
    }

    private static let rest: [(String, Double)] = [
        ("customers.served", 1), ("customers.balked", 0), ("customers.reneged", 0), ("customers.soldOut", 0),
        ("customers.present", 0), ("revenue", 4.5),
    ]

    @Test(arguments: [
        (1.0, "1 customer came: ", "1 cup for "), (0, "0 customers came: ", "0 cups for "),
        (2, "2 customers came: ", "2 cups for "), (1234, "1,234 customers came: ", "1,234 cups for "),
        (1.5, "1.50 customers came: ", "1.50 cups for "),
    ])
    func `numbers and nouns agree`(number: Double, customers: String, cups: String) {
        let lines = totals([("customers.arrived", number), ("cups.served", number)] + Self.rest)
        #expect(lines[0].hasPrefix("  " + customers) && lines[1].hasPrefix("  " + cups), "\(lines)")
    }

    @Test func `orders that are not on the menu are mentioned`() {
        let asked = totals([("customers.arrived", 3), ("customers.notOnMenu", 2)] + Self.rest)
        #expect(
            asked[0]
                == "  3 customers came: 1 served, 0 still present, 2 lost (queue full 0, sold out 0, out of patience 0, not on the menu 2)"
        )
        let nobody = totals([("customers.arrived", 1)] + Self.rest)
        #expect(
            nobody[0]
                == "  1 customer came: 1 served, 0 still present, 0 lost (queue full 0, sold out 0, out of patience 0)")
    }
}
