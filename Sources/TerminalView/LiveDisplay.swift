import StandClient
import Terms
import TextFormats

/// A live display without its terminal: takes news and keys, gives bytes for the terminal.
package struct LiveDisplay: Sendable {
    private(set) var view: StandView
    private let layout: StandScreen
    private var screen: TerminalScreen
    private var pacing = FramePacing()
    private var size = TerminalScreen.Size()
    /// The view that is shown while the display is held.
    private var held: StandView?
    /// The number of the event that the user has gone back to; nil is now.
    private var number: Int?
    /// The view after that event, once its status has arrived.
    private var past: StandView?
    /// The view of the last whole frame.
    private var drawn: StandView?
    /// Whether the next frame answers a key or a new size.
    private var isUrgent = true
    /// Whether something has changed since the last frame.
    private var hasNews = true
    /// When the notice was first shown, in seconds of the monotonic clock of ``frame(at:size:)``.
    private var noticedAt: Double?
    /// Seconds for which a notice is shown.
    private static let noticeTime = 5.0

    /// - Parameters:
    ///   - hasColor: Whether colours are shown.
    ///   - hasLinks: Whether the terminal makes links of text (OSC 8).
    package init(_ view: StandView, _ glyphs: Glyphs, hasColor: Bool = true, hasLinks: Bool = false) {
        screen = TerminalScreen(hasColor: hasColor, link: hasLinks ? view.link : nil)
        self.view = view
        // ASCII can't show other languages.
        if glyphs.isASCII { self.view.words = .english }
        layout = StandScreen(glyphs: glyphs)
    }

    package mutating func take(_ news: StandNews) {
        hasNews = true
        switch news {
        case .status(let status): view.take(status: status)
        case .shelves(let stock, let menu): view.take(stock: stock, menu: menu)
        case .event(let event): view.take(event)
        case .skipped(let count): view.skip(count)
        case .away(let reason):
            view.absence = view.words.detail("the stand is away: \(reason); waiting for it", or: .standAway)
        case .back: view.absence = nil
        case .instant(let status):
            if number != nil { past = view.past(status) }
            isUrgent = true
        case .otherStand:
            view.forget()
            number = nil
            past = nil
        case .ended: break
        }
    }

    /// - Returns: the request that the key makes.
    package mutating func press(_ key: Key) -> LiveWish? {
        drawAtOnce()
        noticedAt = nil
        guard key != .control("l") else {
            screen.invalidate()
            return nil
        }
        view.isNew = false
        if scroll(key) { return nil }
        if view.mode == .watching, let wish = look(key) { return wish }
        let isSearched = key == .enter && view.mode.isSearch
        let wish = view.press(key)
        held = view.isHeld ? held ?? view : nil
        // A held or past display can be searched too.
        if let filter = held?.log.filter, filter != view.log.filter { held?.log.filter(by: view.log.filter) }
        if let filter = past?.log.filter, filter != view.log.filter { past?.log.filter(by: view.log.filter) }
        // A small screen does not show the log.
        if isSearched, shown.log.hasNoMatch { view.notice = view.words(.noLineMatches) }
        return wish
    }

    /// Whether Esc has no effect on this display.
    var isAtRest: Bool {
        view.mode == .watching && view.choice.part == nil && view.log.filter.isEmpty
            && number == nil
    }

    // MARK: - Scrolling

    /// Lines that one step of the mouse wheel scrolls by.
    private static let wheelStep = 3

    /// - Returns: whether it is a key that scrolls.
    private mutating func scroll(_ key: Key) -> Bool {
        let isHelp = view.mode == .helping
        guard view.mode == .watching || isHelp else { return false }
        let lines = layout.lines(shown, size)
        var part = view.choice.part ?? .log
        if case .wheel(_, let row) = key { part = lines.parts.first { $1.contains(row) }?.key ?? part }
        let rows = (lines.page ?? lines.parts[part])?.count ?? 1
        let page = max(1, rows - 1)
        let count: Int
        switch key {
        case .up: count = 1
        case .down: count = -1
        case .wheel(let isUp, _): count = isUp ? Self.wheelStep : -Self.wheelStep
        case .pageUp: count = page
        case .pageDown: count = -page
        case .home, .character("g"): count = 1 << 20
        case .end, .character("G"): count = -(1 << 20)
        default: return false
        }
        view.notice = nil
        if isHelp {
            view.choice.helpTop = max(0, min(view.choice.helpTop - count, layout.mostHelpTop(view, size)))
        } else if part == .stock {
            let most = max(0, view.shelves.count - (rows - 1))
            view.choice.stockTop = rows >= view.shelves.count ? 0 : max(0, min(view.choice.stockTop - count, most))
        } else {
            // On a small screen the part is shown first.
            if lines.parts[part] == nil { view.choice.part = part }
            if past != nil {
                past?.scroll(part, by: count, rows: rows)
            } else if held != nil {
                held?.scroll(part, by: count, rows: rows)
            } else {
                view.scroll(part, by: count, rows: rows)
            }
        }
        return true
    }

    /// Goes back or forward by an event, or to now.
    private mutating func look(_ key: Key) -> LiveWish? {
        let last = Int(clamping: view.status.sequence)
        switch key {
        case .character("["): number = max(1, (number ?? last) - 1)
        case .character("]"): number = number.map { $0 + 1 }.flatMap { $0 < last ? $0 : nil }
        case .character("n"): number = nil
        default: return nil
        }
        if number == nil { past = nil }
        return number.map { .look($0) }
    }

    /// Shows that a request was carried out, or why it was refused.
    package mutating func tell(_ wish: LiveWish, _ refusal: LiveRefusal? = nil) {
        view.notice = view.text(of: wish, refusal)
        noticedAt = nil
        drawAtOnce()
    }

    /// Draws everything anew, because the content of the terminal was lost.
    mutating func invalidate() {
        screen.invalidate()
        drawAtOnce()
    }

    private mutating func drawAtOnce() {
        isUrgent = true
        hasNews = true
    }

    /// The bytes that bring the terminal up to date; empty if it is not time yet or nothing has changed.
    ///
    /// - Parameter now: Seconds of a monotonic clock.
    package mutating func frame(at now: Double, size newSize: TerminalScreen.Size) -> String {
        if newSize != size { drawAtOnce() }
        size = newSize
        if let since = noticedAt, now - since > Self.noticeTime, view.notice != nil {
            view.notice = nil
            hasNews = true
        }
        // Nothing is known yet.
        guard view.isKnown || view.absence != nil, hasNews || view.log.isWaiting else { return "" }
        if pacing.allows(at: now, isUrgent: isUrgent) {
            view.log.advance(at: now, view.words)
            drawn = shown
            isUrgent = false
            hasNews = false
            noticedAt = view.notice == nil ? nil : noticedAt ?? now
        } else {
            // The figures stay those of the last event that was drawn.
            guard pacing.allowsClock(at: now), held == nil, past == nil else { return "" }
            drawn?.move(to: view.status.time)
        }
        let lines = layout.lines(drawn ?? view, size)
        let bytes = screen.bytes(showing: lines.lines, scrolling: lines.scrolling, size: size)
        if !bytes.isEmpty { pacing.drew(bytes.utf8.count, at: now) }
        return bytes
    }
}

extension LiveDisplay {
    /// The current lines of the screen.
    package func lines(_ size: TerminalScreen.Size) -> [StyledText] { layout.lines(shown, size).lines }

    /// The view that is shown: the current one, or the held one.
    private var shown: StandView {
        guard var shown = past ?? held else { return view }
        shown.choice = view.choice
        shown.notice = view.notice
        shown.absence = view.absence
        shown.isHeld = held != nil
        return shown
    }
}
