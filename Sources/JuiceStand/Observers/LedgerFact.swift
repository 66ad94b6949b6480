import TextFormats

/// A fact that can be written as a ledger or log line. This file defines the ledger's keys and their order.
package protocol LedgerFact: Fact {
    /// Writes the fact's own fields, in the order of the ledger.
    func writeFields(to line: inout FactLine, _ names: FactNames)
}

/// The menu's names, quoted once.
package struct FactNames: Sendable {
    let fruits: [QuotedText]
    let juices: [QuotedText]

    init(_ menu: Menu) {
        fruits = menu.fruits.map { QuotedText($0.name) }
        juices = menu.juices.map { QuotedText($0.name) }
    }
}

extension Opened: LedgerFact {
    package func writeFields(to line: inout FactLine, _ names: FactNames) {
        line.field("stand", quoted: QuotedText(stand))
        line.field("opens", quoted: QuotedText(opens))
        line.field("seed", seed)
        line.field("configuration", quoted: QuotedText(configuration))
        line.field("stock", stock, names: names.fruits)
    }
}

extension OrderPlaced: LedgerFact {
    package func writeFields(to line: inout FactLine, _ names: FactNames) {
        line.field("order", order)
        line.field("juice", quoted: names.juices[juice.index])
        line.field("cups", cups)
        line.field("by", word: by == .customer ? "customer" : "command")
    }
}

extension OrderStarted: LedgerFact {
    package func writeFields(to line: inout FactLine, _ names: FactNames) { line.field("order", order) }
}

extension OrderServed: LedgerFact {
    package func writeFields(to line: inout FactLine, _ names: FactNames) {
        line.field("order", order)
        line.field("wait", wait)
        line.field("stay", stay)
    }
}

extension OrderSubstituted: LedgerFact {
    package func writeFields(to line: inout FactLine, _ names: FactNames) {
        line.field("order", order)
        line.field("wished", quoted: names.juices[wished.index])
        line.field("juice", quoted: names.juices[juice.index])
    }
}

extension OrderLost: LedgerFact {
    package func writeFields(to line: inout FactLine, _ names: FactNames) {
        line.field("order", order)
        line.field("juice", quoted: juice.map { names.juices[$0.index] } ?? QuotedText(unknownName ?? ""))
        line.field("cups", cups)
        line.field("reason", word: reason.traits.name)
        if let fruit { line.field("fruit", quoted: names.fruits[fruit.index]) }
    }
}

extension OrderBackordered: LedgerFact {
    package func writeFields(to line: inout FactLine, _ names: FactNames) {
        line.field("order", order)
        line.field("fruit", quoted: names.fruits[fruit.index])
        line.field("cups", cups)
    }
}

extension StockChanged: LedgerFact {
    package func writeFields(to line: inout FactLine, _ names: FactNames) {
        line.field("fruit", quoted: names.fruits[fruit.index])
        line.field("from", from)
        line.field("to", to)
        line.field("cause", word: cause.word)
        if let order { line.field("order", order) }
    }
}

extension LowStock: LedgerFact {
    package func writeFields(to line: inout FactLine, _ names: FactNames) {
        line.field("fruit", quoted: names.fruits[fruit.index])
        line.field(line.fruitLevel, level)
        line.field("threshold", threshold)
    }
}

extension StockRecovered: LedgerFact {
    package func writeFields(to line: inout FactLine, _ names: FactNames) {
        line.field("fruit", quoted: names.fruits[fruit.index])
        line.field(line.fruitLevel, level)
        line.field("threshold", threshold)
    }
}

extension RestockOrdered: LedgerFact {
    package func writeFields(to line: inout FactLine, _ names: FactNames) {
        line.field("fruit", quoted: names.fruits[fruit.index])
        line.field("pieces", pieces)
    }
}

