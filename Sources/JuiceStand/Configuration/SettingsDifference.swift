import TextFormats

/// How two stands' settings differ, and what of it an open stand can't follow.
package struct SettingsDifference: Equatable, Sendable {
    /// What changes, in the order of the configuration.
    package private(set) var changes: [SettingChange] = []
    /// Those of the changes that the ledger has: all but colours and pictures.
    package private(set) var announced: [SettingChange] = []
    /// What can't change while the stand is open, each key with the reason.
    package private(set) var obstacles: [String] = []

    /// Compares two settings. With `ignoringWiring` another wiring is no difference, as between two starts, since it
    /// changes nothing about the stand.
    package init(from old: StandSettings, to new: StandSettings, ignoringWiring: Bool = false) {
        let (before, after) = (old.resolved(), new.resolved())
        compare(before, after, [])
        if ignoringWiring {
            changes.removeAll { $0.key == "wiring" }
            obstacles.removeAll { $0.hasPrefix("wiring:") }
        }
        // Fruits and juices are known by their place.
        if old.menu.fruits.map(\.name) != new.menu.fruits.map(\.name), !obstacles.contains(where: Self.isSet("fruits"))
        {
            obstacles.append("fruits: must stand in the same order as before")
        }
        if old.menu.juices.map(\.name) != new.menu.juices.map(\.name), !obstacles.contains(where: Self.isSet("menu")) {
            obstacles.append("menu: must stand in the same order as before")
        }
        if !old.endsWithItsOrders, !new.endsWithItsOrders { return }
        if old.customers.arrivals != new.customers.arrivals {
            changes.removeAll { $0.key.hasPrefix("customers.arrivals") }
            obstacles.append("customers.arrivals: real orders can't begin, end or change while the stand is open")
        }
    }

    private static func isSet(_ key: String) -> (String) -> Bool {
        { $0.hasPrefix("\(key).") && $0.hasSuffix(Self.isPart) }
    }

    private static let reckonedOverall = "costs are reckoned over the whole time that the stand is open"
    private static let faces = [FruitKey.colour.rawValue, FruitKey.picture.rawValue]
    private static let isPart = "is part of what the stand opened with"

    private mutating func compare(_ old: JSONValue?, _ new: JSONValue?, _ path: [String]) {
        guard old != new else { return }
        if case .object(let olds)? = old, case .object(let news)? = new,
            Self.isSection(path) || olds.map(\.key) == news.map(\.key)
        {
            let added = news.filter { member in !olds.contains { $0.key == member.key } }
            for member in olds + added {
                compare(
                    olds.first { $0.key == member.key }?.value, news.first { $0.key == member.key }?.value,
                    path + [member.key])
            }
            return
        }
        let key = path.joined(separator: ".")
        if let obstacle = Self.obstacle(path, isOptional: old == nil || new == nil) {
            obstacles.append("\(key): \(obstacle)")
        } else {
            let change = SettingChange(key: key, from: Self.text(old), to: Self.text(new))
            changes.append(change)
            if path.count == 3, path[0] == StandKey.fruits.rawValue, Self.faces.contains(path[2]) { return }
            announced.append(change)
        }
    }

    /// Whether each member of an object is a setting; a law or a restocking rule is one setting as a whole.
    private static func isSection(_ path: [String]) -> Bool {
        guard let key = path.first else { return true }
        switch standKey(key) {
        case .queue, .customers: return path.count <= 1
        case .fruits, .menu: return path.count <= 2 || (path.count == 3 && ["names", "costs"].contains(path[2]))
        case .stand, .opens, .seed, .wiring, .currency, .wage, .makers: return false
        }
    }

    /// Why a setting can't change while the stand is open; nil if it can.
    private static func obstacle(_ path: [String], isOptional: Bool) -> String? {
        switch standKey(path[0]) {
        case .makers, .queue: nil
        case .customers: customersObstacle(path[1])
        case .fruits where path.count > 2: fruitObstacle(path[2], isOptional: isOptional)
        case .menu where path.count > 2: juiceObstacle(path[2])
        case .fruits, .menu: isPart
        case .stand, .opens, .seed, .wiring, .currency: "is fixed when the stand opens"
        case .wage: reckonedOverall
        }
    }

    /// Waiting customers keep what they drew when they came.
    private static func customersObstacle(_ key: String) -> String? {
        guard let customersKey = CustomersKey(rawValue: key) else {
            preconditionFailure("no CustomersKey is called \(key)")
        }
        return switch customersKey {
        case .arrivals, .party, .cups, .patience, .whenSoldOut: nil
        }
    }

    private static func fruitObstacle(_ key: String, isOptional: Bool) -> String? {
        guard let fruitKey = FruitKey(rawValue: key) else { preconditionFailure("no FruitKey is called \(key)") }
        return switch fruitKey {
        case .names, .colour, .picture, .capacity, .lowStock, .restock: nil
        case .shelfLife: isOptional ? "fruit can't begin or cease to spoil while the stand is open" : nil
        case .initial: "only counts at the opening; change the stock by hand"
        case .costs: reckonedOverall
        }
    }

    private static func juiceObstacle(_ key: String) -> String? {
        guard let juiceKey = JuiceKey(rawValue: key) else { preconditionFailure("no JuiceKey is called \(key)") }
        return switch juiceKey {
        case .recipe: "a recipe can't change while the stand is open"
        case .names, .category, .method, .price, .popularity, .preparation: nil
        }
    }

    private static func standKey(_ key: String) -> StandKey {
        guard let standKey = StandKey(rawValue: key) else { preconditionFailure("no StandKey is called \(key)") }
        return standKey
    }

    private static func text(_ value: JSONValue?) -> String {
        switch value {
        case nil: "none"
        case .string(let text)?: text
        case let value?: value.compact()
        }
    }
}
