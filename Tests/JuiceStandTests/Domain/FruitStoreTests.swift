import Foundation
import JuiceStand
import TestSupport
import Testing

private let banana = Fruit(.banana)
private let kiwi = Fruit(.kiwi)
private let mango = Fruit(.mango)

private func pieces(_ lots: [FruitStore.Lot]) -> [[Int64]] { lots.map { [Int64($0.pieces), $0.spoilsAt] } }

@Test func `a store of 10 has 10 of each standard fruit`() {
    let store = FruitStore(stockQuantity: 10)
    #expect(StandardFruit.allCases.map { store.level(of: Fruit($0)) } == [10, 10, 10, 10, 10])
    #expect(store.allLevels == [10, 10, 10, 10, 10])
    #expect(FruitStore(stockQuantity: 0).allLevels == [0, 0, 0, 0, 0])
}

@Test(.onItsOwnThread) func `a negative level is refused`() async {
    await #expect(processExitsWith: .failure) { _ = FruitStore(stockQuantity: -1) }
    await #expect(processExitsWith: .failure) { _ = FruitStore(levels: [3, nil, -1]) }
}

@Test func `a withdrawal takes every ingredient of every cup`() throws {
    var store = FruitStore(stockQuantity: 10)
    try store.withdraw([Ingredient(mango, 2), Ingredient(kiwi, 1)], cups: 3)
    #expect(store.allLevels == [10, 10, 7, 10, 4])
    try store.withdraw([Ingredient(mango, 4)])
    #expect(store.level(of: mango) == 0)
}

@Test(arguments: [
    ([Ingredient(mango, 11), Ingredient(kiwi, 1)], 1, mango, 1),
    ([Ingredient(kiwi, 1), Ingredient(mango, 11)], 1, mango, 1),
    ([Ingredient(kiwi, 12), Ingredient(mango, 14)], 1, mango, 4), ([Ingredient(kiwi, 3)], 4, kiwi, 2),
    ([Ingredient(kiwi, 12), Ingredient(mango, 12)], 1, kiwi, 2),
])
func `a withdrawal that lacks fruit takes nothing and names the largest shortage, the first of equals`(
    recipe: [Ingredient], cups: Int, fruit: Fruit, missing: Int
) {
    var store = FruitStore(stockQuantity: 10)
    let error = #expect(throws: FruitShortage.self) { try store.withdraw(recipe, cups: cups) }
    #expect(error?.fruit == fruit)
    #expect(error?.missing == missing)
    #expect(store == FruitStore(stockQuantity: 10))
    #expect(store.shortage(of: recipe, cups: cups) == error)
}

@Test func `an unlimited fruit never runs out`() throws {
    var store = FruitStore(levels: [nil, 2])
    let endless = Ingredient(Fruit(index: 0), 1_000_000)
    let scarce = Ingredient(banana, 1)
    #expect(store.level(of: endless.fruit) == nil)
    #expect(store.isUnlimited(endless.fruit) && !store.isUnlimited(banana))
    try store.withdraw([endless, scarce], cups: 2)
    store.add(5, of: endless.fruit)
    #expect(store.allLevels == [nil, 0])
    #expect(store.cups(of: endless) == .max)
    #expect(store.missing(endless, cups: 1000) <= 0)
}

@Test func `changing a copy of a store leaves the store unchanged`() throws {
    let before = FruitStore(stockQuantity: 10)
    var after = before
    try after.withdraw([Ingredient(banana, 2)])
    #expect(before.level(of: banana) == 10)
    #expect(before != after)
}

// A programmer who asks for fewer than no cups would otherwise be given fruit.
@Test(.onItsOwnThread) func `a withdrawal of a negative number of cups is refused`() async {
    await #expect(processExitsWith: .failure) {
        var store = FruitStore(stockQuantity: 10)
        try store.withdraw([Ingredient(Fruit(.banana), 2)], cups: -1)
    }
}

// MARK: - Fruit that spoils

extension FruitStore {
    /// The lots that taking `pieces` of `fruit` takes from.
    fileprivate mutating func lots(taking pieces: Int, of fruit: Fruit) -> [Lot] {
        var lots: [Lot] = []
        remove(pieces, of: fruit) { lots.append($0) }
        return lots
    }
}

