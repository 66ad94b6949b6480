import JuiceStand
import Testing
import TextFormats

private let keys = ["stand", "opens", "seed", "wiring", "currency", "fruits", "menu", "makers", "queue", "customers"]

@Test(
    arguments: [
        ("seeds", "seed"), ("esed", "seed"), ("Makers", "makers"), ("maker", "makers"), ("frutis", "fruits"),
        ("costumers", "customers"), ("curency", "currency"), ("queu", "queue"), ("STAND", "stand"), ("menu", "menu"),
        ("price", nil), ("", nil), ("x", nil), ("store", nil), (String(repeating: "stand", count: 100_000), nil),
    ] as [(String, String?)])
func `suggests the nearest candidate only if it is near`(word: String, expected: String?) {
    #expect(nearest(word, among: keys) == expected)
}

@Test(arguments: [
    ("banana", ["banana juice", "strawberry banana juice"]), ("kiwi juise", ["kiwi juice"]),
    ("MANGO", ["mango juice", "mango kiwi juice"]), ("grape", []), ("", []),
    ("juice", ["strawberry juice", "banana juice", "kiwi juice", "pineapple juice"]),
    ("망고쥬스", ["망고쥬스"]), ("딸바", ["딸바쥬스"]), ("bananna", ["banana juice"]), ("mangi kiwi", ["mango kiwi juice"]),
])
func `suggests the nearest candidate and those that contain the word`(word: String, expected: [String]) {
    let menu = Menu.standard
    #expect(likely(word, among: menu.juiceNames) == expected)
    let names = expected.map { "\"\($0)\"" }.joined(separator: " or ")
    #expect(hint(word, among: menu.juiceNames) == (expected.isEmpty ? "" : "; did you mean \(names)?"))
}

@Test func `of equally near candidates suggests the one that the word resembles most`() {
    #expect(nearest("cap", among: ["map", "cup", "cop"]) == "cup")
    #expect(nearest("cap", among: ["cup", "map", "cap2"]) == "cap2")
    #expect(nearest("--sped", among: ["--seed", "--speed"]) == "--speed")
    #expect(nearest("wait.p59", among: ["wait.p50", "wait.p95", "wait.p99"]) == "wait.p95")
    #expect(nearest("a", among: ["b", "ab"]) == "ab")
    #expect(nearest("a", among: []) == nil)
}
