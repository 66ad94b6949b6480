import JuiceStand
import TestSupport
import Testing

/// A ledger by hand, with every event: three figs make a cup of fig juice, three kiwis one of kiwi juice.
private let example = """
    {"seq":1,"at":0.000000000,"event":"opened","stand":"corner","opens":"2026-05-04T08:00:00","seed":42,"configuration":"0123456789abcdef","stock":{"fig":10,"kiwi":4,"ice":"unlimited"}}
    {"seq":2,"at":1.000000000,"event":"orderPlaced","order":1,"juice":"fig juice","cups":2,"by":"customer"}
    {"seq":3,"at":1.000000000,"event":"stockChanged","fruit":"fig","from":10,"to":4,"cause":"order","order":1}
    {"seq":4,"at":1.000000000,"event":"lowStock","fruit":"fig","level":4,"threshold":5}
    {"seq":5,"at":1.000000000,"event":"orderStarted","order":1}
    {"seq":6,"at":1.000000000,"event":"restockOrdered","fruit":"fig","pieces":8}
    {"seq":7,"at":2.000000000,"event":"orderPlaced","order":2,"juice":"fig juice","cups":1,"by":"customer"}
    {"seq":8,"at":2.000000000,"event":"stockChanged","fruit":"fig","from":4,"to":1,"cause":"order","order":2}
    {"seq":9,"at":3.000000000,"event":"orderLost","order":3,"juice":"fig juice","cups":1,"reason":"soldOut","fruit":"fig"}
    {"seq":10,"at":3.500000000,"event":"orderLost","order":4,"juice":"grape juice","cups":1,"reason":"notOnMenu"}
    {"seq":11,"at":4.000000000,"event":"orderLost","order":2,"juice":"fig juice","cups":1,"reason":"ranOutOfPatience"}
    {"seq":12,"at":4.000000000,"event":"stockChanged","fruit":"fig","from":1,"to":4,"cause":"return","order":2}
    {"seq":13,"at":5.000000000,"event":"restockDelivered","fruit":"fig","pieces":6,"refused":2}
    {"seq":14,"at":5.000000000,"event":"stockChanged","fruit":"fig","from":4,"to":10,"cause":"delivery"}
    {"seq":15,"at":5.000000000,"event":"stockRecovered","fruit":"fig","level":10,"threshold":5}
    {"seq":16,"at":6.500000000,"event":"orderServed","order":1,"wait":0.000000000,"stay":5.500000000}
    {"seq":17,"at":7.000000000,"event":"stockChanged","fruit":"kiwi","from":4,"to":3,"cause":"spoilage"}
    {"seq":18,"at":8.000000000,"event":"stockChanged","fruit":"kiwi","from":3,"to":9,"cause":"edit"}
    {"seq":19,"at":8.000000000,"event":"orderPlaced","order":5,"juice":"kiwi juice","cups":1,"by":"command"}
    {"seq":20,"at":8.000000000,"event":"orderSubstituted","order":5,"wished":"fig juice","juice":"kiwi juice"}
    {"seq":21,"at":8.000000000,"event":"stockChanged","fruit":"kiwi","from":9,"to":6,"cause":"order","order":5}
    {"seq":22,"at":8.500000000,"event":"orderStarted","order":5}
    {"seq":23,"at":9.000000000,"event":"rateChanged","factor":2.0}
    {"seq":24,"at":9.000000000,"event":"paused"}
    {"seq":25,"at":9.000000000,"event":"resumed"}
    {"seq":26,"at":9.000000000,"event":"configurationChanged","key":"makers","from":"1","to":"2"}
    {"seq":27,"at":10.000000000,"event":"orderServed","order":5,"wait":0.500000000,"stay":2.000000000}
    {"seq":28,"at":11.000000000,"event":"orderPlaced","order":6,"juice":"fig juice","cups":1,"by":"customer"}
    {"seq":29,"at":11.000000000,"event":"stockChanged","fruit":"fig","from":10,"to":7,"cause":"order","order":6}
    {"seq":30,"at":11.000000000,"event":"orderStarted","order":6}
    {"seq":31,"at":11.250000000,"event":"orderServed","order":6,"wait":0.000000000,"stay":0.250000000}
    {"seq":32,"at":12.000000000,"event":"orderPlaced","order":7,"juice":"fig juice","cups":3,"by":"customer"}
    {"seq":33,"at":12.000000000,"event":"stockChanged","fruit":"fig","from":7,"to":1,"cause":"order","order":7}
    {"seq":34,"at":12.000000000,"event":"lowStock","fruit":"fig","level":1,"threshold":5}
    {"seq":35,"at":12.000000000,"event":"orderBackordered","order":7,"fruit":"fig","cups":1}
    {"seq":36,"at":13.000000000,"event":"closed","open":1,"stock":{"fig":1,"kiwi":6,"ice":"unlimited"}}
    """.split(separator: "\n").map(String.init)