/// Lots are added near both ends and in the middle, and taken until hundreds are used up.
@Test(arguments: 0..<10 as Range<UInt64>)
func `lots of any age are taken in the order in which they spoil`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var store = FruitStore(levels: [0], perishable: [Fruit(index: 0)])
    let fruit = Fruit(index: 0)
    var expected: [Int64: Int] = [:]
    for step in 0..<2000 {
        let isFull = (step / 500) % 2 == 1
        if expected.isEmpty || random.uniform() < (isFull ? 0.2 : 0.8) {
            let oldest = expected.keys.min() ?? 1000
            let time =
                switch Int.random(in: 0..<3, using: &random) {
                case 0: oldest - Int64.random(in: 0...2, using: &random)
                case 1: oldest + Int64.random(in: 0...500, using: &random)
                default: Int64(2000 + step)
                }
            let count = Int.random(in: 1...5, using: &random)
            store.add(count, of: fruit, spoilsAt: time)
            expected[time, default: 0] += count
        } else {
            var wanted = min(Int.random(in: 1...20, using: &random), expected.values.reduce(0, +))
            let found = pieces(store.lots(taking: wanted, of: fruit))
            var taken: [[Int64]] = []
            for time in expected.keys.sorted() where wanted > 0 {
                let part = min(wanted, expected[time]!)
                taken.append([Int64(part), time])
                wanted -= part
                expected[time] = expected[time]! > part ? expected[time]! - part : nil
            }
            #expect(found == taken, "seed \(seed), step \(step)")
        }
        if step % 97 == 0 {
            let copy = try JSONDecoder().decode(FruitStore.self, from: JSONEncoder().encode(store))
            #expect(copy == store, "seed \(seed), step \(step)")
            store = copy
        }
        let now = Int64.random(in: 0...4000, using: &random)
        let spoiled = expected.filter { $0.key <= now }.values.reduce(0, +)
        #expect(store.spoiled(of: fruit, at: now) == spoiled, "seed \(seed), step \(step)")
    }
}

// MARK: - Conservation

@Test(arguments: 0..<25 as Range<UInt64>)
func `no sequence of changes makes a level negative or gains or loses a piece`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let perishable = [mango, banana].filter { _ in random.uniform() < 0.7 }
    var store = FruitStore(
        levels: Array(repeating: Int.random(in: 0...30, using: &random), count: 5), perishable: perishable)
    var expected = store.allLevels.map { $0! }
    for step in 0..<300 {
        let place = Int.random(in: 0..<5, using: &random)
        let before = store
        if random.uniform() < 0.4 {
            let added = Int.random(in: 0...12, using: &random)
            store.add(added, of: Fruit(index: place), spoilsAt: Int64.random(in: 0...9, using: &random))
            expected[place] += added
        } else {
            let recipe = (0..<5).filter { _ in random.uniform() < 0.5 }.map {
                Ingredient(Fruit(index: $0), Int.random(in: 1...6, using: &random))
            }
            let cups = Int.random(in: 1...3, using: &random)
            let isEnough = recipe.allSatisfy { expected[$0.fruit.index] >= $0.pieces * cups }
            do throws(FruitShortage) {
                try store.withdraw(recipe, cups: cups)
                #expect(isEnough, "seed \(seed), step \(step)")
                for ingredient in recipe { expected[ingredient.fruit.index] -= ingredient.pieces * cups }
            } catch {
                let short = recipe.filter { $0.fruit == error.fruit }.map {
                    $0.pieces * cups - expected[$0.fruit.index]
                }
                #expect(!isEnough && short == [error.missing], "seed \(seed), step \(step)")
                #expect(store == before, "seed \(seed), step \(step)")
            }
        }
        #expect(store.allLevels == expected, "seed \(seed), step \(step)")
        #expect(expected.allSatisfy { $0 >= 0 })
        for fruit in perishable {
            #expect(store.spoiled(of: fruit, at: .max) == expected[fruit.index], "seed \(seed), step \(step)")
        }
    }
}
