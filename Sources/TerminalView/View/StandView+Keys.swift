import JuiceStand
import StandClient
import StandState
import Terms
import TextFormats

extension StandView {
    /// The mode that decides what keys do.
    enum Mode: Equatable, Sendable {
        case watching
        case typing(Prompt)
        case asking(String, LiveWish)
        case helping

        /// Whether the text to search the log for is being typed.
        var isSearch: Bool { if case .typing(let prompt) = self { prompt.kind == .filter } else { false } }
    }

    private static let rates = 0.125...1024.0
    private static let speeds = 0.125...1_048_576.0
    /// Inputs of each prompt that are remembered.
    private static let mostInputs = 50

    /// Takes a key that does not scroll.
    ///
    /// - Returns: the request that the key makes.
    mutating func press(_ key: Key) -> LiveWish? {
        notice = nil
        switch mode {
        case .watching: return watch(key)
        case .helping: mode = .watching
        case .typing(let prompt): return type(key, prompt)
        case .asking(_, let wish):
            mode = .watching
            guard key == .character("y") || key == .character("Y") else {
                notice = words(.cancelled)
                return nil
            }
            // Another user may have been faster.
            switch wish {
            case .pause where status.phase == "paused": notice = words(.alreadyPaused)
            case .resume where status.phase == "open": notice = words(.alreadyOpen)
            default: return wish
            }
        }
        return nil
    }

    private mutating func watch(_ key: Key) -> LiveWish? {
        switch key {
        case .character(" "), .character("p"): isHeld.toggle()
        case .character("/"): mode = .typing(Prompt(.filter, text: log.filter))
        case .escape where choice.part != nil: choice.part = nil
        case .escape where !log.filter.isEmpty: log.filter(by: "")
        case .character("o"): mode = .typing(Prompt(.order))
        case .character("r"): mode = .typing(Prompt(.restock))
        case .character("t"): mode = .typing(Prompt(.take))
        case .character("?"), .character("h"):
            mode = .helping
            choice.helpTop = 0
        case .character("+"), .character("="): return faster
        case .character("-"), .character("_"): return slower
        case .character("}"): return .speed(min(speed * 2, Self.speeds.upperBound))
        case .character("{"): return .speed(max(speed / 2, Self.speeds.lowerBound))
        case .character("s"):
            mode =
                status.phase == "paused"
                ? .asking(words(.resumeQuestion), .resume) : .asking(words(.pauseQuestion), .pause)
        case .control("i"): choice.part = next(choice.part, 1)
        case .character(">"), .character("."): sort(1)
        case .character("<"), .character(","): sort(-1)
        case .character("q"):
            guard let ending else { return .quit }
            mode = .asking(words(ending == .closes ? .closeQuestion : .suspendQuestion), .quit)
        default: break
        }
        return nil
    }

    private var faster: LiveWish? {
        status.rate < Self.rates.upperBound
            ? .rate(status.rate == 0 ? Self.rates.lowerBound : min(status.rate * 2, Self.rates.upperBound)) : nil
    }

    private var slower: LiveWish? {
        status.rate > 0 ? .rate(status.rate <= Self.rates.lowerBound ? 0 : status.rate / 2) : nil
    }

    /// The next part in turn; nil after the last.
    private func next(_ part: Part?, _ step: Int) -> Part? {
        let parts = [nil] + Part.allCases.map { Optional($0) }
        return parts[((parts.firstIndex(of: part) ?? 0) + step) % parts.count]
    }

    private mutating func sort(_ step: Int) {
        let all = Sorting.allCases.filter { $0 != .timeLeft || status.forecast != nil }
        let index = all.firstIndex(of: choice.sorting) ?? 0
        choice.sorting = all[(index + step + all.count) % all.count]
        choice.stockTop = 0
    }
}

// MARK: - Input

extension StandView {
    /// Edits a line of input until Esc, or until Enter is pressed and the line is understood.
    private mutating func type(_ key: Key, _ old: Prompt) -> LiveWish? {
        var prompt = old
        switch key {
        case .character(let character): prompt.edit(prompt.text + String(character))
        case .backspace: prompt.edit(String(prompt.text.dropLast()))
        case .control("u"): prompt.edit("")
        case .up: prompt.recall(1, of: choice.inputs[prompt.kind] ?? [])
        case .down: prompt.recall(-1, of: choice.inputs[prompt.kind] ?? [])
        case .enter:
            mode = .watching
            remember(prompt)
            finish(prompt)
            // Input that was not understood can be corrected.
            if notice != nil, prompt.text.contains(where: { $0 != " " }) { mode = .typing(prompt) }
            return nil
        case .escape:
            mode = .watching
            if prompt.kind == .filter { log.filter(by: prompt.before) }
            return nil
        default: return nil
        }
        mode = .typing(prompt)
        if prompt.kind == .filter { log.filter(by: prompt.text) }
        return nil
    }

