import Platform
import TextFormats

// The rules for each kind of line.

extension LedgerAudit {
    /// The rule for the lines of one kind of fact. A class, because a copy would take longer than checking a line.
    final class Rule: Sendable {
        /// The keys that a line may have, in this order.
        let keys: [String]
        /// The bytes before each value.
        let leads: [[UInt8]]
        /// The numbers of keys that a line may have.
        let counts: [Int]
        /// Checks a line against the lines before it. Returns false if a value is of the wrong type.
        let check: @Sendable (inout LedgerAudit, LedgerFields) -> Bool

        init(
            _ keys: [String], or more: [String] = [],
            check: @escaping @Sendable (inout LedgerAudit, LedgerFields) -> Bool
        ) {
            self.keys = keys + more
            leads = self.keys.map { Array(",\"\($0)\":".utf8) }
            counts = more.isEmpty ? [keys.count] : [keys.count, keys.count + more.count]
            self.check = check
        }
    }

    // MARK: - The stand

    mutating func opened(_ fields: LedgerFields) -> Bool {
        guard let stock = fields.levels("stock"), fields.isNumber("seed"),
            ["stand", "opens", "configuration"].allSatisfy({ fields.text($0) != nil })
        else { return false }
        if finding.events > 1 { report("opened must be the first line") }
        opens = fields.text("opens")
        for (fruit, level) in stock {
            if let level { levels[fruits.add(fruit)] = level } else { unlimited.insert(fruit) }
        }
        return true
    }

    /// Pieces on hand; nil for unlimited fruit, and for fruit that no line names.
    private func level(of fruit: String) -> Int? { fruits.number(of: fruit).flatMap { levels[$0] } }

    mutating func closed(_ fields: LedgerFields) -> Bool {
        guard let stock = fields.levels("stock"), let open = fields.integer("open") else { return false }
        finding.isClosed = true
        if !startsLater, open != orders.count { report("open must be \(orders.count), found \(open)") }
        for (fruit, level) in stock {
            if let known = self.level(of: fruit), known != level {
                report("\(fruit) must be \(known) at closing, found \(level.map(String.init) ?? "unlimited")")
            }
        }
        if !startsLater {
            let named = Set(stock.map(\.fruit))
            let known = unlimited.union(fruits.names.filter { level(of: $0) != nil })
            let wrong = known.symmetricDifference(named)
            for fruit in wrong.sorted() {
                report("\(fruit) must be in the stock at closing if and only if it was at the opening")
            }
            for (fruit, level) in stock where unlimited.contains(fruit) && level != nil {
                report("\(fruit) must be unlimited at closing, found \(level!)")
            }
        }
        for (order, changes) in returns {
            let names = changes.map { fruits.names[$0.fruit] }.sorted()
            report("order \(order) never gave back its \(names.joined(separator: ", "))")
        }
        for (fruit, name) in fruits.names.enumerated() {
            if let pieces = toShelve[fruit], pieces != 0 {
                report("\(pieces) delivered \(name) never reached the shelf")
            }
        }
        return true
    }

    /// A changed threshold can be crossed by an unchanged level.
    mutating func configurationChanged(_ fields: LedgerFields) -> Bool {
        guard let key = fields.text("key"), fields.text("from") != nil, fields.text("to") != nil else { return false }
        if key.hasPrefix("fruits."), key.hasSuffix(".lowStock") {
            let name = String(key.dropFirst("fruits.".count).dropLast(".lowStock".count))
            if let fruit = fruits.number(of: name) { before[fruit] = nil }
        }
        return true
    }

    // MARK: - Orders

    /// Order numbers start at 1 and have no gap.
    private mutating func numberOrder(_ order: UInt64) {
        if let last = lastOrder ?? (startsLater ? nil : 0), order != last + 1 {
            report("order must be \(last + 1), found \(order)")
        }
        lastOrder = order
        finding.orders += 1
    }

    mutating func placed(_ fields: LedgerFields) -> Bool {
        guard let order = fields.order(), let juice = fields.text("juice").map({ juices.add($0) }),
            let cups = fields.integer("cups"), fields.text("by").flatMap(Origin.init(rawValue:)) != nil
        else { return false }
        numberOrder(order)
        if cups < 1 { report("cups must be at least 1, found \(cups)") }
        orders[order] = AuditedOrder(juice: juice, cups: max(1, cups), placed: nanoseconds)
        return true
    }

