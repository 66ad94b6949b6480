import JuiceStand
import Testing

/// Every metric of stands small enough to calculate by hand; the calculation stands beside each.
@Suite(.timeLimit(.minutes(60)))
struct StandMetricsTests {
    @Test(
        arguments: [
            (4.5, 160_391.80000000054, 160_391.8), (0.1, 0.30000000000000004, 0.3), (0.125, 0.3750000000001, 0.375),
            (1, 7, 7), (1.23456789, 2.46913578, 2.46913578),
        ] as [(Double, Double, Double)])
    func `a sum of prices has their decimals`(price: Double, sum: Double, money: Double) {
        var settings = StandSettings.standard
        settings.offers[0].price = price
        #expect(settings.money(sum) == money)
    }

    /// Orders of one juice at given seconds.
    private static func trace(_ orders: [(at: Double, juice: Int, cups: Int)]) -> Arrivals {
        let source = Trace.Source(
            file: "on paper", time: "time", juice: "juice", cups: "cups", map: [], unmapped: .error, timeFormat: nil,
            fingerprint: "")
        return .trace(
            Trace(
                source: source,
                lines: orders.map {
                    Trace.Line(time: SimulationTime(seconds: $0.at), juice: Juice(index: $0.juice), cups: $0.cups)
                }))
    }

    private static func metrics(
        _ json: String, _ orders: [(at: Double, juice: Int, cups: Int)], until horizon: Double, warmUp: Double = 0
    ) throws -> [String: Double?] {
        var settings = try settings(json)
        settings.customers.arrivals = trace(orders)
        var stand = Stand(settings)
        VirtualDriver(horizon: SimulationTime(seconds: horizon), warmUp: SimulationTime(seconds: warmUp))
            .run(&stand, ClosureWiring())
        return Dictionary(uniqueKeysWithValues: stand.metrics(at: stand.now).map { ($0.name, $0.value) })
    }

    /// A reason of a loss that `expected` does not name must have lost nobody.
    private static func check(_ found: [String: Double?], _ expected: [String: Double]) {
        let lost = LossReason.allCases.filter { !$0.traits.isByCommand }.map { ($0.traits.metric, 0.0) }
        let expected = expected.merging(lost) { named, _ in named }
        #expect(Set(found.keys) == Set(expected.keys))
        for (name, value) in expected {
            guard let mine = found[name] ?? nil else {
                Issue.record("\(name) has no value, on paper it is \(value)")
                continue
            }
            #expect(abs(mine - value) <= 1e-12 * max(1, abs(value)), "\(name) is \(mine), on paper \(value)")
        }
    }

    // MARK: - Losses of every kind

    /// A perishable fruit under (s, Q), two makers, one waiting place, six seconds of patience.
    ///
    ///      at   what happens                                                level  in line   position
    ///       0   four pieces, good until 40                                      4     0          4
    ///       1   1 takes 1, starts at once, until 11                             3     0          3
    ///       2   2 takes 2 (low), its first cup starts, until 12; 5 ordered      1     0       1 → 6
    ///       3   3 takes 1, waits, patient until 9                               0     1          5
    ///       4   4 finds both makers busy and the place taken: balks             0     1          5
    ///       9   3 reneges, its piece comes back                                 1     0          6
    ///      10   5 wants two cups: sold out                                      1     0          6
    ///      11   1 served; second cup of 2 starts, until 21                      1     0          6
    ///      13   6 takes 1, starts on the maker free since 12, until 23          0     0          5
    ///      14   5 delivered, good until 54 (recovered)                          5     0          5
    ///      15   7 takes 1, waits, patient until 21                              4     1          4
    ///      21   2 served, and in the same event 7 starts, until 31              4     0          4
    ///      23   6 served                                                        4     0          4
    ///      31   7 served                                                        4     0          4
    ///      33   8 takes 3 (low), two cups until 43, the third until 53; 5 ord.  1     0       1 → 6
    ///      45   5 delivered, good until 85 (recovered)                          6     0          6
    ///      53   8 served                                                        6     0          6
    ///      54   the last piece of the first delivery spoils                     5     0          5
    ///      55   9 takes 1, starts, would be done at 65                          4     0          4
    ///      60   closed
    private static let lossy = """
        {"wage": 3600, "fruits": {"a": {"initial": 4, "lowStock": 2, "shelfLife": 40,
           "restock": {"fixedQuantity": {"reorderPoint": 2, "quantity": 5, "leadTime": 12}},
           "costs": {"unit": 0.5, "order": 3, "holding": 86400, "shortage": 86400}}},
         "menu": {"x": {"recipe": {"a": 1}, "price": 4, "preparation": 10}},
         "makers": 2, "queue": {"limit": 1}, "customers": {"patience": 6}}
        """
    private static let lossyOrders: [(at: Double, juice: Int, cups: Int)] = [
        (1, 0, 1), (2, 0, 2), (3, 0, 1), (4, 0, 1), (10, 0, 2), (13, 0, 1), (15, 0, 1), (33, 0, 3), (55, 0, 1),
    ]

