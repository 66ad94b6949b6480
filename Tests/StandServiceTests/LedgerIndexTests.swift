import Foundation
import JuiceStand
import Platform
import StandState
import TestSupport
import Testing

/// Instants from checkpoints, against the audit's replay and against the stand itself.
@Suite(.timeLimit(.minutes(60)))
struct LedgerIndexTests {
    /// A stand in virtual time, and the lines it writes.
    private final class Writer: LineSink {
        private let lines = Guarded<[[UInt8]]>([])

        func write(_ bytes: RawSpan) {
            let bytes = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
            lines.withLock { $0 += bytes.split(separator: UInt8(ascii: "\n")).map { $0 + [UInt8(ascii: "\n")] } }
        }

        var all: [[UInt8]] { lines.withLock { $0 } }
    }

    private static let settings = try! StandConfiguration(
        Array(
            """
            { "makers": 2, "queue": {"limit": 6},
              "fruits": {
                "kiwi": {"initial": 30, "lowStock": 8, "shelfLife": "40m",
                  "restock": {"fixedQuantity": {"reorderPoint": 9, "quantity": 30, "leadTime": {"exponential": {"mean": 90}}}}},
                "mango": {"initial": 20, "lowStock": 5,
                  "restock": {"orderUpTo": {"reorderPoint": 8, "level": 40, "leadTime": 200}}},
                "banana": {"initial": "unlimited"} },
              "menu": {
                "kiwi juice": {"recipe": {"kiwi": 2}, "price": 4, "preparation": {"exponential": {"mean": 40}}},
                "mango juice": {"recipe": {"mango": 2, "banana": 1}, "price": 5.5, "preparation": 30} },
              "customers": {"arrivals": {"poisson": {"perSecond": 0.07}}, "patience": {"exponential": {"mean": "2m"}},
                "whenSoldOut": "substitute"} }
            """.utf8), source: "test"
    ).settings

