import TextFormats

/// The rules across keys of a configuration. Each rule reports the values that break it.
enum StandRules {
    /// The most events at one instant that a configuration may cause by its numbers alone.
    private static let mostAtOnce = 100_000
    /// The most restocks of a fixed quantity that replace the fruit of one customer's order. Each is an event of its
    /// own.
    private static let mostRestocks = 1000

    // MARK: - One fruit

    @Sendable static func checkFruit(_ found: Found, _ fruit: FruitSettings) -> Bool {
        let shelf = fruit.shelf
        if let capacity = shelf.capacity, let initial = shelf.initial, initial > capacity {
            found.problem(at: "initial", "must be at most the capacity of \(capacity), found \(initial)")
        }
        // Orders of a fixed quantity are placed one by one. A typing error must not place a billion at the opening, or
        // when all fruit has spoiled. Fruit that keeps can also be gone at once: a command may take all of it.
        if case .fixedQuantity(let point, let quantity, _) = shelf.restock, shelf.initial != nil,
            point / quantity > mostAtOnce, let restock = found["restock"]
        {
            restock.report.add(
                restock.node.place, "\(restock.path).fixedQuantity.quantity",
                "must refill an empty shelf to the reorder point with at most \(mostAtOnce) orders, found "
                    + "\(point / quantity)")
        }
        return true
    }

    // MARK: - Customers

    /// Refuses parties that order more cups at one instant than the stand can handle before the next one.
    @Sendable static func checkCustomers(_ found: Found, _ customers: StandSettings.Customers) -> Bool {
        let cups = customers.largestOrder * customers.largestParty
        // A trace ignores parties.
        if cups > mostAtOnce, found["arrivals"]?["trace"] == nil {
            found["party"]?.problem("must bring orders of at most \(mostAtOnce) cups together, found \(cups)")
        }
        return true
    }

    // MARK: - The stand, before its trace is read

    static func checkNames(_ root: Found, _ settings: StandSettings) {
        if settings.stand.isEmpty { root["stand"]?.mustBe("a name") }
        if let fruits = root["fruits"] { refuseEqualMetrics(fruits, settings.menu) }
        if let menu = root["menu"] {
            for juice in settings.menu.juices { checkRecipe(menu[juice.name]?["recipe"], settings.menu) }
        } else if let fruits = root["fruits"], fruits.isObject {
            let missing = Menu.standard.fruits.map(\.name).filter { settings.menu.fruit(named: $0) == nil }
            guard !missing.isEmpty else { return }
            fruits.problem(
                "must include \(missing.joined(separator: ", ")) for the standard menu, unless a menu is given")
        }
    }

    /// Refuses `a` beside `a.backordered`: `stock.a.backordered.mean` would be a metric of both.
    private static func refuseEqualMetrics(_ fruits: Found, _ menu: Menu) {
        for fruit in fruits.members where fruit.key.hasSuffix(".backordered") {
            let other = String(fruit.key.dropLast(".backordered".count))
            guard menu.fruit(named: other) != nil, menu.fruit(named: fruit.key) != nil else { continue }
            fruits.report.add(
                fruit.keyPlace, fruits.path,
                "must not have \"\(fruit.key)\" beside \"\(other)\": both would have a metric stock.\(fruit.key).mean")
        }
    }

    private static func checkRecipe(_ recipe: Found?, _ menu: Menu) {
        guard let recipe else { return }
        var known = Set(menu.fruits.map(\.name))
        for ingredient in recipe.members where known.insert(ingredient.key).inserted {
            let names = menu.fruits.map(\.name)
            let hint = Found.suggestion(for: ingredient.key, among: names, orElse: "the fruits are")
            recipe.report.add(ingredient.keyPlace, recipe.path(of: ingredient.key), "unknown fruit; \(hint)")
        }
    }

    /// Refuses values of a trace's map that are not juices.
    static func checkMap(_ root: Found, _ menu: Menu) {
        guard let map = root["customers"]?["arrivals"]?["trace"]?["map"], root["menu"]?.isObject ?? true else { return }
        let names = menu.juices.map(\.name)
        for member in map.members {
            guard case .string(let juice) = member.node.value, juice.isPrintable, !names.isEmpty,
                menu.juice(named: juice) == nil
            else { continue }
            let hint = Found.suggestion(for: juice, among: names, orElse: "on the menu are")
            map[member.key]?.problem("must be a juice of the menu or null, found \"\(juice)\"; \(hint)")
        }
    }

    // MARK: - The stand as a whole

    static func check(_ root: Found, _ settings: StandSettings) {
        checkRestocks(root, settings)
        if settings.wage > 0, settings.makers == .max {
            root.problem(at: "wage", "must be 0 with makers \"unlimited\", found \(settings.wage)")
        }
        if !settings.offers.isEmpty, root["customers"]?["arrivals"]?["trace"] == nil,
            settings.offers.allSatisfy({ $0.popularity == 0 })
        {
            root.problem(at: "menu", "must have a juice with a popularity above 0")
        }
    }

    /// Refuses a fixed quantity that is far too small for the orders of the customers.
    private static func checkRestocks(_ root: Found, _ settings: StandSettings) {
        var cups = settings.customers.largestOrder
        var party = settings.customers.largestParty
        if case .trace(let trace) = settings.customers.arrivals {
            cups = trace.lines.reduce(cups) { max($0, $1.cups ?? 1) }
            // A trace ignores parties.
            party = 1
        }
        for fruit in settings.menu.allFruits {
            guard case .fixedQuantity(_, let quantity, _) = settings.shelves[fruit.index].restock else { continue }
            let restocks = settings.menu.mostPieces(of: fruit) * cups / quantity
            let isOneOrder = restocks > mostRestocks
            guard isOneOrder || restocks * party > mostAtOnce else { continue }
            let customers = isOneOrder ? "an order" : "\(party) orders"
            let most = isOneOrder ? mostRestocks : mostAtOnce
            root.report.add(
                root["fruits"]?.node.place ?? root.node.place,
                "fruits.\(settings.menu.name(of: fruit)).restock.fixedQuantity.quantity",
                "must replace the fruit of \(customers) of \(cups) cups with at most \(most) orders, found "
                    + "\(isOneOrder ? restocks : restocks * party)")
        }
    }

    // MARK: - Warnings

    /// Settings that can be used but are probably a mistake.
    static func warnings(_ settings: StandSettings, source: String) -> [TextProblem] {
        let menu = settings.menu
        let used = Set(menu.allJuices.flatMap { menu.recipe(of: $0).map(\.fruit) })
        var warnings = menu.allFruits.filter { !used.contains($0) }.map { fruit in
            "fruits.\(menu.name(of: fruit)): no juice uses this fruit"
        }
        for juice in menu.allJuices where settings.customers.whenSoldOut == .wait {
            for ingredient in menu.recipe(of: juice) {
                let capacity = settings.shelves[ingredient.fruit.index].capacity ?? .max
                guard capacity < ingredient.pieces else { continue }
                warnings.append(
                    "menu.\(menu.name(of: juice)).recipe.\(menu.name(of: ingredient.fruit)): needs "
                        + "\(ingredient.pieces) and the shelf holds \(capacity), so customers who wait for it are "
                        + "never served")
            }
        }
        return warnings.map { TextProblem(place: Place(source: source), message: $0) }
    }
}
