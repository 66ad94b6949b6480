import JuiceStand
import TestSupport
import Testing

private func recipe(_ name: String) -> [String: Int]? {
    let menu = Menu.standard
    return menu.juice(named: name).map { juice in
        Dictionary(uniqueKeysWithValues: menu.recipe(of: juice).map { (menu.name(of: $0.fruit), $0.pieces) })
    }
}

// Source: the table of the original exercise.
@Test(arguments: [
    ("strawberry juice", "딸기쥬스", ["strawberry": 16]), ("banana juice", "바나나쥬스", ["banana": 2]),
    ("kiwi juice", "키위쥬스", ["kiwi": 3]), ("pineapple juice", "파인애플쥬스", ["pineapple": 2]),
    ("strawberry banana juice", "딸바쥬스", ["strawberry": 10, "banana": 1]), ("mango juice", "망고쥬스", ["mango": 3]),
    ("mango kiwi juice", "망키쥬스", ["mango": 2, "kiwi": 1]),
])
func `the standard menu has the recipe of the exercise`(name: String, korean: String, pieces: [String: Int]) throws {
    #expect(recipe(name) == pieces)
    let juice = try #require(Menu.standard.juice(named: name))
    #expect(Menu.standard.name(of: juice) == name)
    #expect(Menu.standard.juices[juice.index].names == [LocalizedName(language: "ko", name: korean)])
}

@Test func `the standard menu has five fruits and seven juices, in order`() {
    let menu = Menu.standard
    #expect(menu.allJuices.count == 7)
    #expect(menu.allJuices.map(menu.name(of:)) == menu.juices.map(\.name))
    #expect(menu.juices.first?.name == "strawberry juice")
    #expect(menu.juices.last?.name == "mango kiwi juice")
    #expect(menu.allFruits.map(menu.name(of:)) == ["strawberry", "banana", "kiwi", "pineapple", "mango"])
    #expect(menu.fruits.flatMap(\.names).map(\.name) == ["딸기", "바나나", "키위", "파인애플", "망고"])
    #expect(menu.allFruits == menu.fruits.map { menu.fruit(named: $0.name) })
    #expect(menu.fruit(named: "grape") == nil)
    #expect(menu.juice(named: "mango") == nil)
}

@Test func `names are found in Korean, juices in both spellings`() throws {
    let menu = Menu(
        fruits: [.init(name: "apple"), .init(name: "kiwi", names: [LocalizedName(language: "ko", name: "참다래")])],
        juices: [
            .init(name: "사과주스", recipe: [Ingredient(Fruit(index: 0), 1)]),
            .init(
                name: "kiwi juice", names: [LocalizedName(language: "ko", name: "키위쥬스")],
                recipe: [Ingredient(Fruit(index: 1), 1)]),
        ])
    for name in ["사과주스", "사과쥬스"] { #expect(menu.juice(called: name)?.index == 0) }
    for name in ["kiwi juice", "키위주스", "키위쥬스"] { #expect(menu.juice(called: name)?.index == 1) }
    #expect(menu.juice(called: "키위") == nil)
    #expect(menu.fruit(called: "사과")?.index == 0 && menu.fruit(called: "참다래")?.index == 1)
    #expect(menu.fruit(called: "키위") == nil && menu.fruit(called: "배") == nil)
}

@Test(.onItsOwnThread) func `an impossible menu is refused`() async {
    await #expect(processExitsWith: .failure) {
        _ = Menu(
            fruits: [.init(name: "fig")], juices: [.init(name: "fig juice", recipe: [Ingredient(Fruit(index: 1), 1)])])
    }
    await #expect(processExitsWith: .failure) {
        _ = Menu(
            fruits: [.init(name: "fig")], juices: [.init(name: "fig juice", recipe: [Ingredient(Fruit(index: 0), 0)])])
    }
    await #expect(processExitsWith: .failure) {
        _ = Menu(fruits: [.init(name: "fig"), .init(name: "fig")], juices: [])
    }
}

// MARK: - Similarity

/// Juices `a` to `z` of four fruits, by the pieces of each.
private func menu(_ recipes: [[Int]]) -> Menu {
    Menu(
        fruits: (0..<4).map { .init(name: "fruit \($0)") },
        juices: recipes.enumerated().map { place, pieces in
            .init(
                name: "juice \(place)",
                recipe: pieces.enumerated().filter { $0.element > 0 }
                    .map { Ingredient(Fruit(index: $0.offset), $0.element) })
        })
}

// By hand: the sum of the smaller quantities by the sum of the larger ones.
@Test(
    arguments: [
        ([16], [10, 1], 10, 17), ([2], [10, 1], 2, 11), ([0, 2], [10, 1], 1, 12), ([3], [0, 0, 2, 1], 0, 6),
        ([0, 0, 2, 1], [0, 0, 3], 2, 4), ([1, 2, 3, 4], [4, 3, 2, 1], 6, 14), ([5, 1], [5, 1], 6, 6),
        ([1], [100], 1, 100),
    ] as [([Int], [Int], Int, Int)])
func `similarity is the weighted Jaccard index of the recipes`(one: [Int], other: [Int], shared: Int, total: Int) {
    let menu = menu([one, other])
    let similarity = menu.similarity(of: Juice(index: 0), to: Juice(index: 1))
    #expect(similarity.value == Double(shared) / Double(total))
    #expect(menu.similarity(of: Juice(index: 1), to: Juice(index: 0)) == similarity)
    #expect(menu.similarity(of: Juice(index: 0), to: Juice(index: 0)).value == 1)
}

@Test func `similarities compare exactly, as fractions`() {
    func similarity(_ one: [Int], _ other: [Int]) -> Menu.Similarity {
        menu([one, other]).similarity(of: Juice(index: 0), to: Juice(index: 1))
    }
    let third = similarity([1], [3])
    let sameThird = similarity([0, 2], [0, 6])
    #expect(third == sameThird && !(third < sameThird) && !(sameThird < third))
    #expect(third < similarity([10, 10], [10, 9, 10]) && similarity([10], [10, 21]) < third)
    // Equal as doubles, and yet not equal: n/(n + 1) and (n + 1)/(n + 2).
    let n = 1 << 40
    #expect(similarity([n], [n + 1]).value == similarity([n + 1], [n + 2]).value)
    #expect(similarity([n], [n + 1]) < similarity([n + 1], [n + 2]))
}

@Test(arguments: 0..<30 as Range<UInt64>)
func `similar juices are ordered by exact fractions`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let recipes = (0..<8).map { _ in
        let pieces = (0..<4).map { _ in Int.random(in: 0...3, using: &random) }
        return pieces.contains { $0 > 0 } ? pieces : [1, 0, 0, 0]
    }
    func fraction(_ a: Int, _ b: Int) -> (shared: Int, total: Int) {
        let pairs = zip(recipes[a], recipes[b])
        return (pairs.reduce(0) { $0 + min($1.0, $1.1) }, pairs.reduce(0) { $0 + max($1.0, $1.1) })
    }
    let menu = menu(recipes)
    for wish in 0..<8 {
        let ranked = menu.juices(similarTo: Juice(index: wish)).map(\.index)
        #expect(ranked.sorted() == (0..<8).filter { $0 != wish }, "seed \(seed), juice \(wish)")
        for (near, far) in zip(ranked, ranked.dropFirst()) {
            let a = fraction(wish, near)
            let b = fraction(wish, far)
            let difference = a.shared * b.total - b.shared * a.total
            #expect(difference > 0 || (difference == 0 && near < far), "seed \(seed), juice \(wish)")
        }
    }
}