    /// Lines of a stand that ran for `length`, and its index.
    private static func make(_ length: SimulationTime) -> (lines: [[UInt8]], index: LedgerIndex) {
        let writer = Writer()
        let logger = StandLogger(.ledger, menu: settings.menu, sink: writer)
        let wiring = WiringChoice.closure.makeWiring()
        wiring.connect(logger)
        var stand = Stand(settings)
        let out = FactPublisher(wiring)
        stand.open(out)
        stand.advance(to: length, out)
        var index = LedgerIndex(after: LedgerAudit(), spacing: 512)
        var generator = SystemRandomNumberGenerator()
        var rest = writer.all[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...5000, using: &generator)
            index.append(Array(rest.prefix(count).joined()))
            rest = rest.dropFirst(count)
        }
        return (writer.all, index)
    }

    /// Lines in memory, in pieces of bounded size.
    private static func source(_ lines: [[UInt8]]) -> LedgerIndex.Lines {
        { (after, limit) throws(FileError) in
            var bytes: [UInt8] = []
            for line in lines.dropFirst(Int(after)) {
                guard bytes.isEmpty || bytes.count + line.count <= limit else { break }
                bytes += line
            }
            return bytes.isEmpty ? nil : bytes
        }
    }

    private static func replay(_ lines: ArraySlice<[UInt8]>) -> LedgerAudit {
        var audit = LedgerAudit()
        audit.read(Array(lines.joined()), source: "replay")
        return audit
    }

    private static func expectEqual(_ one: LedgerAudit, _ other: LedgerAudit, _ place: String) {
        #expect(one.sequence == other.sequence && one.time == other.time, "\(place)")
        #expect(one.presentOrders == other.presentOrders, "\(place)")
        #expect(one.counts == other.counts && one.finding == other.finding, "\(place)")
        for fruit in settings.menu.fruits {
            #expect(one.level(of: fruit.name) == other.level(of: fruit.name), "\(place) \(fruit.name)")
            #expect(one.onOrder(fruit.name) == other.onOrder(fruit.name), "\(place) \(fruit.name)")
        }
    }

    @Test func `random instants equal the audit's replay`() throws {
        let (lines, index) = Self.make(SimulationTime(seconds: 12_000))
        #expect(index.head.finding.problems == [] && lines.count > 3000)
        let read = Self.source(lines)
        let times = lines.map { Self.replay([$0]).time }
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SplitMix64(seed: seed)
        for _ in 0..<Study.size(12, full: 200) {
            let number = UInt64.random(in: 0...UInt64(lines.count), using: &generator)
            let found = try index.state(at: .event(number), read)
            Self.expectEqual(found, Self.replay(lines.prefix(Int(number))), "event \(number), seed \(seed)")
            // Half of them at the very time of a line.
            let time =
                Bool.random(using: &generator)
                ? times[Int.random(in: 0..<times.count, using: &generator)]
                : SimulationTime(nanoseconds: .random(in: 0...12_000_000_000_000, using: &generator))
            let count = times.count { $0 <= time }
            let then = try index.state(at: .time(time), read)
            Self.expectEqual(then, Self.replay(lines.prefix(count)), "\(time), seed \(seed)")
        }
    }

    @Test func `random instants equal the stand at that time`() throws {
        let (lines, index) = Self.make(SimulationTime(seconds: 20_000))
        let read = Self.source(lines)
        let quiet = FactPublisher(WiringChoice.closure.makeWiring())
        var stand = Stand(Self.settings)
        stand.open(quiet)
        for seconds in Set((0..<60).map { _ in Int.random(in: 0..<20_000) }).sorted() {
            let time = SimulationTime(seconds: Double(seconds))
            stand.advance(to: time + SimulationTime(nanoseconds: 1), quiet)
            let found = try index.state(at: .time(time), read)
            #expect(found.sequence == stand.factsAnnounced, "\(seconds) s")
            #expect(found.presentOrders.count == stand.ordersPresent && found.ordersWaiting == stand.queue)
            // Each order is one cup.
            #expect(found.presentOrders.count { $0.started != nil } == stand.busyMakers, "\(seconds) s")
            #expect(Self.settings.menu.fruits.map { found.level(of: $0.name) } == stand.maker.levels)
            #expect(Self.settings.menu.fruits.map { found.onOrder($0.name) } == stand.onOrder, "\(seconds) s")
            let tally = stand.tally
            #expect(found.finding.served == tally.served && found.finding.orders == Int(stand.ordersNumbered))
            #expect(found.counts.lost == tally.lost)
            #expect(found.counts.substituted == tally.substituted && found.counts.cupsServed == tally.cupsServed)
            #expect(found.counts.lowStockAlerts == tally.lowStockAlerts)
            // What begins with the stand goes on as it does.
            let begun = LedgerAudit(after: stand)
            #expect(begun.presentOrders == found.presentOrders && begun.finding.served == found.finding.served)
            #expect(begun.sequence == found.sequence && begun.counts.lost == found.counts.lost)
        }
    }

    @Test func `an instant that is not read yet comes from the stand itself, and equals the audit's replay`() throws {
        let (lines, _) = Self.make(SimulationTime(seconds: 30_000))
        let (bytes, read) = (Array(lines.joined()), Self.source(lines))
        let last = UInt64(lines.count)
        var index = LedgerIndex(after: LedgerAudit())
        index.append(Array(lines.prefix(600).joined()))
        let quiet = FactPublisher(WiringChoice.closure.makeWiring())
        var stand = Stand(Self.settings)
        stand.open(quiet)
        let sightings = stride(from: 1.0, to: 30_000, by: 4000).map { seconds in
            stand.advance(to: SimulationTime(seconds: seconds), quiet)
            return LedgerAudit(after: stand)
        }
        var (whole, place, settled) = (LedgerAudit(), 0, 0)
        for number in stride(from: UInt64(1), through: last, by: 97) {
            place = whole.replay(bytes, from: place, through: .event(number))
            let ends: [LedgerAudit.End] =
                number.isMultiple(of: 2) ? [.event(number)] : [.event(number), .time(whole.time)]
            for end in ends {
                guard let found = try index.state(at: end, after: sightings, to: last, read) else { continue }
                settled += 1
                var whole = whole
                _ = whole.replay(bytes, from: place, through: end)
                #expect(found.sequence == whole.sequence && found.time == whole.time, "event \(number)")
                #expect(found.presentOrders == whole.presentOrders, "event \(number)")
                for fruit in Self.settings.menu.fruits.map(\.name) {
                    #expect(found.level(of: fruit) == whole.level(of: fruit), "\(fruit) at event \(number)")
                    #expect(found.onOrder(fruit) == whole.onOrder(fruit), "\(fruit) at event \(number)")
                }
                #expect(found.finding == whole.finding, "event \(number)")
                #expect(found.counts.lost == whole.counts.lost, "event \(number)")
                #expect(found.counts.cupsServed == whole.counts.cupsServed, "event \(number)")
                #expect(found.counts.substituted == whole.counts.substituted, "event \(number)")
                #expect(found.counts.lowStockAlerts == whole.counts.lowStockAlerts, "event \(number)")
                #expect(found.counts.alerts == whole.counts.alerts, "event \(number)")
                #expect(found.counts.waits.sorted() == whole.counts.waits.sorted(), "event \(number)")
            }
        }
        #expect(settled > lines.count / 194, "\(settled) of \(lines.count) lines")
        // What is read, and what no sighting settles, comes from the lines.
        let first = try #require(sightings.first { $0.sequence > 600 })
        for number in [599, first.sequence - 1, first.sequence] {
            #expect(try index.state(at: .event(number), after: sightings, to: last, read) == nil, "event \(number)")
        }
    }

    @Test func `an index that begins later goes on exactly, and says where it begins`() throws {
        let (lines, whole) = Self.make(SimulationTime(seconds: 12_000))
        let quiet = FactPublisher(WiringChoice.closure.makeWiring())
        var stand = Stand(Self.settings)
        stand.open(quiet)
        stand.advance(to: SimulationTime(seconds: 5000), quiet)
        let first = Int(stand.factsAnnounced)
        var index = LedgerIndex(after: LedgerAudit(after: stand))
        index.append(Array(lines.dropFirst(first).joined()))
        #expect(index.head.finding.problems == [] && index.head.finding.served == whole.head.finding.served)
        let read = Self.source(lines)
        let later = try index.state(at: .time(SimulationTime(seconds: 9000)), read)
        let same = try whole.state(at: .time(SimulationTime(seconds: 9000)), read)
        #expect(later.presentOrders == same.presentOrders && later.sequence == same.sequence)
        #expect(throws: LedgerIndex.Failure.self) { try index.state(at: .time(SimulationTime(seconds: 10)), read) }
    }

    @Test func `a saved index goes on exactly, and one that does not fit the ledger is left out`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/instants"
        let (lines, whole) = Self.make(SimulationTime(seconds: 12_000))
        var file = LedgerIndexFile(path)
        #expect(file.read().isEmpty)
        // In two steps: the second one appends.
        var first = LedgerIndex(after: LedgerAudit(), spacing: 512)
        first.append(Array(lines.prefix(1500).joined()))
        try file.write(first)
        try file.write(whole)
        file = LedgerIndexFile(path)
        let saved = file.read()
        #expect(saved.map(\.sequence) == whole.checkpoints.map(\.sequence) && saved.count > 5)

        let read = Self.source(lines)
        var index = try #require(LedgerIndex(saved: saved, read))
        #expect(index.head.sequence == saved.last?.sequence)
        index.append(Array(lines.dropFirst(Int(index.head.sequence)).joined()))
        Self.expectEqual(index.head, whole.head, "the end")
        for number in [0, 1, 511, 512, 513, 2000, lines.count] {
            let found = try index.state(at: .event(UInt64(number)), read)
            Self.expectEqual(found, Self.replay(lines.prefix(number)), "event \(number)")
        }

        // A ledger that ends earlier, another one, and none.
        let short = try #require(LedgerIndex(saved: saved, Self.source(Array(lines.prefix(1100)))))
        #expect(short.head.sequence == 1024)
        let other = lines.map { Array(String(decoding: $0, as: UTF8.self).replacing("kiwi", with: "lime").utf8) }
        #expect(LedgerIndex(saved: saved, Self.source(other)) == nil)
        #expect(LedgerIndex(saved: saved, Self.source([])) == nil)

        // The checkpoints before a damaged one are kept, and the next write mends the file.
        var bytes = try readFile(path)
        bytes[bytes.count * 3 / 4] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        file = LedgerIndexFile(path)
        #expect((2..<saved.count).contains(file.read().count))
        try file.write(whole)
        file = LedgerIndexFile(path)
        #expect(file.read().count == saved.count)
    }

    @Test func `states over time are in order, within the range, and equal the replay`() throws {
        let (lines, index) = Self.make(SimulationTime(seconds: 70_000))
        let read = Self.source(lines)
        for (from, to) in [(0.0, 100_000.0), (50_000, 50_600), (69_000, 200_000), (3.5, 20_000)] {
            let (start, end) = (SimulationTime(seconds: from), SimulationTime(seconds: to))
            let states = try index.states(from: start, to: end, count: 50, read)
            #expect(states.count > 20 && states.count <= 130, "\(from): \(states.count)")
            #expect(zip(states, states.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
            #expect(states.dropFirst().allSatisfy { $0.time >= start && $0.time <= end })
            for state in states.shuffled().prefix(Study.size(1, full: 10)) {
                Self.expectEqual(state, Self.replay(lines.prefix(Int(state.sequence))), "\(from)")
            }
        }
        #expect(
            try index.states(from: SimulationTime(seconds: 1e6), to: SimulationTime(seconds: 2e6), count: 9, read)
                .isEmpty)
    }
}