    @Test func `balked, reneged, sold-out and served customers match the hand calculation`() throws {
        Self.check(
            try Self.metrics(Self.lossy, Self.lossyOrders, until: 60),
            [
                "customers.arrived": 9,
                "customers.served": 5,  // 1, 2, 6, 7, 8
                "customers.balked": 1, "customers.reneged": 1, "customers.soldOut": 1, "customers.substituted": 0,
                "customers.present": 1,  // 9
                "cups.demanded": 12,  // 1 + 2 + 1 + 2 + 1 + 1 + 3 + 1, without the one who balked
                "cups.served": 8,  // 1 + 2 + 1 + 1 + 3
                "cups.lost": 3,  // 1 reneged, 2 sold out
                "fillRate": 10.0 / 12,  // all but the 2 sold out
                // 0, 0, 0, 6, 0
                "wait.mean": 1.2, "wait.p50": 0, "wait.p90": 6, "wait.p95": 6, "wait.p99": 6, "wait.max": 6,
                "waitProbability": 0.2,
                // 10, 19, 10, 16, 20
                "stay.mean": 15, "stay.p50": 16, "stay.p90": 20, "stay.p95": 20, "stay.p99": 20, "stay.max": 20,
                "queue.mean": 12.0 / 60,  // 3 from 3 to 9, 7 from 15 to 21
                "queue.hours": 12.0 / 3600,
                "queue.max": 1,
                "present.mean": 86.0 / 60,  // 10 + 19 + 6 + 10 + 16 + 20 + 5
                "present.hours": 86.0 / 3600,
                "makers.utilization": 85.0 / 120,  // 10 + 20 + 10 + 10 + 30 + 5
                "makers.onDuty.hours": 120.0 / 3600,
                "throughput": 5.0 / 60,
                "revenue": 32,
                // 4 + 3 + 1 + 0·6 + 1·4 + 0·1 + 5 + 4·18 + 1·12 + 6·9 + 5 + 4·5 = 180
                "stock.a.mean": 3, "stock.a.min": 0,
                "stock.a.soldOutFraction": 7.0 / 60,  // 3 to 9, 13 to 14
                "stock.a.shortFraction": 7.0 / 60,  // a cup takes one piece
                "stock.a.backordered.mean": 0,
                "restock.a.orders": 2, "restock.a.pieces": 10, "spoiled.a": 1,
                "cost.ordering": 11,  // 2 · 3 + 10 · 0.5
                "cost.holding": 180, "cost.shortage": 0,
                "cost.makers": 120,  // two for 60 s, at one a second
                "cost.total": 311, "profit": -279,
                "alerts.lowStock": 2,
                // opened; by time 3, 5, 2, 1 (at 4), 2, 1, 1, 3, 3, 2, 2 (at 21), 1, 1, 5, 3, 1, 1, 3; closed
                "notifications.posted": 42,
            ])
    }

