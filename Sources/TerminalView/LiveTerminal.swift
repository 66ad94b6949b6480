import Dispatch
import JuiceStand
import Platform
import StandClient
import Terms
import TextFormats

/// The live display of a stand on the terminal of standard output, with the keys of standard input; or the table of
/// many stands, of which a key opens one.
///
/// The terminal is restored whenever the display is away: after ``end()``, and while the process is stopped.
package final class LiveTerminal: Sendable {
    /// The signals that it handles.
    package let signals = [SIGWINCH, SIGTSTP, SIGCONT, SIGQUIT]

    private struct State {
        /// The stand that is shown; nil while the table is.
        var stand: (display: LiveDisplay, source: any StandSource)?
        var table: ChainDisplay?
        var keys = KeyReader()
        /// The former mode of the terminal; nil if it was not changed.
        var mode: termios?
        var isShown = false
        /// Whether the process stops, or is stopped and was not continued yet.
        var isStopped = false
        var hasEnded = false
        var timer: (any DispatchSourceTimer)?
        var input: (any DispatchSourceRead)?
        /// Whether ``input`` is resumed.
        var isListening = false

        mutating func invalidate() {
            stand?.display.invalidate()
            table?.invalidate()
        }

        mutating func frame(at now: Double, size: TerminalScreen.Size) -> String {
            (stand == nil ? table?.frame(at: now, size: size) : stand?.display.frame(at: now, size: size)) ?? ""
        }
    }

    /// The stands of the table; nil for the display of one stand.
    private let chain: ChainSource?
    private let locale: TerminalLocale
    private let sink: any LineSink
    private let whenQuit: @Sendable () -> Void
    private let queue = DispatchQueue(label: "screen")
    private let state: Guarded<State>
    /// The descriptor of the keyboard; nil if standard input is not a terminal.
    private let keyboard: Int32?

    /// The poll interval for news, in milliseconds.
    private static let period = 100
    /// Milliseconds after which an escape is the key Esc.
    private static let escapeTime = 50

    /// Shows a stand.
    ///
    /// - Parameters:
    ///   - link: The address of the stand's page, with the token; nil if it has none or the stand is that of another
    ///     process.
    ///   - warnings: Shown until the first key, and in the help.
    ///   - ending: What quitting does to the stand; nil if it goes on.
    ///   - sink: Writes to the terminal.
    ///   - whenQuit: Called when the user quits, or the stand has ended.
    package init(
        _ stand: any StandSource, link: String? = nil, warnings: [ListenerWarning] = [],
        ending: StandView.Ending? = nil, to sink: any LineSink, whenQuit: @escaping @Sendable () -> Void
    ) {
        (self.sink, self.whenQuit, locale) = (sink, whenQuit, TerminalLocale())
        chain = nil
        keyboard = isTerminal(0) ? 0 : nil
        let view = StandView(language: locale.language, link: link, warnings: warnings, ending: ending)
        state = Guarded(State(stand: (Self.display(view, locale, hasKeys: keyboard != nil), stand)))
    }

    /// Shows the table of many stands.
    package init(_ chain: ChainSource, to sink: any LineSink, whenQuit: @escaping @Sendable () -> Void) {
        (self.sink, self.whenQuit, locale) = (sink, whenQuit, TerminalLocale())
        self.chain = chain
        keyboard = isTerminal(0) ? 0 : nil
        state = Guarded(
            State(
                table: ChainDisplay(
                    words: Words(language: locale.language), locale.isUTF8 ? .unicode : .ascii,
                    hasColor: TerminalAbilities.hasColor)))
    }

    private static func display(_ view: StandView, _ locale: TerminalLocale, hasKeys: Bool) -> LiveDisplay {
        var view = view
        view.hasKeys = hasKeys
        return LiveDisplay(
            view, locale.isUTF8 ? .unicode : .ascii, hasColor: TerminalAbilities.hasColor,
            hasLinks: TerminalAbilities.hasLinks())
    }

    /// The phrases of the user's language.
    package static var words: Words {
        let locale = TerminalLocale()
        return Words(language: locale.isUTF8 ? locale.language : nil)
    }

    /// The rows of a screen that shows an instant that has passed, without the keys.
    ///
    /// - Parameter present: The status now: its day tells how times are written.
    package static func rows(
        showing instant: StatusDocument, present: StatusDocument, stock: StockDocument, menu: MenuDocument
    ) -> [String] {
        let locale = TerminalLocale()
        var view = StandView(language: locale.isUTF8 ? locale.language : nil)
        view.take(stock: stock, menu: menu)
        view.take(status: present)
        let screen = StandScreen(glyphs: locale.isUTF8 ? .unicode : .ascii)
        return screen.lines(view.past(instant), TerminalScreen.size(1)).lines.dropLast().map(\.text)
    }

    /// Prepares the terminal and starts drawing.
    package func begin() {
        queue.sync { show() }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now(), repeating: .milliseconds(Self.period), leeway: .milliseconds(10))
        timer.setEventHandler { @Sendable [weak self] in self?.look() }
        timer.activate()
        state.withLock { $0.timer = timer }
        guard let keyboard else { return }
        let input = DispatchSource.makeReadSource(fileDescriptor: keyboard, queue: queue)
        input.setEventHandler { @Sendable [weak self] in self?.read() }
        input.activate()
        queue.sync {
            let isShown = state.withLock { state in
                (state.input, state.isListening) = (input, true)
                return state.isShown
            }
            listen(isShown)
        }
    }

    /// Restores the terminal.
    package func end() {
        let (timer, input) = state.withLock { ($0.timer, $0.input) }
        timer?.cancel()
        queue.sync {
            state.withLock { $0.hasEnded = true }
            hide()
            input?.cancel()
            // A suspended source must not be released.
            listen(true)
        }
    }

    /// Handles one of ``signals``.
    ///
    /// - Returns: whether it was one.
    package func hear(_ signal: Int32) -> Bool {
        guard signals.contains(signal) else { return false }
        queue.async { self.obey(signal) }
        return true
    }
}