private func audit(_ files: [String]...) -> LedgerAudit.Finding {
    var audit = LedgerAudit()
    for (index, lines) in files.enumerated() {
        audit.read(Array(lines.map { $0 + "\n" }.joined().utf8), source: "ledger.\(index + 1)")
    }
    return audit.finding
}

private func problems(_ finding: LedgerAudit.Finding) -> [String] { finding.problems.map { "\($0)" } }

/// The lines with their numbers put right again, so that nothing but what they say is wrong.
private func renumbered(_ lines: [String]) -> [String] {
    lines.enumerated().map { index, line in
        "{\"seq\":\(index + 1)" + line.drop { $0 != "," }
    }
}

// MARK: - What is right

@Test func `a correct ledger passes the audit`() {
    let finding = audit(example)
    #expect(problems(finding) == [])
    #expect(finding.problemCount == 0)
    #expect(finding.events == 36 && finding.orders == 7 && finding.served == 3 && finding.lost == 3)
    #expect(finding.present == 1 && finding.isClosed)
}

/// The products and sums of such figures have more than 64 bits.
@Test func `the greatest figures of a ledger are audited`() {
    let most = "1000000000000"
    let head = "{\"seq\":0,\"at\":999999999.000000000,\"event\":"
    var lines = [example[0].replacing("\"fig\":10", with: "\"fig\":\(most)")]
    for (order, cups, from, to, cause) in [(1, "1", most, "0", "order"), (2, most, "0", most, "return")] {
        lines += [
            "\(head)\"orderPlaced\",\"order\":\(order),\"juice\":\"fig juice\",\"cups\":\(cups),\"by\":\"customer\"}",
            "\(head)\"stockChanged\",\"fruit\":\"fig\",\"from\":\(from),\"to\":\(to),\"cause\":\"\(cause)\",\"order\":\(order)}",
            "\(head)\"restockOrdered\",\"fruit\":\"fig\",\"pieces\":\(most)}",
            "\(head)\"orderStarted\",\"order\":\(order)}",
            "\(head)\"orderServed\",\"order\":\(order),\"wait\":0.000000000,\"stay\":0.000000000}",
        ]
    }
    let found = problems(audit(renumbered(lines)))
    #expect(found.contains { $0.contains("order 2 took other fruit for fig juice") }, "\(found)")
}

@Test func `the last time is the time of day, or without the first line in seconds`() {
    for (lines, time) in [(example, "08:00:13"), (Array(example.dropFirst()), "13s")] {
        var audit = LedgerAudit()
        audit.read(Array((lines.joined(separator: "\n") + "\n").utf8), source: "ledger")
        #expect(audit.lastTime == time)
    }
}

/// Fruit that spoils, runs low and is refused; customers who balk, renege, take another juice or wait.
private func livelyStand(_ whenSoldOut: WhenSoldOut) throws -> StandSettings {
    try settings(
        """
        {
          "fruits": {
            "strawberry": { "initial": 60, "capacity": 90, "lowStock": 20, "shelfLife": "4m",
              "restock": { "orderUpTo": { "reorderPoint": 45, "level": 100, "leadTime": { "exponential": { "mean": "3m" } } } } },
            "banana": { "initial": 20, "lowStock": 5, "restock": { "fixedQuantity": { "reorderPoint": 6, "quantity": 9, "leadTime": "2m" } } },
            "kiwi": { "initial": 15, "capacity": 15, "restock": { "orderUpTo": { "reorderPoint": 10, "level": 20, "review": "4m", "leadTime": 30 } } },
            "pineapple": { "initial": "unlimited" },
            "mango": { "initial": 30, "lowStock": 30 },
          },
          "makers": 2, "queue": { "limit": 3 },
          "customers": {
            "arrivals": { "poisson": { "perSecond": 0.08 } }, "cups": { "geometric": { "mean": 1.4 } },
            "patience": { "exponential": { "mean": "2m" } }, "whenSoldOut": "\(whenSoldOut.rawValue)",
          },
        }
        """)
}