    /// The same with a warm-up of ten seconds: what is due at 10 belongs to the period, and so do the cups of 1 and 2
    /// that are finished in it, but not their waits.
    @Test func `a warm-up excludes its events and the waits of its customers`() throws {
        Self.check(
            try Self.metrics(Self.lossy, Self.lossyOrders, until: 60, warmUp: 10),
            [
                "customers.arrived": 5,  // 5 to 9
                "customers.served": 5,  // 1, 2, 6, 7, 8
                "customers.balked": 0, "customers.reneged": 0, "customers.soldOut": 1, "customers.substituted": 0,
                "customers.present": 1,
                "cups.demanded": 8,  // 2 + 1 + 1 + 3 + 1
                "cups.served": 8,  // 1 + 2 + 1 + 1 + 3
                "cups.lost": 2,
                "fillRate": 6.0 / 8,
                // 0, 6, 0 of 6, 7 and 8
                "wait.mean": 2, "wait.p50": 0, "wait.p90": 6, "wait.p95": 6, "wait.p99": 6, "wait.max": 6,
                "waitProbability": 1.0 / 3,
                // 10, 16, 20
                "stay.mean": 46.0 / 3, "stay.p50": 16, "stay.p90": 20, "stay.p95": 20, "stay.p99": 20, "stay.max": 20,
                "queue.mean": 6.0 / 50,  // 7 from 15 to 21
                "queue.hours": 6.0 / 3600,
                "queue.max": 1,
                "present.mean": 63.0 / 50,  // 1 + 11 + 10 + 16 + 20 + 5
                "present.hours": 63.0 / 3600,
                "makers.utilization": 68.0 / 100,  // 1 + 2 + 10 + 10 + 10 + 30 + 5
                "makers.onDuty.hours": 100.0 / 3600,
                "throughput": 5.0 / 50,
                "revenue": 32,
                // 1·3 + 0·1 + 5 + 4·18 + 1·12 + 6·9 + 5 + 4·5 = 171
                "stock.a.mean": 171.0 / 50, "stock.a.min": 0,
                "stock.a.soldOutFraction": 1.0 / 50, "stock.a.shortFraction": 1.0 / 50,
                "stock.a.backordered.mean": 0,
                "restock.a.orders": 1, "restock.a.pieces": 10, "spoiled.a": 1,
                "cost.ordering": 5.5,  // 3 + 5 · 0.5
                "cost.holding": 171, "cost.shortage": 0, "cost.makers": 100, "cost.total": 276.5, "profit": -244.5,
                "alerts.lowStock": 1,
                "notifications.posted": 28,  // 42 less the 14 until 9
            ])
    }

    // MARK: - Substitution and periodic review

    /// Fruit a is never restocked, b every ten seconds up to 3 with a lead time of 5. Juices x (two a), y (an a and a b)
    /// and w (a b): y is like x by 1/3 and like w by 1/2, x and w share nothing.
    ///
    ///      at   what happens                                               a  b  in line
    ///       1   1 wants x, starts, until 5                                 1  2     0
    ///       2   2 wants x, takes y, waits                                  0  1     1
    ///       3   3 wants y, takes w, waits (b low)                          0  0     2
    ///       5   1 served, 2 starts, until 11                               0  0     1
    ///      10   reviewed: three b ordered                                  0  0     1
    ///      11   2 served, 3 starts, until 14                               0  0     0
    ///      12   4 wants x: nothing can be made                             0  0     0
    ///      14   3 served                                                   0  0     0
    ///      15   three b delivered (recovered)                              0  3     0
    ///      16   5 wants w, starts, until 19                                0  2     0
    ///      18   6 wants two y, takes two w, waits (b low)                  0  0     1
    ///      19   5 served, the first cup of 6 starts, until 22              0  0     0
    ///      20   closed, the review of that instant does not happen
    @Test func `substituted customers match the hand calculation`() throws {
        let stand = """
            {"fruits": {"a": {"initial": 3},
               "b": {"initial": 2, "lowStock": 0, "capacity": 3,
                 "restock": {"orderUpTo": {"reorderPoint": 1, "level": 3, "leadTime": 5, "review": 10}},
                 "costs": {"unit": 1, "order": 2, "holding": 43200}}},
             "menu": {"x": {"recipe": {"a": 2}, "price": 2, "preparation": 4},
               "y": {"recipe": {"a": 1, "b": 1}, "price": 3, "preparation": 6},
               "w": {"recipe": {"b": 1}, "price": 1, "preparation": 3}},
             "customers": {"whenSoldOut": "substitute"}}
            """
        Self.check(
            try Self.metrics(
                stand, [(1, 0, 1), (2, 0, 1), (3, 1, 1), (12, 0, 1), (16, 2, 1), (18, 1, 2)], until: 20),
            [
                "customers.arrived": 6,
                "customers.served": 4,  // 1, 2, 3, 5
                "customers.balked": 0, "customers.reneged": 0, "customers.soldOut": 1,
                "customers.substituted": 3,  // 2, 3, 6
                "customers.present": 1,
                "cups.demanded": 7, "cups.served": 4, "cups.lost": 1,
                "fillRate": 2.0 / 7,  // 1 and 5 got what they asked for
                // 0, 3, 8, 0
                "wait.mean": 11.0 / 4, "wait.p50": 0, "wait.p90": 8, "wait.p95": 8, "wait.p99": 8, "wait.max": 8,
                "waitProbability": 0.5,
                // 4, 9, 11, 3
                "stay.mean": 27.0 / 4, "stay.p50": 4, "stay.p90": 11, "stay.p95": 11, "stay.p99": 11, "stay.max": 11,
                "queue.mean": 12.0 / 20,  // 3 + 8 + 1
                "queue.hours": 12.0 / 3600,
                "queue.max": 2,
                "present.mean": 29.0 / 20,  // 4 + 9 + 11 + 3 + 2
                "present.hours": 29.0 / 3600,
                "makers.utilization": 17.0 / 20,  // 4 + 6 + 3 + 3 + 1
                "makers.onDuty.hours": 20.0 / 3600,
                "throughput": 4.0 / 20,
                "revenue": 7,  // 2 + 3 + 1 + 1
                "stock.a.mean": 4.0 / 20,  // 3 + 1
                "stock.a.min": 0, "stock.a.soldOutFraction": 18.0 / 20, "stock.a.backordered.mean": 0,
                "stock.a.shortFraction": 19.0 / 20,  // x takes two, from 1 on one was left
                "restock.a.orders": 0, "restock.a.pieces": 0, "spoiled.a": 0,
                "stock.b.shortFraction": 14.0 / 20,
                "stock.b.mean": 12.0 / 20,  // 2·2 + 1 + 0·12 + 3 + 2·2
                "stock.b.min": 0, "stock.b.soldOutFraction": 14.0 / 20, "stock.b.backordered.mean": 0,
                "restock.b.orders": 1, "restock.b.pieces": 3, "spoiled.b": 0,
                "cost.ordering": 5,  // 2 + 3 · 1
                "cost.holding": 6,  // 12 piece-seconds at a half
                "cost.shortage": 0, "cost.makers": 0, "cost.total": 11, "profit": -4,
                "alerts.lowStock": 2,
                // opened; by time 3, 4, 4, 2, 1, 2, 1, 1, 3, 3, 4, 2; closed
                "notifications.posted": 32,
            ])
    }

