import JuiceStand
import StandState
import Testing

@Suite(.timeLimit(.minutes(60)))
struct OrderBookTests {
    private static func stamp(_ seconds: Double) -> Stamp {
        Stamp(sequence: 1, time: SimulationTime(seconds: seconds))
    }

    private static func place(_ number: UInt64, in book: OrderBook) {
        book.hear(
            OrderPlaced(stamp: stamp(Double(number)), order: number, juice: Juice(index: 0), cups: 2, by: .command))
    }

    private static func serve(_ number: UInt64, in book: OrderBook) {
        book.hear(
            OrderServed(
                stamp: stamp(100), order: number, juice: Juice(index: 0), cups: 2, wait: .zero,
                stay: SimulationTime(seconds: max(0, 100 - Double(number)))))
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `keeps present orders and the latest departures, in the order of their numbers`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let most = Int.random(in: 1...200, using: &random)
        let book = OrderBook(remembering: most)
        var present: [UInt64] = []
        var left: [UInt64] = []
        for number in UInt64(1)...1000 {
            Self.place(number, in: book)
            present.append(number)
            while !present.isEmpty, Bool.random(using: &random) {
                // Often the first, as in a stand.
                let place = Bool.random(using: &random) ? 0 : Int.random(in: 0..<present.count, using: &random)
                left.append(present.remove(at: place))
                Self.serve(left[left.count - 1], in: book)
            }
            let known = (present + left.suffix(most)).sorted()
            let start = UInt64.random(in: 0...number + 1, using: &random)
            let limit = Int.random(in: 1...300, using: &random)
            let (orders, last) = book.orders(after: start, limit: limit)
            #expect(orders.map(\.number) == Array(known.filter { $0 > start }.prefix(limit)), "seed \(seed)")
            #expect(last == number)
            let any = UInt64.random(in: 1...number + 1, using: &random)
            switch book[any] {
            case .known(let record):
                #expect(known.contains(any) && (record.outcome == nil) == present.contains(any), "seed \(seed)")
            case .left: #expect(any <= number && !known.contains(any), "seed \(seed)")
            case .unknown: #expect(any > number, "seed \(seed)")
            }
        }
        #expect(book.orders(after: .max, limit: 1).orders.isEmpty)
    }

    @Test func `a book that starts late knows the present orders and that others have left`() throws {
        var stand = Stand(try StandSettings(parsing: nobodyComes))
        let out = FactPublisher(WiringChoice.closure.makeWiring())
        stand.open(out)
        stand.takeOrder("kiwi juice", at: .zero, out)
        _ = stand.advance(to: SimulationTime(seconds: 100), out)
        stand.takeOrder("kiwi juice", at: SimulationTime(seconds: 100), out)
        stand.takeOrder("mango juice", at: SimulationTime(seconds: 100), out)
        let book = OrderBook()
        book.begin(with: stand)
        #expect(book[1] == .left && book[4] == .unknown)
        guard case .known(let second) = book[2], case .known(let third) = book[3] else {
            Issue.record("they are not known")
            return
        }
        #expect(second.started == SimulationTime(seconds: 100) && third.started == nil)
        #expect(third.placed == SimulationTime(seconds: 100) && third.outcome == nil)
    }
}
