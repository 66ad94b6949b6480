/// A fact that can be written as a ledger or log line. This file defines the ledger's keys and their order.
package protocol LedgerFact: Fact {
    /// ``FactKind/name`` as a static string.
    static var event: StaticString { get }

    /// Writes the fact's own fields, in the order of the ledger.
    func write(to line: inout FactLine, _ names: FactNames)
}

/// The menu's names, quoted once.
package struct FactNames {
    let fruits: [QuotedText]
    let juices: [QuotedText]

    init(_ menu: Menu) {
        fruits = menu.fruits.map { QuotedText($0.name) }
        juices = menu.juices.map { QuotedText($0.name) }
    }
}

extension Opened: LedgerFact {
    package static var event: StaticString { "opened" }

    package func write(to line: inout FactLine, _ names: FactNames) {
        line.field("stand", quoted: QuotedText(stand))
        line.field("opens", quoted: QuotedText(opens))
        line.field("seed", seed)
        line.field("configuration", quoted: QuotedText(configuration))
        line.field("stock", stock, names: names.fruits)
    }
}

extension OrderPlaced: LedgerFact {
    package static var event: StaticString { "orderPlaced" }

    package func write(to line: inout FactLine, _ names: FactNames) {
        line.field("order", order)
        line.field("juice", quoted: names.juices[juice.index])
        line.field("cups", cups)
        line.field("by", word: by == .customer ? "customer" : "command")
    }
}

extension OrderStarted: LedgerFact {
    package static var event: StaticString { "orderStarted" }

    package func write(to line: inout FactLine, _ names: FactNames) {
        line.field("order", order)
    }
}

extension OrderServed: LedgerFact {
    package static var event: StaticString { "orderServed" }

    package func write(to line: inout FactLine, _ names: FactNames) {
        line.field("order", order)
        line.field("wait", wait)
        line.field("stay", stay)
    }
}

extension OrderSubstituted: LedgerFact {
    package static var event: StaticString { "orderSubstituted" }

    package func write(to line: inout FactLine, _ names: FactNames) {
        line.field("order", order)
        line.field("wished", quoted: names.juices[wished.index])
        line.field("juice", quoted: names.juices[juice.index])
    }
}

extension OrderLost: LedgerFact {
    package static var event: StaticString { "orderLost" }

    package func write(to line: inout FactLine, _ names: FactNames) {
        line.field("order", order)
        line.field("juice", quoted: juice.map { names.juices[$0.index] } ?? QuotedText(unknownName ?? ""))
        line.field("cups", cups)
        line.field("reason", word: reason.traits.name)
        if let fruit { line.field("fruit", quoted: names.fruits[fruit.index]) }
    }
}

extension OrderBackordered: LedgerFact {
    package static var event: StaticString { "orderBackordered" }

    package func write(to line: inout FactLine, _ names: FactNames) {
        line.field("order", order)
        line.field("fruit", quoted: names.fruits[fruit.index])
        line.field("cups", cups)
    }
}

extension StockChanged: LedgerFact {
    package static var event: StaticString { "stockChanged" }

    package func write(to line: inout FactLine, _ names: FactNames) {
        line.field("fruit", quoted: names.fruits[fruit.index])
        line.field("from", from)
        line.field("to", to)
        line.field("cause", word: cause.word)
        if let order { line.field("order", order) }
    }
}

extension LowStock: LedgerFact {
    package static var event: StaticString { "lowStock" }

    package func write(to line: inout FactLine, _ names: FactNames) {
        line.field("fruit", quoted: names.fruits[fruit.index])
        line.field(line.fruitLevel, level)
        line.field("threshold", threshold)
    }
}

extension StockRecovered: LedgerFact {
    package static var event: StaticString { "stockRecovered" }

    package func write(to line: inout FactLine, _ names: FactNames) {
        line.field("fruit", quoted: names.fruits[fruit.index])
        line.field(line.fruitLevel, level)
        line.field("threshold", threshold)
    }
}

extension RestockOrdered: LedgerFact {
    package static var event: StaticString { "restockOrdered" }

    package func write(to line: inout FactLine, _ names: FactNames) {
        line.field("fruit", quoted: names.fruits[fruit.index])
        line.field("pieces", pieces)
    }
}

extension RestockDelivered: LedgerFact {
    package static var event: StaticString { "restockDelivered" }

    package func write(to line: inout FactLine, _ names: FactNames) {
        line.field("fruit", quoted: names.fruits[fruit.index])
        line.field("pieces", pieces)
        if refused != 0 { line.field("refused", refused) }
    }
}

extension ConfigurationChanged: LedgerFact {
    package static var event: StaticString { "configurationChanged" }

    package func write(to line: inout FactLine, _ names: FactNames) {
        line.field("key", quoted: QuotedText(key))
        line.field("from", quoted: QuotedText(from))
        line.field("to", quoted: QuotedText(to))
    }
}

extension RateChanged: LedgerFact {
    package static var event: StaticString { "rateChanged" }

    package func write(to line: inout FactLine, _ names: FactNames) {
        line.field("factor", factor)
    }
}

extension Paused: LedgerFact {
    package static var event: StaticString { "paused" }

    package func write(to line: inout FactLine, _ names: FactNames) {}
}

extension Resumed: LedgerFact {
    package static var event: StaticString { "resumed" }

    package func write(to line: inout FactLine, _ names: FactNames) {}
}

extension Closed: LedgerFact {
    package static var event: StaticString { "closed" }

    package func write(to line: inout FactLine, _ names: FactNames) {
        line.field("open", open)
        line.field("stock", stock, names: names.fruits)
    }
}

// MARK: - Words, as static text

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
