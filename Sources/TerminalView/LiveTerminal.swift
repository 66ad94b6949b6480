import Dispatch
import JuiceStand
import Platform
import StandClient
import Terms
import TextFormats

/// The live display of a stand on the terminal of standard output, with the keys of standard input; or the table of
/// many stands, of which a key opens one.
///
/// The terminal is restored whenever the display is away: after ``end()``, and while the process is stopped. All of it
/// happens on one queue.
package actor LiveTerminal {
    /// The signals that it handles.
    package nonisolated let signals = [SIGWINCH, SIGTSTP, SIGCONT, SIGQUIT]

    private let locale = TerminalLocale()
    private let sink: any LineSink
    private let whenQuit: @Sendable () -> Void
    private let executor = QueueExecutor(DispatchQueue(label: "screen"))
    /// The descriptor of the keyboard; nil if standard input is not a terminal.
    private let keyboard = isTerminal(0) ? Int32(0) : nil
    /// The stand that is shown; nil while the table is.
    private var stand: (display: LiveDisplay, source: any StandSource)?
    /// The table of many stands; nil for the display of one stand.
    private var table: (display: StandsDisplay, source: StandsSource)?
    private var keys = KeyReader()
    /// The former mode of the terminal; nil if it was not changed.
    private var mode: termios?
    private var isShown = false
    /// Whether the process stops, or is stopped and was not continued yet.
    private var isStopped = false
    private var hasEnded = false
    private var timer: (any DispatchSourceTimer)?
    private var input: (any DispatchSourceRead)?
    /// Whether ``input`` is resumed.
    private var isListening = false

    /// The poll interval for news, in milliseconds.
    private static let period = 100
    /// The timeout after which an escape byte is the key Esc, in milliseconds.
    private static let escapeTime = 50

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

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
        self.sink = sink
        self.whenQuit = whenQuit
        let view = StandView(language: locale.language, link: link, warnings: warnings, ending: ending)
        self.stand = (Self.display(view, locale, hasKeys: keyboard != nil), stand)
    }

    /// Shows the table of many stands.
    package init(_ stands: StandsSource, to sink: any LineSink, whenQuit: @escaping @Sendable () -> Void) {
        self.sink = sink
        self.whenQuit = whenQuit
        let display = StandsDisplay(
            words: Words(language: locale.language), locale.isUTF8 ? .unicode : .ascii,
            hasColor: TerminalAbilities.hasColor)
        table = (display, stands)
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
    package nonisolated func begin() { executor.queue.sync { assumeIsolated { $0.start() } } }

    /// Restores the terminal.
    package nonisolated func end() {
        executor.queue.sync {
            assumeIsolated { terminal in
                terminal.timer?.cancel()
                terminal.hasEnded = true
                terminal.hide()
                terminal.input?.cancel()
                // A suspended source must not be released.
                terminal.listen(true)
            }
        }
    }

    /// Handles one of ``signals``.
    ///
    /// - Returns: whether it was one.
    package nonisolated func hear(_ signal: Int32) -> Bool {
        guard signals.contains(signal) else { return false }
        executor.queue.async { self.assumeIsolated { $0.obey(signal) } }
        return true
    }
}

// MARK: - The terminal

extension LiveTerminal {
    private func start() {
        show()
        let timer = DispatchSource.makeTimerSource(queue: executor.queue)
        timer.schedule(deadline: .now(), repeating: .milliseconds(Self.period), leeway: .milliseconds(10))
        timer.setEventHandler { @Sendable [weak self] in self?.assumeIsolated { $0.look() } }
        timer.activate()
        self.timer = timer
        guard let keyboard else { return }
        let input = DispatchSource.makeReadSource(fileDescriptor: keyboard, queue: executor.queue)
        input.setEventHandler { @Sendable [weak self] in self?.assumeIsolated { $0.read() } }
        input.activate()
        self.input = input
        isListening = true
        listen(isShown)
    }

    private func obey(_ number: Int32) {
        switch number {
        case SIGWINCH:
            // The terminal may have had another size meanwhile, and moved or cut its rows.
            invalidate()
            draw()
        case SIGCONT:
            isStopped = false
            show()
        case SIGTSTP:
            // A poll before the process stops must not prepare the terminal again.
            isStopped = true
            hide()
            // SIGTSTP is handled, so SIGSTOP stops the process here. SIGCONT arrives when it continues.
            kill(getpid(), SIGSTOP)
        default:
            // Another thread takes the signal, so this queue may still draw before the process ends.
            hasEnded = true
            hide()
            signal(number, SIG_DFL)
            kill(getpid(), number)
        }
    }