// MARK: - On its queue

extension LiveTerminal {
    private func obey(_ number: Int32) {
        switch number {
        case SIGWINCH:
            // The terminal may have had another size meanwhile, and moved or cut its rows.
            state.withLock { $0.invalidate() }
            draw()
        case SIGCONT:
            state.withLock { $0.isStopped = false }
            show()
        case SIGTSTP:
            // A poll before the process stops must not prepare the terminal again.
            state.withLock { $0.isStopped = true }
            hide()
            // SIGTSTP is handled, so SIGSTOP stops the process here. SIGCONT arrives when it continues.
            kill(getpid(), SIGSTOP)
        default:
            // Another thread takes the signal, so this queue may still draw before the process ends.
            state.withLock { $0.hasEnded = true }
            hide()
            signal(number, SIG_DFL)
            kill(getpid(), number)
        }
    }

    /// Prepares the terminal, unless another job has it now.
    private func show() {
        guard !state.withLock({ $0.hasEnded }), isInForeground else { return }
        if let keyboard {
            var mode = termios()
            if unsafe tcgetattr(keyboard, &mode) == 0 {
                state.withLock { $0.mode = $0.mode ?? mode }
                mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
                unsafe tcsetattr(keyboard, TCSANOW, &mode)
            }
        }
        let mode = state.withLock { state in
            state.isShown = true
            state.invalidate()
            return state.mode
        }
        TerminalRescue.begin(keyboard.flatMap { keyboard in mode.map { (keyboard, $0) } })
        sink.write(TerminalScreen.enter)
        listen(true)
        draw()
    }

    private func hide() {
        listen(false)
        let (wasShown, mode) = state.withLock { state in
            defer { (state.isShown, state.mode) = (false, nil) }
            return (state.isShown, state.mode)
        }
        if wasShown { sink.write(TerminalScreen.leave) }
        if let keyboard, var mode { unsafe tcsetattr(keyboard, TCSANOW, &mode) }
        TerminalRescue.end()
    }

