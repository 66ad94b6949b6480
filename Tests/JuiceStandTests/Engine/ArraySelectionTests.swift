import JuiceStand
import Testing

@Test(arguments: 0..<50 as Range<UInt64>)
func `selection puts what sorting would put at each place`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let count = Int.random(in: 1...3000, using: &random)
    // From few different values to hardly any equal ones, and sorted ones.
    let most = Int.random(in: 0...5000, using: &random)
    var values = (0..<count).map { _ in Int.random(in: 0...most, using: &random) }
    if seed % 5 == 0 { values.sort() }
    let places = (0..<6).map { _ in Int.random(in: 0..<count, using: &random) }.sorted()
    var selected = values
    selected.select(places)
    values.sort()
    for place in places {
        #expect(selected[place] == values[place], "seed \(seed), place \(place) of \(count)")
        #expect(selected[..<place].allSatisfy { $0 <= values[place] }, "seed \(seed), before place \(place)")
        #expect(selected[place...].allSatisfy { $0 >= values[place] }, "seed \(seed), after place \(place)")
    }
    #expect(selected.sorted() == values, "seed \(seed): a value is lost")
}
