import Platform
import TextFormats

// `fruits`: the fruits of the stand and how each is stocked.

extension SettingsReader {
    /// The most events at one instant that a configuration may cause by its numbers alone.
    static let mostAtOnce = 100_000

    func readFruits(_ section: Section) -> (entries: [Menu.FruitEntry], shelves: [StandSettings.Shelf]) {
        let standard = (Menu.standard.fruits, StandSettings.standard.shelves)
        guard section.has("fruits") else { return standard }
        guard let fruits = section.section("fruits") else { return standard }
        let members = usable(fruits, most: Fruit.limit)
        refuseEqualMetrics(members, fruits.path)
        var entries: [Menu.FruitEntry] = []
        var shelves: [StandSettings.Shelf] = []
        for member in members {
            let shelf = fruits.section(member.key)
            // A value that is not an object has been reported. Recipes may still name the fruit.
            var entry = Menu.FruitEntry(name: member.key, names: shelf.map(readNames) ?? [])
            if let shelf { readFace(shelf, &entry.face) }
            entries.append(entry)
            shelves.append(shelf.map(readShelf) ?? StandSettings.Shelf(initial: 10))
        }
        return (entries, shelves)
    }

    /// Up to `most` members. Reports superfluous members and names that cannot be displayed.
    func usable(_ section: Section, most: Int) -> [JSONNode.Member] {
        if section.all.count > most {
            report.add(section.place, section.path, "must be at most \(most), found \(section.all.count)")
        }
        let members = Array(section.all.prefix(most))
        for member in members {
            let isPrintable = member.key.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            guard member.key.isEmpty || !isPrintable else { continue }
            report.add(
                member.keyPlace, section.path,
                "must have non-empty names without control characters, found \"\(member.key)\"")
        }
        return members
    }

    /// Refuses `a` beside `a.backordered`: `stock.a.backordered.mean` would be a metric of both.
    private func refuseEqualMetrics(_ fruits: [JSONNode.Member], _ path: String) {
        let names = Set(fruits.map(\.key))
        for fruit in fruits where fruit.key.hasSuffix(".backordered") {
            let other = String(fruit.key.dropLast(".backordered".count))
            guard names.contains(other) else { continue }
            report.add(
                fruit.keyPlace, path,
                "must not have \"\(fruit.key)\" beside \"\(other)\": both would have a metric stock.\(fruit.key).mean")
        }
    }

    func readNames(_ section: Section) -> [LocalizedName] {
        guard let names = section.section("names") else { return [] }
        return names.all.compactMap { member in
            names.string(member.key).map { LocalizedName(language: member.key, name: $0) }
        }
    }

    private func readFace(_ section: Section, _ face: inout FruitFace) {
        func read(_ key: FruitKey, _ expected: String, where isValid: (String) -> Bool) -> String? {
            guard let text = section.string(key.rawValue) else { return nil }
            if isValid(text) { return text }
            report.add(
                section.node(key.rawValue)!.place, section.path(of: key.rawValue),
                "must be \(expected), found \"\(text)\"")
            return nil
        }
        face.colour = read(.colour, "a colour such as \"#e4344b\"", where: FruitFace.isColour) ?? face.colour
        face.picture =
            read(.picture, "one emoji or 1 to 16 bytes of text", where: FruitFace.isPicture) ?? face.picture
    }

    private func readShelf(_ section: Section) -> StandSettings.Shelf {
        // Ten, as in the standard menu.
        let initial = section.limit("initial") ?? 10
        var shelf = StandSettings.Shelf(initial: initial == .max ? nil : initial)
        shelf.capacity = section.integer("capacity")
        shelf.lowStock = section.integer("lowStock")
        shelf.shelfLife = section.duration("shelfLife")
        if let capacity = shelf.capacity, let initial = shelf.initial, initial > capacity {
            let place = section.node("initial")?.place ?? section.place
            report.add(
                place, section.path(of: "initial"), "must be at most the capacity of \(capacity), found \(initial)")
        }
        if section.has("restock") {
            shelf.restock = readRestock(section)
            checkReorderPoint(of: shelf, section)
        }
        if let costs = section.section("costs") {
            shelf.costs.unit = costs.number("unit") ?? 0
            shelf.costs.order = costs.number("order") ?? 0
            shelf.costs.holding = costs.number("holding") ?? 0
            shelf.costs.shortage = costs.number("shortage") ?? 0
        }
        return shelf
    }

    private func readRestock(_ shelf: Section) -> RestockPolicy {
        let path = shelf.path(of: "restock")
        let node = shelf.node("restock")!
        if node.isInvalid || node.value == .string("manual") { return .manual }
        guard case .object = node.value else {
            report.add(
                node.place, path,
                "must be \"manual\", {\"orderUpTo\": …} or {\"fixedQuantity\": …}, found \(node.found)")
            return .manual
        }
        guard let section = shelf.section("restock") else { return .manual }
        if section.count != 1 { report.add(node.place, path, "must have one key: orderUpTo or fixedQuantity") }
        let rules = section.all.map { $0.key == "orderUpTo" ? readOrderUpTo(section) : readFixedQuantity(section) }
        return rules.first ?? .manual
    }

    private func readOrderUpTo(_ restock: Section) -> RestockPolicy {
        guard let rule = restock.section("orderUpTo") else { return .manual }
        let point = rule.integer("reorderPoint")
        let level = rule.integer("level", atLeast: point.map { $0 + 1 })
        let leadTime = rule.distribution("leadTime") ?? .constant(0)
        let isContinuous = rule.node("review").map { $0.value == .string("continuous") } ?? true
        let review = isContinuous ? nil : rule.duration("review", orElse: " or \"continuous\"")
        guard let point, let level else { return .manual }
        return .orderUpTo(reorderPoint: point, level: level, leadTime: leadTime, review: review)
    }

    private func readFixedQuantity(_ restock: Section) -> RestockPolicy {
        guard let rule = restock.section("fixedQuantity") else { return .manual }
        let point = rule.integer("reorderPoint")
        let quantity = rule.integer("quantity")
        let leadTime = rule.distribution("leadTime") ?? .constant(0)
        guard let point, let quantity else { return .manual }
        return .fixedQuantity(reorderPoint: point, quantity: quantity, leadTime: leadTime)
    }

    /// Orders of a fixed quantity are placed one by one. A typing error must not place a billion at the opening, or
    /// when all fruit has spoiled. Fruit that keeps can also be gone at once: a command may take all of it.
    private func checkReorderPoint(of shelf: StandSettings.Shelf, _ section: Section) {
        guard case .fixedQuantity(let point, let quantity, _) = shelf.restock, shelf.initial != nil else { return }
        let orders = point / quantity
        if orders > Self.mostAtOnce {
            report.add(
                section.node("restock")!.place, section.path(of: "restock.fixedQuantity.quantity"),
                "must refill an empty shelf to the reorder point with at most \(Self.mostAtOnce) orders, found "
                    + "\(orders)"
            )
        }
    }
}