    // MARK: - Backorders

    /// Juice of two pieces, up to 4 when the position is at or below 1, lead time 10; as many makers as wanted, patience
    /// 8.5 s.
    ///
    ///      at    what happens                                          level  backordered  on order  position
    ///       1    1 takes 2, starts, until 6; 4 ordered                     0       0           4       4
    ///       3    2 wants two cups: both wait, until 11.5; 4 ordered        0       4           8       4
    ///       4    3 wants one: waits until 12.5                             0       6           8       2
    ///       6    1 served
    ///      11    4 delivered: both cups of 2 start, until 16               0       2           4       2
    ///      12.5  3 reneges                                                 0       0           4       4
    ///      13    4 delivered                                               4       0           0       4
    ///      16    2 served
    ///      20    4 wants two cups, takes 4, starts, until 25; 4 ordered    0       0           4       4
    ///      22    5 waits until 30.5                                        0       2           4       2
    ///      25    4 served
    ///      30    4 delivered: 5 takes 2, starts, until 35                  2       0           0       2
    ///      32    6 wants two cups: one starts, until 37, one waits;        0       2           6       4
    ///            6 ordered
    ///      35    5 served
    ///      40    closed
    @Test func `backordered customers match the hand calculation`() throws {
        let stand = """
            {"fruits": {"a": {"initial": 2,
               "restock": {"orderUpTo": {"reorderPoint": 1, "level": 4, "leadTime": 10}},
               "costs": {"unit": 1, "order": 10, "holding": 86400, "shortage": 172800}}},
             "menu": {"x": {"recipe": {"a": 2}, "price": 3, "preparation": 5}},
             "makers": "unlimited", "customers": {"whenSoldOut": "wait", "patience": 8.5}}
            """
        Self.check(
            try Self.metrics(
                stand, [(1, 0, 1), (3, 0, 2), (4, 0, 1), (20, 0, 2), (22, 0, 1), (32, 0, 2)], until: 40),
            [
                "customers.arrived": 6,
                "customers.served": 4,  // 1, 2, 4, 5
                "customers.balked": 0, "customers.reneged": 1, "customers.soldOut": 0, "customers.substituted": 0,
                "customers.present": 1,
                "cups.demanded": 9, "cups.served": 6, "cups.lost": 1,
                "fillRate": 4.0 / 9,  // 1 + 0 + 0 + 2 + 0 + 1
                // 0, 8, 0, 8
                "wait.mean": 4, "wait.p50": 0, "wait.p90": 8, "wait.p95": 8, "wait.p99": 8, "wait.max": 8,
                "waitProbability": 0.5,
                // 5, 13, 5, 13
                "stay.mean": 9, "stay.p50": 5, "stay.p90": 13, "stay.p95": 13, "stay.p99": 13, "stay.max": 13,
                "queue.mean": 24.5 / 40,  // 8 + 8.5 + 8
                "queue.hours": 24.5 / 3600,
                "queue.max": 2,
                "present.mean": 52.5 / 40,  // 5 + 13 + 8.5 + 5 + 13 + 8
                "present.hours": 52.5 / 3600,
                "throughput": 4.0 / 40,
                "revenue": 18,
                // 2·1 + 4·7 + 2·2
                "stock.a.mean": 34.0 / 40, "stock.a.min": 0,
                "stock.a.soldOutFraction": 30.0 / 40,  // 1 to 13, 20 to 30, 32 to 40
                "stock.a.shortFraction": 30.0 / 40,  // there was never a single piece
                // 4·1 + 6·7 + 2·1.5 + 2·8 + 2·8 = 81
                "stock.a.backordered.mean": 81.0 / 40,
                "restock.a.orders": 4, "restock.a.pieces": 12, "spoiled.a": 0,
                "cost.ordering": 58,  // 4 · 10 + 4 + 4 + 4 + 6
                "cost.holding": 34, "cost.shortage": 162, "cost.total": 254, "profit": -236,
                "alerts.lowStock": 0,
                // opened; by time 4, 3, 2, 1, 5, 1, 2, 1, 4, 2, 1, 4, 5, 1; closed
                "notifications.posted": 38,
            ])
    }

