import Foundation
import JuiceStand
import TestSupport
import Testing

@Test(arguments: 0..<20 as Range<UInt64>)
func `a hot array behaves like an array`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var hot = HotArray<Int32>()
    var array: [Int32] = []
    for step in 0..<1000 as Range<Int32> {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<55:
            hot.append(step)
            array.append(step)
        case 55..<75:
            guard !array.isEmpty else { continue }
            #expect(hot.removeLast() == array.removeLast(), "seed \(seed), step \(step)")
        case 75..<92:
            guard !array.isEmpty else { continue }
            let place = Int.random(in: 0..<array.count, using: &random)
            hot[place] &+= step
            array[place] &+= step
        case 92..<94:
            let count = Int.random(in: 0...(array.count / 4), using: &random)
            hot.removeFirst(count)
            array.removeFirst(count)
        case 94..<96:
            let divisor = Int32.random(in: 2...9, using: &random)
            hot.removeAll { $0 % divisor == 0 }
            array.removeAll { $0 % divisor == 0 }
        case 96:
            hot = try JSONDecoder().decode(HotArray<Int32>.self, from: JSONEncoder().encode(hot))
        default:
            // Another holder is there for a while and must not notice.
            let copy = hot
            let before = array
            hot.own()
            hot.append(-step)
            array.append(-step)
            #expect(Array(copy) == before, "seed \(seed), step \(step)")
        }
        #expect(hot.count == array.count && hot.isEmpty == array.isEmpty, "seed \(seed), step \(step)")
    }
    #expect(Array(hot) == array, "seed \(seed)")
    hot.removeAll()
    #expect(hot.isEmpty)
}

@Test(.onItsOwnThread) func `an index out of range ends the program`() async {
    await #expect(processExitsWith: .failure) {
        let hot = HotArray([1, 2])
        print(hot[2])
    }
    await #expect(processExitsWith: .failure) {
        var hot = HotArray([1, 2])
        hot[-1] = 3
    }
    await #expect(processExitsWith: .failure) {
        var hot = HotArray<Int>()
        print(hot.removeLast())
    }
}

#if DEBUG
    @Test(.onItsOwnThread) func `changing memory that another hot array shares ends a debug build`() async {
        await #expect(processExitsWith: .failure) {
            var hot = HotArray([1, 2])
            let copy = hot
            hot.append(3)
            print(copy.count)
        }
    }
#endif
