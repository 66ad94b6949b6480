import Foundation
import JuiceStand
import TestSupport
import Testing

private func fruits(_ places: [Int]) -> [Fruit] { places.map(Fruit.init(index:)) }

@Test func `the five standard fruits have the order of the menu`() {
    #expect(StandardFruit.allCases.map(\.rawValue) == ["strawberry", "banana", "kiwi", "pineapple", "mango"])
    #expect(StandardFruit.allCases.map { Fruit($0).index } == [0, 1, 2, 3, 4])
}

@Test(.onItsOwnThread) func `a fruit beyond the limit of a menu is refused`() async {
    #expect(Fruit(index: 63).index == 63)
    await #expect(processExitsWith: .failure) { _ = Fruit(index: 64) }
}

@Test(arguments: 0..<20 as Range<UInt64>)
func `a set of fruits behaves like a set`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func places(_ random: inout SplitMix64) -> Set<Int> {
        Set((0..<Int.random(in: 0...20, using: &random)).map { _ in Int.random(in: 0..<64, using: &random) })
    }
    let one = places(&random)
    let other = places(&random)
    var set = FruitSet(fruits(Array(one)))
    let otherSet = FruitSet(fruits(Array(other)))
    #expect((0..<64).filter { set.contains(Fruit(index: $0)) } == one.sorted(), "seed \(seed)")
    #expect(set.isSubset(of: otherSet) == one.isSubset(of: other), "seed \(seed)")
    #expect(FruitSet().isSubset(of: set) && set.isSubset(of: set), "seed \(seed)")
    #expect(try JSONDecoder().decode(FruitSet.self, from: JSONEncoder().encode(set)) == set, "seed \(seed)")
    set.formIntersection(otherSet)
    var popped: [Int] = []
    while let fruit = set.popFirst() { popped.append(fruit.index) }
    #expect(popped == one.intersection(other).sorted(), "seed \(seed)")
    #expect(set.isEmpty)
}