    mutating func started(_ fields: LedgerFields) -> Bool {
        guard let order = fields.order() else { return false }
        guard let place = orders.index(forKey: order) else { return unknown(order, "started") }
        if orders.values[place].started != nil { report("order \(order) is started twice") }
        orders.values[place].started = nanoseconds
        return true
    }

    mutating func served(_ fields: LedgerFields) -> Bool {
        guard let number = fields.order(), let wait = fields.time("wait"), let stay = fields.time("stay") else {
            return false
        }
        finding.served += 1
        guard let order = orders.removeValue(forKey: number) else { return unknown(number, "served") }
        guard let started = order.started else {
            report("order \(number) is served without having been started")
            return true
        }
        if wait != started - order.placed { report("wait of order \(number) is not the time from placed to started") }
        if stay != nanoseconds - order.placed {
            report("stay of order \(number) is not the time from placed to served")
        }
        checkRecipe(of: order, number)
        return true
    }

    /// All orders of a juice must take the same fruit per cup.
    private mutating func checkRecipe(of order: AuditedOrder, _ number: UInt64) {
        guard order.taken.allSatisfy({ $0.pieces % order.cups == 0 }) else {
            return report(
                "order \(number) took fruit that does not divide by its \(Columns.counted(order.cups, "cup"))")
        }
        if let known = recipes[order.juice] {
            let isSame =
                known.count == order.taken.count { $0.pieces != 0 }
                && known.allSatisfy { one in
                    order.taken.contains { $0.fruit == one.fruit && $0.pieces / order.cups == -one.pieces }
                }
            if isSame { return }
            report("order \(number) took other fruit for \(juices.names[order.juice]) than the orders before it")
        }
        recipes[order.juice] = order.taken.filter { $0.pieces != 0 }.map {
            (fruit: $0.fruit, pieces: -$0.pieces / order.cups)
        }
    }

    mutating func substituted(_ fields: LedgerFields) -> Bool {
        guard let number = fields.order(), let juice = fields.text("juice"), fields.text("wished") != nil else {
            return false
        }
        guard let order = orders[number] else { return unknown(number, "substituted") }
        if juices.names[order.juice] != juice {
            report("order \(number) was placed for \(juices.names[order.juice]), not \(juice)")
        }
        return true
    }

    mutating func lost(_ fields: LedgerFields) -> Bool {
        guard let number = fields.order(), let wish = fields.text("juice"), let cups = fields.integer("cups"),
            let reason = fields.text("reason").flatMap(LossReason.init(name:))
        else { return false }
        finding.lost += 1
        if (reason == .soldOut) != (fields.text("fruit") != nil) {
            report("fruit is named where the reason is soldOut, and only there")
        }
        guard reason.traits.wasPlaced else {
            numberOrder(number)
            return true
        }
        guard let order = orders.removeValue(forKey: number) else { return unknown(number, "lost") }
        let juice = juices.names[order.juice]
        if juice != wish || order.cups != cups {
            report("order \(number) was placed for \(order.cups) \(juice)")
        }
        if order.started != nil { report("order \(number) was lost after it was started") }
        let owed = order.taken.filter { $0.pieces != 0 }
        if !owed.isEmpty { returns[number] = owed.map { (fruit: $0.fruit, pieces: -$0.pieces) } }
        return true
    }

    mutating func backordered(_ fields: LedgerFields) -> Bool {
        guard let order = fields.order(), let cups = fields.integer("cups"), fields.text("fruit") != nil else {
            return false
        }
        guard orders[order] != nil else { return unknown(order, "backordered") }
        if !(1...orders[order]!.cups).contains(cups) {
            report("cups must be from 1 to \(orders[order]!.cups), found \(cups)")
        }
        return true
    }

    private mutating func unknown(_ order: UInt64, _ what: String) -> Bool {
        if !startsLater { report("order \(order) is \(what) without having been placed, or after its end") }
        return true
    }

    // MARK: - Fruit

