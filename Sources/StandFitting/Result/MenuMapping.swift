import JuiceStand
import TextFormats
import Tills

/// The menu of the fitted stand, and how often each juice is ordered.
struct MenuMapping {
    /// The stand whose menu, fruits and other keys are kept; nil for a new menu.
    let base: StandSettings?
    /// The juices with the lines of their items, in menu order.
    private(set) var popularity: [(juice: String, lines: Int)] = []
    /// Items that are not on the menu, with their lines.
    private(set) var unmatched: [Till.Item] = []

    static let other = "other items"

    /// - Parameter menu: The stand of `--menu`; nil to use the standard menu if most items are on it, and a new one if
    ///   not.
    init(_ items: [Till.Item], menu: StandSettings?) {
        let matched = Self.match(items, (menu ?? .standard).menu)
        let lines = items.reduce(0) { $0 + $1.lines }
        let onMenu = matched.popularity.reduce(0) { $0 + $1.lines }
        guard menu == nil, !items.isEmpty, onMenu * 2 < lines else {
            base = menu ?? .standard
            (popularity, unmatched) = matched
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
    ) -> (popularity: [(juice: String, lines: Int)], unmatched: [Till.Item]) {
        let names = menu.juices.map { entry in ([entry.name] + entry.names.map(\.name)).map { $0.lowercased() } }
        var lines = [Int](repeating: 0, count: names.count)
        var unmatched: [Till.Item] = []
        for item in items {
            let name = item.name.lowercased()
            let parts = names.indices.filter { names[$0].contains { !$0.isEmpty && name.contains($0) } }
            // "strawberry banana juice" contains "banana juice".
            let longest = parts.max { names[$0][0].count < names[$1][0].count }
            if let juice = names.firstIndex(where: { $0.contains(name) }) ?? longest {
                lines[juice] += item.lines
            } else {
                unmatched.append(item)
            }
        }
        return (zip(menu.juices, lines).map { ($0.name, $1) }, unmatched)
    }
}
