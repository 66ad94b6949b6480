import JuiceStand
import StandState
import TextFormats

/// A request of the display's user.
package enum LiveWish: Equatable, Sendable {
    case order(juice: String, cups: Int)
    case restock(fruit: String, pieces: Int)
    /// Multiplies the arrival rate.
    case rate(Double)
    case pause
    case resume
    /// Shows the stand after the event of that number.
    case look(Int)
    case quit
}

extension StandView {
    /// The mode that decides what keys do.
    enum Mode: Equatable, Sendable {
        case watching
        /// The former filter, which Esc restores.
        case filtering(before: String)
        case ordering(String)
        case restocking(String)
        case asking(String, LiveWish)
        case helping
    }

    private static let mostRate = 1024.0
    private static let leastRate = 0.125
    /// Lines that a page key scrolls the log by.
    private static let page = 8

    /// Takes a key.
    ///
    /// - Returns: the request that the key makes.
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
        case .character("s"):
            mode = phase == "paused" ? .asking("Let the stand go on?", .resume) : .asking("Pause the stand?", .pause)
        case .up: log.scroll(by: 1)
        case .down: log.scroll(by: -1)
        case .pageUp: log.scroll(by: Self.page)
        case .pageDown: log.scroll(by: -Self.page)
        case .character("G"): log.scroll(to: 0)
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

    /// Edits a line of text until Enter or Esc.
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
        let cups = 1...Stand.mostCups
        guard let (index, count) = read(text, "juice", among: drinks.map { [$0.name, $0.key] }, "cups", cups) else {
            return
        }
        mode = .asking(
            "Order \(Columns.grouped(count ?? 1)) \(drinks[index].name)?",
            .order(juice: drinks[index].key, cups: count ?? 1))
    }

    private mutating func askToRestock(_ text: String) {
        let pieces = 1...StandChange.mostPieces
        guard let (index, count) = read(text, "fruit", among: shelves.map { [$0.name, $0.key] }, "pieces", pieces)
        else { return }
        guard let count else {
            notice = "how many? A name or number, then the pieces"
            return
        }
        mode = .asking(
            "Add \(Columns.grouped(count)) \(shelves[index].name)?", .restock(fruit: shelves[index].key, pieces: count))
    }

    /// The request in a line of text; nil, with a notice, if it is not understood.
    private mutating func read(
        _ text: String, _ noun: String, among names: [[String]], _ unit: String, _ range: ClosedRange<Int>
    ) -> (index: Int, count: Int?)? {
        let chosen = choose(text, among: names)
        if let chosen, chosen.count.map(range.contains) ?? true { return chosen }
        let words = text.split(separator: " ")
        if chosen != nil || (words.count > 1 && choose(words.dropLast().joined(separator: " "), among: names) != nil) {
            notice =
                "\(unit) must be a whole number from 1 to \(Columns.grouped(range.upperBound)), found \"\(words.last.map { String($0).harmless } ?? "")\""
        } else {
            notice = words.isEmpty ? "not done" : "no such \(noun): \(text.harmless)"
        }
        return nil
    }

    /// The choice named by a name, its beginning or its number in the list, and the count behind it.
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