    private mutating func remember(_ prompt: Prompt) {
        guard !prompt.text.isEmpty, choice.inputs[prompt.kind]?.last != prompt.text else { return }
        choice.inputs[prompt.kind, default: []].append(prompt.text)
        if choice.inputs[prompt.kind]!.count > Self.mostInputs { choice.inputs[prompt.kind]!.removeFirst() }
    }

    private mutating func finish(_ prompt: Prompt) {
        switch prompt.kind {
        case .filter: break
        case .order: askToOrder(prompt.text)
        case .restock: askToRestock(prompt.text, takes: false)
        case .take: askToRestock(prompt.text, takes: true)
        }
    }

    private mutating func askToOrder(_ text: String) {
        let cups = 1...Stand.mostCups
        let names = drinks.map { [$0.name, $0.key] }
        guard let (index, count) = read(text, .noSuchJuice, among: names, .cupsRange, cups) else { return }
        mode = .asking(
            words(.orderQuestion, Columns.grouped(count ?? 1), drinks[index].name),
            .order(juice: drinks[index].key, cups: count ?? 1))
    }

    private mutating func askToRestock(_ text: String, takes: Bool) {
        let pieces = 1...StandChange.mostPieces
        let names = shelves.map { [$0.name, $0.key] }
        guard let (index, count) = read(text, .noSuchFruit, among: names, .piecesRange, pieces) else { return }
        guard let count else {
            notice = words(.howMany)
            return
        }
        mode = .asking(
            words(takes ? .takeQuestion : .addQuestion, Columns.grouped(count), shelves[index].name),
            .restock(fruit: shelves[index].key, pieces: takes ? -count : count))
    }

    /// The request in a line of text; nil, with a notice, if it is not understood.
    private mutating func read(
        _ text: String, _ unknown: Phrase, among names: [[String]], _ limits: Phrase, _ range: ClosedRange<Int>
    ) -> (index: Int, count: Int?)? {
        let chosen = choose(text, among: names)
        if let chosen, chosen.count.map(range.contains) ?? true { return chosen }
        let parts = text.split(separator: " ")
        if chosen != nil || (parts.count > 1 && choose(parts.dropLast().joined(separator: " "), among: names) != nil) {
            notice = words(limits, Columns.grouped(range.upperBound), parts.last.map { String($0).visible } ?? "")
        } else {
            let hasCount = parts.count > 1 && Int(parts[parts.count - 1]) != nil
            let name = (hasCount ? parts.dropLast() : parts[...]).joined(separator: " ")
            notice = name.isEmpty ? words(.cancelled) : complaint(unknown, name, among: names)
        }
        return nil
    }

    /// Says that a name is unknown, and which one may be meant.
    private func complaint(_ unknown: Phrase, _ name: String, among names: [[String]]) -> String {
        let complaint = words(unknown, name.visible)
        return likely(name, among: names.flatMap(\.self)).first.map { words(.didYouMean, complaint, $0.visible) }
            ?? complaint
    }

    /// The choice named by a name, its beginning or its number in the list, and the count behind it.
    func choose(_ text: String, among names: [[String]]) -> (index: Int, count: Int?)? {
        var words = text.lowercased().spelledAlike.split(separator: " ").map(String.init)
        var count: Int?
        if words.count > 1, let last = words.last.flatMap({ Int($0) }) {
            count = last
            words.removeLast()
        }
        let wanted = words.joined(separator: " ")
        if wanted.isEmpty { return nil }
        if let number = Int(wanted) { return names.indices.contains(number - 1) ? (number - 1, count) : nil }
        let known = names.map { $0.map { $0.lowercased().spelledAlike } }
        let index =
            known.firstIndex { $0.contains(wanted) } ?? known.firstIndex { $0.contains { $0.hasPrefix(wanted) } }
            ?? known.firstIndex { $0.contains { $0.contains(wanted) } }
        return index.map { ($0, count) }
    }
}
