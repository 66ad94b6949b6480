import JuiceStand
import TextFormats
import Tills

/// The menu of the fitted stand, and how often each juice is ordered.
struct MenuMapping {
    /// The stand whose menu, fruits and other keys are kept; nil for a new menu.
    let base: StandSettings?
    /// The juices with the lines of their items, in menu order.
    private(set) var popularity: [(juice: String, lines: Int)] = []
    /// Items that are not on the menu, with their lines. They are left out of the demand.
    private(set) var unmatched: [Till.Item] = []
    /// Items that were taken for a juice because they have its name as a part.
    private(set) var likened: [(item: String, juice: String)] = []

    static let other = "other items"
    /// The juice of a till without items.
    private static let single = "juice"

    /// - Parameter menu: The stand of `--menu`; nil to use the standard menu if most items are on it, and a new one if
    ///   not.
    init(_ till: Till, menu: StandSettings?) {
        let items = till.items
        guard menu != nil || till.columns.item != nil || !items.isEmpty else {
            base = nil
            popularity = [(Self.single, till.lines)]
            return
        }
        let matched = Self.match(items, (menu ?? .standard).menu)
        let lines = items.reduce(0) { $0 + $1.lines }
        let onMenu = matched.popularity.reduce(0) { $0 + $1.lines }
        guard menu == nil, !items.isEmpty, onMenu * 2 < lines else {
            base = menu ?? .standard
            popularity = matched.popularity
            unmatched = matched.unmatched
            likened = matched.likened
            // Without items every juice is as popular as the menu says.
            if onMenu == 0 { popularity = [] }
            return
        }
        base = nil
        let sorted = items.sorted { ($1.lines, $0.name) < ($0.lines, $1.name) }
        let room = sorted.count > Juice.limit ? Juice.limit - 1 : sorted.count
        popularity = sorted.prefix(room).map { (Self.printable($0.name), $0.lines) }
        let rest = sorted.dropFirst(room).reduce(0) { $0 + $1.lines }
        if rest > 0 { popularity.append((Self.other, rest)) }
    }

    private static func printable(_ name: String) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in name.unicodeScalars where scalar.properties.generalCategory != .control { plain.append(scalar) }
        return plain.isEmpty ? "item" : String(plain)
    }

    /// Gives each item to the juice of the same name in any language, or to the only juice whose name is part of it.
    private static func match(
        _ items: [Till.Item], _ menu: Menu
    ) -> (
        popularity: [(juice: String, lines: Int)], unmatched: [Till.Item], likened: [(item: String, juice: String)]
    ) {
        let names = menu.juices.map { entry in ([entry.name] + entry.names.map(\.name)).map { $0.lowercased() } }
        var lines = [Int](repeating: 0, count: names.count)
        var unmatched: [Till.Item] = []
        var likened: [(item: String, juice: String)] = []
        for item in items {
            let name = item.name.lowercased()
            if let juice = names.firstIndex(where: { $0.contains(name) }) {
                lines[juice] += item.lines
                continue
            }
            let parts = names.indices.filter { names[$0].contains { !$0.isEmpty && name.contains($0) } }
            // "strawberry banana juice" contains "banana juice".
            if let juice = parts.max(by: { names[$0][0].count < names[$1][0].count }) {
                lines[juice] += item.lines
                likened.append((item.name, menu.juices[juice].name))
            } else {
                unmatched.append(item)
            }
        }
        return (zip(menu.juices, lines).map { ($0.name, $1) }, unmatched, likened)
    }
}
