import JuiceStand
import TextFormats
import Tills

/// The menu of the fitted stand, and how often each juice is ordered.
struct MenuMapping {
    /// The stand whose menu, fruits and other keys are kept; nil for a new menu.
    private(set) var base: StandSettings?
    /// The juices with the lines of their items, in menu order.
    private(set) var popularity: [(juice: String, lines: Int)] = []
    /// Items that are not on the menu, with their lines. They are left out of the demand.
    private(set) var unmatched: [Till.Item] = []
    /// Items that were taken for a juice because their names contain its name.
    private(set) var likened: [(item: String, juice: String)] = []

    static let other = "other items"
    /// The juice of a till without items.
    private static let single = "juice"

    /// - Parameter menu: The stand of `--menu`; nil to use the standard menu if most items are on it, and a new one if
    ///   not.
    init(_ till: Till, menu: StandSettings?) {
        let items = till.items
        guard menu != nil || !till.columns[.item].isEmpty || !items.isEmpty else {
            popularity = [(Self.single, till.lines)]
            return
        }
        base = menu ?? .standard
        let onMenu = match(items, (menu ?? .standard).menu)
        // Without items every juice is as popular as the menu says.
        if onMenu == 0 { popularity = [] }
        guard menu == nil, !items.isEmpty, onMenu * 2 < items.reduce(0, { $0 + $1.lines }) else { return }
        base = nil
        unmatched = []
        likened = []
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

    /// Gives each item to the juice of the same name in any language, or to the juice with the longest name among those
    /// that the item's name contains. Returns the number of lines on the menu.
    private mutating func match(_ items: [Till.Item], _ menu: Menu) -> Int {
        let names = menu.juices.map { entry in ([entry.name] + entry.names.map(\.name)).map { $0.lowercased() } }
        popularity = menu.juices.map { ($0.name, 0) }
        for item in items {
            let name = item.name.lowercased()
            if let juice = names.firstIndex(where: { $0.contains(name) }) {
                popularity[juice].lines += item.lines
            } else if let juice = Self.juice(withLongestNameIn: name, of: names) {
                popularity[juice].lines += item.lines
                likened.append((item.name, popularity[juice].juice))
            } else {
                unmatched.append(item)
            }
        }
        return popularity.reduce(0) { $0 + $1.lines }
    }

    /// The longest name counts, because "strawberry banana juice" also contains "banana juice".
    private static func juice(withLongestNameIn item: String, of names: [[String]]) -> Int? {
        var longest = 0
        var found: Int?
        for (juice, names) in names.enumerated() {
            for name in names where name.count > longest && item.contains(name) {
                longest = name.count
                found = juice
            }
        }
        return found
    }
}