    /// Prepares the terminal, unless another job has it now.
    private func show() {
        guard !hasEnded, isInForeground else { return }
        if let keyboard {
            var mode = termios()
            if unsafe tcgetattr(keyboard, &mode) == 0 {
                self.mode = self.mode ?? mode
                mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
                unsafe tcsetattr(keyboard, TCSANOW, &mode)
            }
        }
        isShown = true
        invalidate()
        TerminalRescue.begin(
            TerminalScreen.leave, keyboard: keyboard.flatMap { keyboard in mode.map { (keyboard, $0) } })
        sink.write(TerminalScreen.enter)
        listen(true)
        draw()
    }

    private func hide() {
        listen(false)
        if isShown { sink.write(TerminalScreen.leave) }
        if let keyboard, var mode { unsafe tcsetattr(keyboard, TCSANOW, &mode) }
        isShown = false
        mode = nil
        TerminalRescue.end()
    }

    /// Suspends the reading of keys while another job has the terminal; the source would fire without end.
    private func listen(_ listens: Bool) {
        guard let input, isListening != listens else { return }
        isListening = listens
        if listens { input.resume() } else { input.suspend() }
    }

    private var isInForeground: Bool {
        let owner = tcgetpgrp(1)
        return owner < 0 || owner == getpgrp()
    }
}

// MARK: - News, frames and keys

extension LiveTerminal {
    /// Takes the news, and draws when it is time.
    private func look() {
        if let latest = table?.source.latest() { table?.display.take(latest.table, latest.alerts) }
        var isOver = false
        for news in stand?.source.news() ?? [] {
            if case .ended = news { isOver = true }
            stand?.display.take(news)
        }
        if isOver, table != nil {
            isOver = false
            showTable(saying: .standHasClosed)
        }
        // A shell may give the terminal to a running job without a signal.
        if !isShown, !isStopped, !hasEnded { show() }
        draw()
        if isOver { whenQuit() }
    }

    private func invalidate() {
        stand?.display.invalidate()
        table?.display.invalidate()
    }

    private func draw() {
        guard isShown else { return }
        let size = TerminalScreen.size(1)
        let now = Double(monotonicNanoseconds()) / 1e9
        let bytes = stand?.display.frame(at: now, size: size) ?? table?.display.frame(at: now, size: size) ?? ""
        if !bytes.isEmpty { sink.write(bytes) }
    }

    private func read() {
        guard let keyboard, isShown else { return }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe systemRead(keyboard, $0.baseAddress!, $0.count) }
        guard count > 0 else {
            // The keyboard is gone.
            if count == 0 || (errno != EINTR && errno != EAGAIN) { input?.cancel() }
            return
        }
        press(keys.take(buffer[..<count]))
        guard keys.isWaiting else { return }
        executor.queue.asyncAfter(deadline: .now() + .milliseconds(Self.escapeTime)) { [weak self] in
            self?.assumeIsolated { $0.press($0.keys.timeout()) }
        }
    }

    private func press(_ keys: [Key]) {
        for key in keys {
            guard let source = stand?.source else {
                switch table?.display.press(key) {
                case .open(let target, let status)?: open(target, status)
                case .quit?: return whenQuit()
                case nil: break
                }
                continue
            }
            if table != nil, key == .escape, stand?.display.isAtRest == true {
                showTable()
                continue
            }
            guard let wish = stand?.display.press(key) else { continue }
            if wish == .quit { return whenQuit() }
            source.make(wish) { refusal in
                self.executor.queue.async { self.assumeIsolated { $0.tell(wish, refusal) } }
            }
        }
        if !keys.isEmpty { draw() }
    }

    private func tell(_ wish: LiveWish, _ refusal: LiveRefusal?) {
        stand?.display.tell(wish, refusal)
        draw()
    }

    /// Shows one of the stands of the table, at first with the status that the table knows.
    private func open(_ target: StandTarget, _ status: StatusDocument) {
        let source = RemoteStand(target, after: status.sequence - min(status.sequence, RemoteStand.history))
        var view = StandView(language: locale.language)
        view.isOneOfMany = true
        var display = Self.display(view, locale, hasKeys: keyboard != nil)
        // The alerts wait for the names of the fruit.
        display.take(.status(status.with(\.alerts, [])))
        stand = (display, source)
    }

    private func showTable(saying notice: Phrase? = nil) {
        stand = nil
        table?.display.invalidate()
        if let notice { table?.display.say(Words(language: locale.language)(notice)) }
    }
}

/// The system's `read`, whose name a method hides.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    unsafe read(descriptor, bytes, count)
}