/// The ledger of some minutes.
private func ledger(_ whenSoldOut: WhenSoldOut, seed: UInt64, minutes: Double) throws -> [String] {
    var settings = try livelyStand(whenSoldOut)
    settings.seed = seed
    return ledger(of: settings, until: minutes * 60).split(separator: "\n").map(String.init)
}

@Test(arguments: WhenSoldOut.allCases, [1, 2] as [UInt64])
func `the ledger of a simulated stand passes the audit`(whenSoldOut: WhenSoldOut, seed: UInt64) throws {
    let lines = try ledger(whenSoldOut, seed: seed, minutes: 30)
    let finding = audit(lines)
    #expect(problems(finding) == [], "seed \(seed)")
    #expect(finding.events == lines.count && finding.isClosed)
    #expect(finding.orders == finding.served + finding.lost + finding.present)
    // A day on which nothing happens would prove nothing.
    var wanted = [
        "orderPlaced", "orderStarted", "orderServed", "queueFull", "ranOutOfPatience", "return", "delivery",
        "spoilage", "lowStock", "stockRecovered", "refused",
    ]
    if whenSoldOut == .leave { wanted.append("soldOut") }
    if whenSoldOut == .substitute { wanted.append("orderSubstituted") }
    if whenSoldOut == .wait { wanted.append("orderBackordered") }
    for word in wanted { #expect(lines.contains { $0.contains("\"\(word)\"") }, "seed \(seed): \(word)") }
}

// MARK: - Rotated files

@Test func `rotated files pass the audit wherever they are cut, even without the first`() {
    for split in 1..<example.count {
        let head = Array(example[..<split])
        let tail = Array(example[split...])
        #expect(audit(head, tail) == audit(example), "split before line \(split + 1)")
        let later = audit(tail)
        #expect(problems(later) == [], "starting at line \(split + 1): \(example[split])")
        #expect(later.events == tail.count && later.isClosed)
    }
}

@Test(arguments: WhenSoldOut.allCases)
func `rotated files of a simulated stand pass the audit, even without the first`(whenSoldOut: WhenSoldOut) throws {
    // Cuts one after the other go through the middle of events as well; near the end the second file is short.
    let lines = try ledger(whenSoldOut, seed: 4, minutes: 6)
    let whole = audit(lines)
    for split in max(1, lines.count - 80)..<lines.count {
        let head = Array(lines[..<split])
        let tail = Array(lines[split...])
        if split % 16 == 0 { #expect(audit(head, tail) == whole, "split before line \(split + 1)") }
        #expect(problems(audit(tail)) == [], "starting at line \(split + 1): \(lines[split])")
    }
}

@Test func `a missing file between two is found`() {
    let finding = audit(Array(example[..<10]), Array(example[20...]))
    #expect(problems(finding).first == "ledger.2:1:1: seq must be 11, found 21")
}

// MARK: - Lines out of place

@Test func `a missing, repeated or swapped line is found with its place`() {
    for index in example.indices {
        var repeated = example
        repeated.insert(example[index], at: index)
        let again = "ledger.1:\(index + 2):1: seq must be \(index + 2), found \(index + 1)"
        #expect(problems(audit(repeated)).first == again)
    }
    for index in 1..<example.count - 1 {
        var missing = example
        missing.remove(at: index)
        var swapped = example
        swapped.swapAt(index, index + 1)
        let gap = "ledger.1:\(index + 1):1: seq must be \(index + 1), found \(index + 2)"
        #expect(problems(audit(missing)).first == gap)
        #expect(problems(audit(swapped)).first == gap)
    }
}

@Test func `an order that is started twice is found`() {
    var lines = example
    lines.insert(lines[4], at: 5)
    #expect(problems(audit(renumbered(lines))) == ["ledger.1:6:1: order 1 is started twice"])
}

@Test(arguments: WhenSoldOut.allCases)
func `renumbering the lines does not hide a missing one`(whenSoldOut: WhenSoldOut) throws {
    let lines = try ledger(whenSoldOut, seed: 5, minutes: 8)
    let served = Set(lines.compactMap { $0.firstMatch(of: /"orderServed","order":(\d+)/)?.1 })
    var random = SplitMix64(seed: 5)
    for (index, line) in lines.enumerated() where random.uniform() < 0.15 {
        let isStock = line.contains("stockChanged")
        let isOrder = line.contains("orderPlaced") || line.contains("orderServed")
        // An order that was not served may have been started or not.
        let start = line.firstMatch(of: /"orderStarted","order":(\d+)/)?.1
        guard isStock || isOrder || start.map(served.contains) == true else { continue }
        var rest = lines
        rest.remove(at: index)
        #expect(audit(renumbered(rest)).problemCount > 0, "seed 5: \(line)")
    }
}

@Test func `a torn last line is found`() {
    let text = example.dropLast().map { $0 + "\n" }.joined()
    for tail in [example.last!, String(example.last!.dropLast(20)), "{", " "] {
        var audit = LedgerAudit()
        audit.read(Array((text + tail).utf8), source: "ledger")
        #expect(problems(audit.finding) == ["ledger:36:1: the line is torn: it has no end"])
        #expect(audit.finding.events == 35 && !audit.finding.isClosed)
    }
}

@Test(arguments: [
    ("hello", "must be a JSON object, found hello"), ("", "must be a JSON object, found "),
    ("[1]", "must be a JSON object, found [1]"), ("{}", "must begin with seq, at with nine decimals, and event"),
    (#"{"seq":37,"at":13.000000000,"event":"paused"}"#, "paused after the stand was closed"),
    (#"{"seq":37,"at":13.000000000,"event":"stopped"}"#, #"unknown event "stopped""#),
    (#"{"at":13.000000000,"seq":37,"event":"paused"}"#, "must begin with seq, at with nine decimals, and event"),
])
func `lines after the end are found`(line: String, message: String) {
    let finding = audit(example + [line])
    #expect(problems(finding) == ["ledger.1:37:1: \(message)"])
}

// MARK: - Lines changed

/// One change of one line of the example, and the first thing that is then wrong.
private struct Damage: CustomTestStringConvertible, Sendable {
    let line: Int
    let old: String
    let new: String
    let found: Int
    let message: String

    init(_ line: Int, _ old: String, _ new: String, _ message: String, at found: Int? = nil) {
        self.line = line
        self.old = old
        self.new = new
        self.found = found ?? line
        self.message = message
    }

    var testDescription: String { "line \(line): \(old) becomes \(new)" }

    var lines: [String] {
        var lines = example
        lines[line - 1] = lines[line - 1].replacing(old, with: new)
        return lines
    }
}

private let damages = [
    // Stock.
    Damage(1, #""fig":10"#, #""fig":11"#, "from must be 11, found 10 for fig", at: 3),
    Damage(1, #""fig":10,"#, "", "from must be a fruit of the opening stock, found 10 for fig", at: 3),
    Damage(3, #""from":10"#, #""from":11"#, "from must be 10, found 11 for fig"),
    Damage(3, #""to":4"#, #""to":7"#, "level of fig must be 7, found 4", at: 4),
    Damage(3, #""to":4"#, #""to":10"#, "a level goes from 10 to 10"),
    Damage(3, #""to":4"#, #""to":-2"#, "a level goes from 10 to -2"),
    Damage(3, "fig", "pear", "from must be a fruit of the opening stock, found 10 for pear"),
    Damage(3, #""cause":"order""#, #""cause":"theft""#, "stockChanged has a value of the wrong kind"),
    Damage(3, #""cause":"order""#, #""cause":"return""#, "return changes fig by -6"),
    Damage(3, #""cause":"order""#, #""cause":"edit""#, "only order and return name an order"),
    Damage(3, #","order":1"#, "", "stockChanged has a value of the wrong kind"),
    Damage(3, #""order":1"#, #""order":9"#, "order 9 is given fruit without having been placed, or after its end"),
    Damage(4, #""level":4"#, #""level":3"#, "level of fig must be 4, found 3"),
    Damage(4, #""threshold":5"#, #""threshold":3"#, "fig went from 10 to 4, which does not cross 3"),
    Damage(4, "lowStock", "stockRecovered", "fig went from 10 to 4, which does not cross 5"),
    Damage(12, #""to":4"#, #""to":3"#, "order 2 gives back 2 fig and had taken 3"),
    Damage(
        12, #""order":2"#, #""order":5"#, "order 5 is given fruit back without having been placed, or after its end"),
    Damage(12, #""cause":"return","order":2"#, #""cause":"edit""#, "order 2 never gave back its fig", at: 36),
    Damage(14, #""to":10"#, #""to":9"#, "5 fig put on the shelf, not what the delivery brought"),
    Damage(14, "delivery", "edit", "6 delivered fig never reached the shelf", at: 36),
    Damage(15, #""threshold":5"#, #""threshold":12"#, "fig went from 4 to 10, which does not cross 12"),
    Damage(17, #""to":3"#, #""to":5"#, "spoilage adds 1 kiwi"),
    Damage(18, "edit", "delivery", "6 kiwi put on the shelf, not what the delivery brought"),
    Damage(34, #""level":1"#, #""level":2"#, "level of fig must be 1, found 2"),
    // Supplies.
    Damage(6, #""pieces":8"#, #""pieces":0"#, "pieces must be at least 1, found 0"),
    Damage(6, #""pieces":8"#, #""pieces":7"#, "8 fig delivered that nobody ordered", at: 13),
    Damage(6, "fig", "kiwi", "8 fig delivered that nobody ordered", at: 13),
    Damage(13, #""pieces":6"#, #""pieces":5"#, "6 fig put on the shelf, not what the delivery brought", at: 14),
    Damage(13, #""refused":2"#, #""refused":3"#, "9 fig delivered that nobody ordered"),
    Damage(13, #""refused":2"#, #""refused":-2"#, "pieces and refused must be at least 0, found 6 and -2"),
    // Orders.
    Damage(2, #""order":1"#, #""order":2"#, "order must be 1, found 2"),
    Damage(2, #""cups":2"#, #""cups":4"#, "order 1 took fruit that does not divide by its 4 cups", at: 16),
    Damage(2, #""cups":2"#, #""cups":1"#, "order 6 took other fruit for fig juice than the orders before it", at: 31),
    Damage(2, #""cups":2"#, #""cups":-2"#, "cups must be at least 1, found -2"),
    Damage(2, "fig juice", "kiwi juice", "order 5 took other fruit for kiwi juice than the orders before it", at: 27),
    Damage(2, #""by":"customer""#, #""by":"nobody""#, "orderPlaced has a value of the wrong kind"),
    Damage(5, #""order":1"#, #""order":2"#, "order 2 is started without having been placed, or after its end"),
    Damage(30, #""order":6"#, #""order":5"#, "order 5 is started without having been placed, or after its end"),
    Damage(5, #""order":1"#, #""order":4"#, "order 4 is started without having been placed, or after its end"),
    Damage(9, #""order":3"#, #""order":4"#, "order must be 3, found 4"),
    Damage(9, "soldOut", "queueFull", "fruit is named where the reason is soldOut, and only there"),
    Damage(9, #","fruit":"fig""#, "", "fruit is named where the reason is soldOut, and only there"),
    Damage(9, "soldOut", "bored", "orderLost has a value of the wrong kind"),
    Damage(
        11, #""order":2,"juice":"fig juice","cups":1"#, #""order":1,"juice":"fig juice","cups":2"#,
        "order 1 was lost after it was started"),
    Damage(11, #""order":2"#, #""order":3"#, "order 3 is lost without having been placed, or after its end"),
    Damage(
        16, #""wait":0.000000000"#, #""wait":0.000000001"#, "wait of order 1 is not the time from placed to started"),
    Damage(16, #""stay":5.500000000"#, #""stay":5.500000001"#, "stay of order 1 is not the time from placed to served"),
    Damage(16, #""stay":5.500000000"#, #""stay":5.5"#, "orderServed has a value of the wrong kind"),
    Damage(16, #""order":1"#, #""order":5"#, "order 5 is served without having been placed, or after its end"),
    Damage(20, #""juice":"kiwi juice""#, #""juice":"fig juice""#, "order 5 was placed for kiwi juice, not fig juice"),
    Damage(20, #""order":5"#, #""order":2"#, "order 2 is substituted without having been placed, or after its end"),
    Damage(30, #""order":6"#, #""order":7"#, "order 7 is started without having been placed, or after its end"),
    Damage(35, #""cups":1"#, #""cups":4"#, "cups must be from 1 to 3, found 4"),
    Damage(35, #""cups":1"#, #""cups":0"#, "cups must be from 1 to 3, found 0"),
    // The end.
    Damage(36, #""open":1"#, #""open":0"#, "open must be 1, found 0"),
    Damage(36, #""fig":1"#, #""fig":2"#, "fig must be 1 at closing, found 2"),
    Damage(36, #""kiwi":6"#, #""kiwi":"unlimited""#, "kiwi must be 6 at closing, found unlimited"),
    Damage(36, #""kiwi":6"#, #""kiwi":"some""#, "closed has a value of the wrong kind"),
    // Time, form and order of keys.
    Damage(16, "6.500000000", "4.500000000", "at must not be before that of the line above, found 4.500000000"),
    Damage(16, "6.500000000", "6.5", "must begin with seq, at with nine decimals, and event"),
    Damage(16, #""seq":16"#, #""seq":"16""#, "must begin with seq, at with nine decimals, and event"),
    Damage(24, "paused", "pausd", #"unknown event "pausd""#),
    Damage(24, "}", #","factor":1}"#, "paused has the keys factor"),
    Damage(
        16, #""wait":0.000000000,"stay":5.500000000"#, #""stay":5.500000000,"wait":0.000000000"#,
        "orderServed has the keys order, stay, wait"),
    Damage(2, #","by":"customer""#, "", "orderPlaced has the keys order, juice, cups"),
    Damage(5, #""order":1"#, #""order":1,"order":1"#, "orderStarted has the keys order, order"),
]

@Test(arguments: damages)
private func `a changed line is found with its place`(damage: Damage) {
    #expect(damage.lines != example)
    #expect(problems(audit(damage.lines)).first == "ledger.1:\(damage.found):1: \(damage.message)")
}

/// On a day that has lines of every kind.
@Test(arguments: FactKind.allCases)
func `a line with another key, or with a value of another type, is found`(kind: FactKind) throws {
    let collector = LineCollector()
    let wiring = ClosureWiring()
    wiring.connect(StandLogger(.ledger, menu: try EventfulDay.settings(.substitute).menu, sink: collector))
    var day = try EventfulDay(wiring)
    try day.run { _ in }
    let lines = collector.lines
    try #require(problems(audit(lines)) == [])
    let place = try #require(lines.firstIndex { $0.contains("\"event\":\"\(kind)\"") })
    let head = try #require(lines[place].prefixMatch(of: #/.*?"event":"\w+"/#)).output
    let fields = lines[place].dropFirst(head.count).matches(of: #/,"(\w+)":("[^"]*"|\{[^}]*\}|[^",{}]+)/#).map {
        (key: String($0.1), value: String($0.2))
    }
    func isFound(_ fields: [(key: String, value: String)]) -> Bool {
        var changed = lines
        changed[place] = head + fields.map { ",\"\($0.key)\":\($0.value)" }.joined() + "}"
        return problems(audit(changed)).contains { $0.hasPrefix("ledger.1:\(place + 1):1: ") }
    }
    #expect(!isFound(fields) && isFound(fields + [(key: "extra", value: "1")]))
    for index in fields.indices {
        var changed = fields
        changed[index].value = fields[index].value.hasPrefix("\"") ? "1" : "\"x\""
        #expect(isFound(changed), "\(kind) with \(fields[index].key) of another type")
        changed = fields
        changed[index].key += "s"
        #expect(isFound(changed), "\(kind) without \(fields[index].key)")
    }
}

/// Changes of which only the place is settled.
@Test(arguments: [
    // An order that is lost to impatience is the one that was placed.
    Damage(11, #""cups":1"#, #""cups":2"#, ""), Damage(11, "fig juice", "kiwi juice", ""),
    // The closing line names every fruit, and what is unlimited stays so.
    Damage(36, #","kiwi":6"#, "", ""), Damage(36, #""ice":"unlimited""#, #""ice":5"#, ""),
    Damage(36, #""ice":"unlimited""#, #""ice":"unlimited","pear":3"#, ""),
    // Lines are JSON without spaces, to the byte what the program writes.
    Damage(24, ",", ", ", ""), Damage(24, #""paused"}"#, #""paused"} "#, ""), Damage(24, "}", ",}", ""),
    Damage(24, "}", "} // quiet", ""), Damage(24, #""seq""#, "seq", ""), Damage(24, #""paused""#, "'paused'", ""),
    Damage(24, "9.000000000", "+9.000000000", ""), Damage(24, "9.000000000", "09.000000000", ""),
    Damage(2, #""order":1"#, #""order":+1"#, ""), Damage(24, "}", "}\r", ""),
])
private func `a line in another form is found`(damage: Damage) {
    #expect(damage.lines != example)
    #expect(problems(audit(damage.lines)).first?.hasPrefix("ledger.1:\(damage.line):1: ") == true)
}

// MARK: - Numbers no stand has

@Test(arguments: [
    [
        #"{"seq":18446744073709551615,"at":0.000000000,"event":"paused"}"#,
        #"{"seq":18446744073709551615,"at":0.000000000,"event":"paused"}"#,
    ],
    [
        #"{"seq":5,"at":0.000000000,"event":"orderLost","order":18446744073709551615,"juice":"j","cups":1,"reason":"queueFull"}"#,
        #"{"seq":6,"at":0.000000000,"event":"orderLost","order":1,"juice":"j","cups":1,"reason":"queueFull"}"#,
    ],
    [
        #"{"seq":5,"at":0.000000000,"event":"stockChanged","fruit":"f","from":-9223372036854775808,"to":9223372036854775807,"cause":"edit"}"#
    ],
    [
        #"{"seq":5,"at":0.000000000,"event":"restockDelivered","fruit":"f","pieces":9223372036854775807,"refused":9223372036854775807}"#
    ],
    [
        #"{"seq":5,"at":0.000000000,"event":"restockOrdered","fruit":"f","pieces":9223372036854775807}"#,
        #"{"seq":6,"at":0.000000000,"event":"restockOrdered","fruit":"f","pieces":9223372036854775807}"#,
        #"{"seq":6,"at":0.000000000,"event":"paused"}"#,
    ],
    [
        #"{"seq":5,"at":-9223372036.854775808,"event":"orderPlaced","order":1,"juice":"j","cups":1,"by":"customer"}"#,
        #"{"seq":6,"at":9223372036.854775807,"event":"orderStarted","order":1}"#,
        #"{"seq":7,"at":9223372036.854775807,"event":"orderServed","order":1,"wait":0.000000000,"stay":0.000000000}"#,
    ],
    [
        #"{"seq":5,"at":0.000000000,"event":"orderPlaced","order":1,"juice":"j","cups":0,"by":"customer"}"#,
        #"{"seq":6,"at":0.000000000,"event":"stockChanged","fruit":"f","from":9,"to":6,"cause":"order","order":1}"#,
        #"{"seq":7,"at":0.000000000,"event":"orderStarted","order":1}"#,
        #"{"seq":8,"at":0.000000000,"event":"orderServed","order":1,"wait":0.000000000,"stay":0.000000000}"#,
    ],
])
func `absurd numbers are found and do not crash the audit`(lines: [String]) {
    #expect(audit(lines).problemCount > 0)
}

@Test func `the first problems are kept and all are counted`() {
    let lines = (1...200).map { _ in "nonsense" }
    let finding = audit(lines)
    #expect(finding.problemCount == 200)
    #expect(finding.problems.count == LedgerAudit.mostProblems)
    #expect("\(finding.problems[0])" == "ledger.1:1:1: must be a JSON object, found nonsense")
}
