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

    @Test func `knows present orders and how departed ones ended`() {
        let book = OrderBook()
        #expect(book[1] == .unknown && book[0] == .unknown)
        Self.place(1, in: book)
        var record = OrderRecord(
            juice: .onMenu(Juice(index: 0)), cups: 2, placed: SimulationTime(seconds: 1), started: nil)
        #expect(book[1] == .known(record))
        book.hear(OrderStarted(stamp: Self.stamp(5), order: 1))
        record.started = SimulationTime(seconds: 5)
        #expect(book[1] == .known(record))
        Self.serve(1, in: book)
        record.outcome = .served(wait: .zero, stay: SimulationTime(seconds: 99))
        #expect(book[1] == .known(record))
        book.hear(
            OrderLost(
                stamp: Self.stamp(6), order: 2, juice: nil, cups: 1, reason: .notOnMenu, unknownName: "coffee"))
        #expect(
            book[2]
                == .known(
                    OrderRecord(
                        juice: .unknown("coffee"), cups: 1, placed: nil, started: nil,
                        outcome: .lost(.notOnMenu, fruit: nil))))
        #expect(book[3] == .unknown)
    }

    @Test func `keeps present orders and the latest departures`() {
        let book = OrderBook(remembering: 3)
        for number in UInt64(1)...10 { Self.place(number, in: book) }
        for number in UInt64(2)...9 { Self.serve(number, in: book) }
        for number in UInt64(2)...6 { #expect(book[number] == .left) }
        for number: UInt64 in [1, 7, 8, 9, 10] {
            guard case .known(let record) = book[number] else {
                Issue.record("order \(number) is not known")
                continue
            }
            #expect((record.outcome == nil) == (number == 1 || number == 10))
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `lists orders by their numbers, whichever have left`(seed: UInt64) {
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
        }
        #expect(book.orders(after: .max, limit: 1).orders.isEmpty)
    }

    @Test func `a book that starts late knows the present orders and that others have left`() throws {
        let text = #"{"customers": {"arrivals": {"renewal": "1d"}}}"#
        var stand = Stand(try StandConfiguration(Array(text.utf8), source: "test.json").settings)
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
