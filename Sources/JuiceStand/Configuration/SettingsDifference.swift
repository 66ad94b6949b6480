import TextFormats

/// The changes from a stand's settings to new ones, and why an open stand can't follow some of them.
package struct SettingsDifference: Equatable, Sendable {
    /// All changes, in the order of the configuration.
    package private(set) var changes: [SettingChange] = []
    /// The changes that the ledger records: all but those of colours and pictures.
    package private(set) var announced: [SettingChange] = []
    /// The keys that can't change while the stand is open, each with the reason.
    package private(set) var obstacles: [String] = []

    package init(from old: StandSettings, to new: StandSettings) {
        compare(old.resolved(), new.resolved(), "", StandSettings.form.shape)
        // Fruits and juices are known by their place.
        for (key, haveEqualNames) in [
            ("fruits", old.menu.fruits.map(\.name) == new.menu.fruits.map(\.name)),
            ("menu", old.menu.juices.map(\.name) == new.menu.juices.map(\.name)),
        ] where !haveEqualNames {
            if obstacles.contains(where: { $0.hasPrefix("\(key).") && $0.hasSuffix(Self.isPart) }) { continue }
            obstacles.append("\(key): must stand in the same order as before")
        }
        if !old.endsWithItsOrders, !new.endsWithItsOrders { return }
        if old.customers.arrivals != new.customers.arrivals {
            changes.removeAll { $0.key.hasPrefix("customers.arrivals") }
            obstacles.append("customers.arrivals: real orders can't begin, end or change while the stand is open")
        }
    }

    private static let isPart = "is part of what the stand opened with"

    /// - Parameters:
    ///   - shape: The shape of the values, or of a value around them that is one setting.
    ///   - key: The key of the values, or of an object around them.
    private mutating func compare(
        _ old: JSONValue?, _ new: JSONValue?, _ path: String, _ shape: Shape, _ key: ConfigurationKey? = nil
    ) {
        guard old != new else { return }
        let isWhole = if case .refusesAsOne? = key?.change { true } else { false }
        guard case .object(let olds)? = old, case .object(let news)? = new,
            shape.isSection && !isWhole || olds.map(\.key) == news.map(\.key)
        else { return add(old, new, path, key) }
        let added = news.filter { member in !olds.contains { $0.key == member.key } }
        for name in (olds + added).map(\.key) {
            let old = old?[name]
            let new = new?[name]
            let path = path.isEmpty ? name : "\(path).\(name)"
            switch shape.members {
            case .keys(let keys) where shape.isSection:
                guard var inner = keys.first(where: { $0.name == name }) else {
                    preconditionFailure("no key of the table is called \(path)")
                }
                inner.change = inner.change ?? key?.change
                compare(old, new, path, inner.shape, inner)
            // Only fruits and juices have a largest number, and an open stand keeps those that it opened with.
            case .named(_, .some) where old == nil || new == nil: obstacles.append("\(path): \(Self.isPart)")
            case .named(let member, _): compare(old, new, path, member, key)
            default: compare(old, new, path, shape, key)
            }
        }
    }

    /// Adds the change of a setting, or why it can't change while the stand is open.
    private mutating func add(_ old: JSONValue?, _ new: JSONValue?, _ path: String, _ key: ConfigurationKey?) {
        switch key?.change {
        case .refuses(let reason)?, .refusesAsOne(let reason)?: obstacles.append("\(path): \(reason)")
        case .needsValue(let reason)? where old == nil || new == nil: obstacles.append("\(path): \(reason)")
        case .ignored?: break
        case nil, .needsValue?:
            let change = SettingChange(key: path, from: Self.text(old), to: Self.text(new))
            changes.append(change)
            if key?.scope != .everything { announced.append(change) }
        }
    }

    private static func text(_ value: JSONValue?) -> String {
        switch value {
        case nil: "none"
        case .string(let text)?: text
        case let value?: value.compact()
        }
    }
}
