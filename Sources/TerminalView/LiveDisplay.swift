import JuiceStand
import StandState
import TextFormats

/// A live display without its terminal: news and keys go in, bytes for the terminal come out.
package struct LiveDisplay: Sendable {
    private(set) var view: StandView
    private let layout: StandScreen
    private var screen = TerminalScreen()
    private var pacing = FramePacing()
    private var size = TerminalScreen.Size()
    /// What is shown while the display is held.
    private var held: StandView?
    /// Whether the next frame answers a key or a new size.
    private var isUrgent = true
    /// Whether anything has come since the last frame.
    private var hasNews = true

    package init(_ view: StandView, _ glyphs: Glyphs) {
        self.view = view
        layout = StandScreen(glyphs: glyphs)
    }

    package mutating func take(_ news: StandNews) {
        hasNews = true
        switch news {
        case .status(let status): view.take(status: status)
        case .shelves(let stock, let menu): view.take(stock: stock, menu: menu)
        case .line(let line): if let event = LedgerEvent(line) { view.take(event) }
        case .skipped(let count): view.log.skip(count)
        case .away(let reason): view.absence = reason
        case .back: view.absence = nil
        case .otherStand: view.forget()
        case .ended: break
        }
    }

    /// - Returns: what is to be done.
    package mutating func press(_ key: Key) -> LiveWish? {
        (isUrgent, hasNews) = (true, true)
        guard key != .control("l") else {
            screen.invalidate()
            return nil
        }
        let wish = view.press(key)
        held = view.isHeld ? held ?? view : nil
        // What is held is looked through as well.
        if let filter = held?.log.filter, filter != view.log.filter { held?.log.filter(by: view.log.filter) }
        return wish
    }

    /// Tells what became of a wish.
    mutating func tell(_ notice: String) {
        view.notice = notice
        (isUrgent, hasNews) = (true, true)
    }

    /// The terminal shows something else now.
    mutating func invalidate() {
        screen.invalidate()
        (isUrgent, hasNews) = (true, true)
    }

    /// What makes the terminal show how things are now; empty where it is not time, or nothing has changed.
    ///
    /// - Parameter now: Seconds of a clock on the wall.
    package mutating func frame(at now: Double, size newSize: TerminalScreen.Size) -> String {
        if newSize != size { (size, isUrgent, hasNews) = (newSize, true, true) }
        // An empty screen is no news.
        guard view.isKnown || view.absence != nil, hasNews || view.log.isWaiting,
            pacing.allows(at: now, isUrgent: isUrgent)
        else { return "" }
        view.log.advance(at: now)
        let lines = layout.lines(shown, size)
        let bytes = screen.bytes(showing: lines.lines, scrolling: lines.scrolling, size: size)
        (isUrgent, hasNews) = (false, false)
        if !bytes.isEmpty { pacing.drew(bytes.utf8.count, at: now) }
        return bytes
    }
}

extension LiveDisplay {
    /// The lines of a screen as they are now.
    package func lines(_ size: TerminalScreen.Size) -> [StyledText] { layout.lines(shown, size).lines }

    /// What is to be seen: the view, or what it was when it was held.
    private var shown: StandView {
        guard var shown = held else { return view }
        (shown.mode, shown.notice, shown.absence, shown.isHeld) = (view.mode, view.notice, view.absence, true)
        return shown
    }
}

/// What a live display hears of its stand.
package enum StandNews: Sendable {
    case status(JSONValue)
    /// The stock's marks and the menu; when they may have changed.
    case shelves(stock: JSONValue, menu: JSONValue)
    /// A line of the ledger.
    case line(ArraySlice<UInt8>)
    /// So many lines came that were not looked at.
    case skipped(Int)
    case away(String)
    case back
    /// What comes from now on is of another stand.
    case otherStand
    /// Nothing more will come.
    case ended
}

/// A stand as a live display needs it, in this process or another one.
protocol StandSource: Sendable {
    /// What has come since the last call; never waits.
    func news() -> [StandNews]

    /// Makes a change and says what became of it, on any thread.
    func make(_ wish: LiveWish, reply: @escaping @Sendable (String) -> Void)
}