extension RestockDelivered: LedgerFact {
    package func writeFields(to line: inout FactLine, _ names: FactNames) {
        line.field("fruit", quoted: names.fruits[fruit.index])
        line.field("pieces", pieces)
        if refused != 0 { line.field("refused", refused) }
    }
}

extension ConfigurationChanged: LedgerFact {
    package func writeFields(to line: inout FactLine, _ names: FactNames) {
        line.field("key", quoted: QuotedText(key))
        line.field("from", quoted: QuotedText(from))
        line.field("to", quoted: QuotedText(to))
    }
}

extension RateChanged: LedgerFact {
    package func writeFields(to line: inout FactLine, _ names: FactNames) { line.field("factor", factor) }
}

extension Paused: LedgerFact {
    package func writeFields(to line: inout FactLine, _ names: FactNames) {}
}

extension Resumed: LedgerFact {
    package func writeFields(to line: inout FactLine, _ names: FactNames) {}
}

extension Closed: LedgerFact {
    package func writeFields(to line: inout FactLine, _ names: FactNames) {
        line.field("open", open)
        line.field("stock", stock, names: names.fruits)
    }
}

// MARK: - The same keys, as the audit expects them

extension LedgerAudit {
    /// The rule for the lines of a kind of fact.
    static func rule(for kind: FactKind) -> Rule {
        switch kind {
        case .opened: Rule(["stand", "opens", "seed", "configuration", "stock"]) { $0.opened($1) }
        case .orderPlaced: Rule(["order", "juice", "cups", "by"]) { $0.placed($1) }
        case .orderStarted: Rule(["order"]) { $0.started($1) }
        case .orderServed: Rule(["order", "wait", "stay"]) { $0.served($1) }
        case .orderSubstituted: Rule(["order", "wished", "juice"]) { $0.substituted($1) }
        case .orderLost: Rule(["order", "juice", "cups", "reason"], or: ["fruit"]) { $0.lost($1) }
        case .orderBackordered: Rule(["order", "fruit", "cups"]) { $0.backordered($1) }
        case .stockChanged: Rule(["fruit", "from", "to", "cause"], or: ["order"]) { $0.stockChanged($1) }
        case .lowStock: Rule(["fruit", "level", "threshold"]) { $0.crossed($1, downwards: true) }
        case .stockRecovered: Rule(["fruit", "level", "threshold"]) { $0.crossed($1, downwards: false) }
        case .restockOrdered: Rule(["fruit", "pieces"]) { $0.restockOrdered($1) }
        case .restockDelivered: Rule(["fruit", "pieces"], or: ["refused"]) { $0.restockDelivered($1) }
        case .configurationChanged: Rule(["key", "from", "to"]) { $0.configurationChanged($1) }
        case .rateChanged: Rule(["factor"]) { $1.decimal("factor") != nil }
        case .paused, .resumed: Rule([]) { _, _ in true }
        case .closed: Rule(["open", "stock"]) { $0.closed($1) }
        }
    }
}

// MARK: - Words, as static text

extension FactKind {
    /// The event's name.
    var word: StaticString {
        switch self {
        case .opened: "opened"
        case .orderPlaced: "orderPlaced"
        case .orderStarted: "orderStarted"
        case .orderServed: "orderServed"
        case .orderSubstituted: "orderSubstituted"
        case .orderLost: "orderLost"
        case .orderBackordered: "orderBackordered"
        case .stockChanged: "stockChanged"
        case .lowStock: "lowStock"
        case .stockRecovered: "stockRecovered"
        case .restockOrdered: "restockOrdered"
        case .restockDelivered: "restockDelivered"
        case .configurationChanged: "configurationChanged"
        case .rateChanged: "rateChanged"
        case .paused: "paused"
        case .resumed: "resumed"
        case .closed: "closed"
        }
    }
}

extension StockCause {
    var word: StaticString {
        switch self {
        case .order: "order"
        case .return: "return"
        case .delivery: "delivery"
        case .edit: "edit"
        case .spoilage: "spoilage"
        }
    }
}