    /// Suspends the reading of keys while another job has the terminal; the source would fire without end.
    private func listen(_ listens: Bool) {
        state.withLock { state in
            guard let input = state.input, state.isListening != listens else { return }
            state.isListening = listens
            if listens { input.resume() } else { input.suspend() }
        }
    }

    private var isInForeground: Bool {
        let owner = tcgetpgrp(1)
        return owner < 0 || owner == getpgrp()
    }

    /// Takes the news, and draws when it is time.
    private func look() {
        let source = state.withLock { $0.stand?.source }
        let (news, table) = (source?.news() ?? [], chain?.news())
        var isOver = false
        state.withLock { state in
            for item in news {
                if case .ended = item { isOver = true }
                state.stand?.display.take(item)
            }
            if let table { state.table?.take(table) }
        }
        if isOver, chain != nil {
            isOver = false
            showTable(saying: .standHasClosed)
        }
        // A shell may give the terminal to a running job without a signal.
        if state.withLock({ !$0.isShown && !$0.isStopped && !$0.hasEnded }) { show() }
        draw()
        if isOver { whenQuit() }
    }

    private func draw() {
        let size = TerminalScreen.size(1)
        let now = Double(monotonicNanoseconds()) / 1e9
        let bytes = state.withLock { $0.isShown ? $0.frame(at: now, size: size) : "" }
        if !bytes.isEmpty { sink.write(bytes) }
    }

    private func read() {
        guard let keyboard, state.withLock({ $0.isShown }) else { return }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe systemRead(keyboard, $0.baseAddress!, $0.count) }
        guard count > 0 else {
            // The keyboard is gone.
            if count == 0 || (errno != EINTR && errno != EAGAIN) { state.withLock { $0.input }?.cancel() }
            return
        }
        let (keys, isWaiting) = state.withLock { state in
            (state.keys.take(buffer[..<count]), state.keys.isWaiting)
        }
        press(keys)
        guard isWaiting else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.escapeTime)) { [weak self] in
            guard let self else { return }
            self.press(self.state.withLock { $0.keys.timeout() })
        }
    }

    private func press(_ keys: [Key]) {
        for key in keys {
            guard let source = state.withLock({ $0.stand?.source }) else {
                switch state.withLock({ $0.table?.press(key) }) {
                case .open(let target, let status)?: open(target, status)
                case .quit?: return whenQuit()
                case nil: break
                }
                continue
            }
            if chain != nil, key == .escape, state.withLock({ $0.stand?.display.isAtRest == true }) {
                showTable()
                continue
            }
            guard let wish = state.withLock({ $0.stand?.display.press(key) }) else { continue }
            if wish == .quit { return whenQuit() }
            source.make(wish) { outcome in
                self.queue.async {
                    self.state.withLock { $0.stand?.display.tell(outcome) }
                    self.draw()
                }
            }
        }
        if !keys.isEmpty { draw() }
    }

    /// Shows one of the stands of the table, at first with the status that the table knows.
    private func open(_ target: StandTarget, _ status: StatusDocument) {
        let stand = RemoteStand(target, after: status.sequence - min(status.sequence, RemoteStand.history))
        var view = StandView(language: locale.language)
        view.isOneOfMany = true
        var display = Self.display(view, locale, hasKeys: keyboard != nil)
        // The alerts wait for the names of the fruit.
        display.take(.status(status.with(\.alerts, [])))
        state.withLock { $0.stand = (display, stand) }
    }

    private func showTable(saying notice: Phrase? = nil) {
        // Released outside the lock: it ends its thread.
        let former = state.exchange(\.stand, for: nil)
        withExtendedLifetime(former) {}
        state.withLock { state in
            state.table?.invalidate()
            if let notice { state.table?.say(Words(language: locale.language)(notice)) }
        }
    }
}

/// The system's `read`, whose name a method hides.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    unsafe read(descriptor, bytes, count)
}