    // MARK: - Wages and short fruit

    @Test func `two makers for eight hours at 12.50 cost 200`() throws {
        // The order is in the making at the end; a trace without one would be over at once.
        let found = try Self.metrics(#"{"makers": 2, "wage": 12.5}"#, [(8 * 3600 - 1, 1, 1)], until: 8 * 3600)
        #expect(found["cost.makers"] == 200 && found["cost.total"] == 200 && found["profit"] == -200)
    }

    @Test func `a maker who finishes a cup after the shift is paid until then`() throws {
        // Two makers until 100 and none after; both begin a cup of 60 s at 90. At 3,600 an hour a second costs 1.
        let found = try Self.metrics(
            """
            {"wage": 3600, "fruits": {"a": {"initial": "unlimited"}},
             "menu": {"x": {"recipe": {"a": 1}, "price": 7, "preparation": 60}},
             "makers": {"shifts": {"every": 100, "makers": [2, 0]}}}
            """, [(90, 0, 2)], until: 200)
        #expect(found["cost.makers"] == 300 && found["revenue"] == 14 && found["profit"] == -286)
    }

    @Test func `makers without a limit have no wage`() throws {
        let found = try Self.metrics(#"{"makers": "unlimited"}"#, [], until: 10)
        #expect(found["cost.makers"] == nil && found["profit"] == 0)
        #expect(throws: ConfigurationError.self) { try settings(#"{"makers": "unlimited", "wage": 1}"#) }
        #expect(throws: ConfigurationError.self) { try settings(#"{"wage": -1}"#) }
    }

    @Test func `a wage changes no event and no fingerprint`() throws {
        let without = try settings("{}")
        let with = try settings(#"{"wage": 9}"#)
        #expect(without.fingerprint == with.fingerprint && without != with)
    }

    @Test func `a fruit is short below what the largest recipe takes`() throws {
        // Recipes of 16 and 10. 26 until 10, 16 until 20, 6 until 40.
        let found = try Self.metrics(
            """
            {"fruits": {"a": {"initial": 26}, "b": {"initial": "unlimited"}, "c": {"initial": 0}},
             "menu": {"x": {"recipe": {"a": 16}}, "y": {"recipe": {"a": 10, "b": 3}}}, "makers": 9}
            """, [(10, 1, 1), (20, 1, 1)], until: 40)
        #expect(found["stock.a.shortFraction"] == 0.5 && found["stock.a.soldOutFraction"] == 0)
        // No juice takes c, so nobody lacks it; b never runs out.
        #expect(found["stock.c.shortFraction"] == 0 && found["stock.c.soldOutFraction"] == 1)
        #expect(found["stock.b.shortFraction"] == nil)
    }
}
