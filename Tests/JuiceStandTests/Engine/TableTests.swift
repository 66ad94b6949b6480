import Foundation
import JuiceStand
import TestSupport
import Testing

@Test(arguments: 0..<20 as Range<UInt64>)
func `a table behaves like an array`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var table = Table<Int32>()
    var array: [Int32] = []
    for step in 0..<1000 as Range<Int32> {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<55:
            table.append(step)
            array.append(step)
        case 55..<75:
            guard !array.isEmpty else { continue }
            #expect(table.removeLast() == array.removeLast(), "seed \(seed), step \(step)")
        case 75..<92:
            guard !array.isEmpty else { continue }
            let place = Int.random(in: 0..<array.count, using: &random)
            table[place] &+= step
            array[place] &+= step
        case 92..<94:
            let count = Int.random(in: 0...(array.count / 4), using: &random)
            table.removeFirst(count)
            array.removeFirst(count)
        case 94..<96:
            let divisor = Int32.random(in: 2...9, using: &random)
            table.removeAll { $0 % divisor == 0 }
            array.removeAll { $0 % divisor == 0 }
        case 96:
            table = try JSONDecoder().decode(Table<Int32>.self, from: JSONEncoder().encode(table))
        default:
            // Another holder is there for a while and must not notice.
            let copy = table
            let before = array
            table.own()
            table.append(-step)
            array.append(-step)
            #expect(Array(copy) == before, "seed \(seed), step \(step)")
        }
        #expect(table.count == array.count && table.isEmpty == array.isEmpty, "seed \(seed), step \(step)")
    }
    #expect(Array(table) == array, "seed \(seed)")
    table.removeAll()
    #expect(table.isEmpty)
}

@Test(.onItsOwnThread) func `an index out of range ends the program`() async {
    await #expect(processExitsWith: .failure) {
        let table = Table([1, 2])
        print(table[2])
    }
    await #expect(processExitsWith: .failure) {
        var table = Table([1, 2])
        table[-1] = 3
    }
    await #expect(processExitsWith: .failure) {
        var table = Table<Int>()
        print(table.removeLast())
    }
}

#if DEBUG
    @Test(.onItsOwnThread) func `changing memory that another table shares ends a debug build`() async {
        await #expect(processExitsWith: .failure) {
            var table = Table([1, 2])
            let copy = table
            table.append(3)
            print(copy.count)
        }
    }
#endif
