import JuiceStand

/// What the display's user wants done.
package enum LiveWish: Equatable, Sendable {
    case order(juice: String, cups: Int)
    case restock(fruit: String, pieces: Int)
    /// Customers come so many times as often as configured.
    case rate(Double)
    case quit
}

extension StandView {
    /// What the keys are for.
    enum Mode: Equatable, Sendable {
        case watching
        /// The filter as it was, in case it is to stay.
        case filtering(before: String)
        case ordering(String)
        case restocking(String)
        case asking(String, LiveWish)
        case helping
    }

    private static let mostRate = 1024.0
    private static let leastRate = 0.125

    /// Takes a key.
    ///
    /// - Returns: what is to be done.
    mutating func press(_ key: Key) -> LiveWish? {
        notice = nil
        switch mode {
        case .watching: return watch(key)
        case .helping: mode = .watching
        case .filtering(let before): edit(log.filter, key, { $0.log.filter(by: $1) }, { $0.log.filter(by: before) })
        case .ordering(let text):
            edit(text, key, { $0.mode = .ordering($1) })
            if key == .enter { askToOrder(text) }
        case .restocking(let text):
            edit(text, key, { $0.mode = .restocking($1) })
            if key == .enter { askToRestock(text) }
        case .asking(_, let wish):
            mode = .watching
            if key == .character("y") || key == .character("Y") { return wish }
            notice = "not done"
        }
        return nil
    }

    private mutating func watch(_ key: Key) -> LiveWish? {
        switch key {
        case .character(" "), .character("p"): isHeld.toggle()
        case .character("/"): mode = .filtering(before: log.filter)
        case .escape where !log.filter.isEmpty: log.filter(by: "")
        case .character("o"): mode = .ordering("")
        case .character("r"): mode = .restocking("")
        case .character("?"), .character("h"): mode = .helping
        case .character("+"), .character("="): return faster
        case .character("-"), .character("_"): return slower
        case .character("q"):
            guard let quitQuestion else { return .quit }
            mode = .asking(quitQuestion, .quit)
        default: break
        }
        return nil
    }

    private var faster: LiveWish? {
        rate < Self.mostRate ? .rate(rate == 0 ? Self.leastRate : min(rate * 2, Self.mostRate)) : nil
    }

    private var slower: LiveWish? {
        rate > 0 ? .rate(rate <= Self.leastRate ? 0 : rate / 2) : nil
    }

    /// A line of text under the keys; ends on Enter or Escape.
    private mutating func edit(
        _ text: String, _ key: Key, _ change: (inout StandView, String) -> Void,
        _ cancel: (inout StandView) -> Void = { _ in }
    ) {
        switch key {
        case .character(let character): change(&self, text + String(character))
        case .backspace: change(&self, String(text.dropLast()))
        case .control("u"): change(&self, "")
        case .enter: mode = .watching
        case .escape:
            mode = .watching
            cancel(&self)
        default: break
        }
    }

    private mutating func askToOrder(_ text: String) {
        guard let (index, count) = choose(text, among: drinks.map { [$0.name, $0.key] }), count ?? 1 > 0 else {
            notice = text.isEmpty ? "not done" : "no such juice: \(text.harmless)"
            return
        }
        let cups = count ?? 1
        mode = .asking(
            "Order \(Columns.grouped(cups)) \(drinks[index].name)?", .order(juice: drinks[index].key, cups: cups))
    }

    private mutating func askToRestock(_ text: String) {
        guard let (index, count) = choose(text, among: shelves.map { [$0.name, $0.key] }) else {
            notice = text.isEmpty ? "not done" : "no such fruit: \(text.harmless)"
            return
        }
        guard let count, count > 0 else {
            notice = "how many? A name or number, then the pieces"
            return
        }
        mode = .asking(
            "Add \(Columns.grouped(count)) \(shelves[index].name)?", .restock(fruit: shelves[index].key, pieces: count))
    }

    /// What was meant by a name or its beginning or a number of the list, and by a count behind it.
    func choose(_ text: String, among names: [[String]]) -> (index: Int, count: Int?)? {
        var words = text.lowercased().split(separator: " ").map(String.init)
        var count: Int?
        if words.count > 1, let last = words.last.flatMap({ Int($0) }) {
            count = last
            words.removeLast()
        }
        let wanted = words.joined(separator: " ")
        if wanted.isEmpty { return nil }
        if let number = Int(wanted) { return names.indices.contains(number - 1) ? (number - 1, count) : nil }
        let index =
            names.firstIndex { $0.contains { $0.lowercased() == wanted } }
            ?? names.firstIndex { $0.contains { $0.lowercased().hasPrefix(wanted) } }
            ?? names.firstIndex { $0.contains { $0.lowercased().contains(wanted) } }
        return index.map { ($0, count) }
    }
}
