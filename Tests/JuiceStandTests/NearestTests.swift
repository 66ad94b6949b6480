import JuiceStand
import Testing

private let keys = ["stand", "opens", "seed", "wiring", "currency", "fruits", "menu", "makers", "queue", "customers"]

@Test(
    arguments: [
        ("seeds", "seed"), ("esed", "seed"), ("Makers", "makers"), ("maker", "makers"), ("frutis", "fruits"),
        ("costumers", "customers"), ("curency", "currency"), ("queu", "queue"), ("STAND", "stand"), ("menu", "menu"),
        ("price", nil), ("", nil), ("x", nil), ("store", nil), (String(repeating: "stand", count: 100_000), nil),
    ] as [(String, String?)])
func `the nearest candidate is named only when it is near`(word: String, expected: String?) {
    #expect(nearest(word, among: keys) == expected)
}

@Test func `of equally near candidates the first is named`() {
    #expect(nearest("cap", among: ["cup", "map", "cap2"]) == "cup")
    #expect(nearest("a", among: ["b", "ab"]) == "ab")
    #expect(nearest("a", among: []) == nil)
}