    /// The number of the fruit that a line names.
    private mutating func fruit(_ fields: LedgerFields) -> Int? { fields.text("fruit").map { fruits.add($0) } }

    mutating func stockChanged(_ fields: LedgerFields) -> Bool {
        guard let fruit = fruit(fields), let from = fields.integer("from"),
            let to = fields.integer("to"), let cause = fields.text("cause").flatMap(StockCause.init(rawValue:))
        else { return false }
        if let known = levels[fruit] ?? (startsLater ? nil : .some(-1)), known != from {
            report(
                "from must be \(known < 0 ? "a fruit of the opening stock" : "\(known)"), found \(from) for "
                    + "\(fruits.names[fruit])"
            )
        }
        if from < 0 || to < 0 || from == to { report("a level goes from \(from) to \(to)") }
        levels[fruit] = to
        before[fruit] = from
        let change = to - from
        switch cause {
        case .order, .return: return changedForOrder(fields, fruit, change, cause)
        case .delivery: shelve(fruit, change)
        case .spoilage: if change > 0 { report("spoilage adds \(change) \(fruits.names[fruit])") }
        case .edit: break
        }
        if fields.order() != nil { report("only order and return name an order") }
        return true
    }

    private mutating func changedForOrder(_ fields: LedgerFields, _ fruit: Int, _ change: Int, _ cause: StockCause)
        -> Bool
    {
        guard let order = fields.order() else { return false }
        if (cause == .order) != (change < 0) { report("\(cause) changes \(fruits.names[fruit]) by \(change)") }
        if cause == .return {
            guard let place = returns[order]?.firstIndex(where: { $0.fruit == fruit }) else {
                return unknown(order, "given fruit back")
            }
            let owed = returns[order]!.remove(at: place).pieces
            if owed != change {
                report("order \(order) gives back \(change) \(fruits.names[fruit]) and had taken \(owed)")
            }
            if returns[order]!.isEmpty { returns[order] = nil }
        } else if let place = orders.index(forKey: order) {
            orders.values[place].change(fruit, by: change)
        } else {
            return unknown(order, "given fruit")
        }
        return true
    }

    private mutating func shelve(_ fruit: Int, _ change: Int) {
        // The delivery may be in the missing earlier file.
        if startsLater, toShelve[fruit] == nil { return }
        let rest = (toShelve[fruit] ?? 0) - change
        toShelve[fruit] = rest
        if !startsLater, rest != 0 {
            report("\(change) \(fruits.names[fruit]) put on the shelf, not what the delivery brought")
        }
    }

    mutating func crossed(_ fields: LedgerFields, downwards: Bool) -> Bool {
        guard let fruit = fruit(fields), let level = fields.integer("level"),
            let threshold = fields.integer("threshold")
        else { return false }
        let name = fruits.names[fruit]
        if let known = levels[fruit], known != level { report("level of \(name) must be \(known), found \(level)") }
        if let from = before[fruit] {
            let wasAbove = from > threshold
            let isAbove = level > threshold
            let isCrossing = wasAbove == downwards && isAbove != downwards
            if !isCrossing { report("\(name) went from \(from) to \(level), which does not cross \(threshold)") }
        }
        return true
    }

    mutating func restockOrdered(_ fields: LedgerFields) -> Bool {
        guard let fruit = fruit(fields), let pieces = fields.integer("pieces") else { return false }
        if pieces < 1 { report("pieces must be at least 1, found \(pieces)") }
        onOrder[fruit] = (onOrder[fruit] ?? 0) + pieces
        return true
    }

    mutating func restockDelivered(_ fields: LedgerFields) -> Bool {
        guard let fruit = fruit(fields), let pieces = fields.integer("pieces") else { return false }
        let refused = fields.integer("refused") ?? 0
        if pieces < 0 || refused < 0 { report("pieces and refused must be at least 0, found \(pieces) and \(refused)") }
        let rest = (onOrder[fruit] ?? 0) - pieces - refused
        onOrder[fruit] = rest
        if !startsLater, rest < 0 {
            report("\(pieces + refused) \(fruits.names[fruit]) delivered that nobody ordered")
        }
        toShelve[fruit] = (toShelve[fruit] ?? 0) + pieces
        return true
    }
}
