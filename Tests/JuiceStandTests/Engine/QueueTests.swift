import Foundation
import JuiceStand
import Testing

@Test(arguments: 0..<30 as Range<UInt64>)
func `a queue behaves like an array`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    // Where more join than leave the queue grows; the other way round it is often empty.
    let joining = [45, 55, 70].randomElement(using: &random)!
    var queue = Queue<Int>()
    var array: [Int] = []
    for step in 0..<1500 {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<joining:
            queue.append(step)
            array.append(step)
        case joining..<94:
            guard !array.isEmpty else { continue }
            #expect(queue.first == array[0], "seed \(seed), step \(step)")
            queue.removeFirst()
            array.removeFirst()
        case 94..<97:
            guard !array.isEmpty else { continue }
            queue.first = -step
            array[0] = -step
        case 97:
            let divisor = Int.random(in: 2...9, using: &random)
            queue.removeAll { $0 % divisor == 0 }
            array.removeAll { $0 % divisor == 0 }
        case 98:
            queue = try JSONDecoder().decode(Queue<Int>.self, from: JSONEncoder().encode(queue))
        default:
            #expect(Array(queue) == array, "seed \(seed), step \(step)")
        }
        #expect(queue.count == array.count && queue.isEmpty == array.isEmpty, "seed \(seed), step \(step)")
    }
    #expect(Array(queue) == array, "seed \(seed)")
}
