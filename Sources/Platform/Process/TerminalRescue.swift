import Synchronization

/// Restores the terminal when the program crashes while a display has it.
///
/// A signal handler may only use memory that is there and calls that are safe in handlers: `write`, `tcsetattr`,
/// `signal` and `kill`.
package enum TerminalRescue {
    /// The signals of a crash.
    private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]

    /// Installs the handlers.
    ///
    /// - Parameters:
    ///   - text: The escape sequences that restore the screen; the same in every call.
    ///   - keyboard: The descriptor of the keyboard and its former mode.
    package static func begin(_ text: String, keyboard: (descriptor: Int32, mode: termios)?) {
        let rescue = unsafe known ?? make(text)
        unsafe rescue.pointee.keyboard = -1
        if let keyboard {
            unsafe rescue.pointee.mode = keyboard.mode
            unsafe rescue.pointee.keyboard = keyboard.descriptor
        }
        guard isInstalled.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
        else { return }
        for number in signals {
            var action = sigaction()
            action.sa_flags = SA_SIGINFO
            #if canImport(Darwin)
                unsafe action.__sigaction_u.__sa_sigaction = handler
            #elseif canImport(Musl)
                unsafe action.__sa_handler.sa_sigaction = handler
            #else
                unsafe action.__sigaction_handler.sa_sigaction = handler
            #endif
            unsafe sigaction(number, &action, rescue.pointee.former + Int(number))
        }
    }

    /// Removes the handlers.
    package static func end() {
        guard isInstalled.compareExchange(expected: true, desired: false, ordering: .acquiringAndReleasing).exchanged,
            let rescue = unsafe known
        else { return }
        for number in signals { unsafe sigaction(number, rescue.pointee.former + Int(number), nil) }
    }

    private static let isInstalled = Atomic(false)

    /// The data of the signal handler. Never freed.
    @unsafe private struct Rescue {
        var keyboard: Int32 = -1
        var mode = termios()
        /// The former handlers by signal, such as those that print a backtrace.
        var former: UnsafeMutablePointer<sigaction>
        var bytes: UnsafeMutablePointer<UInt8>
        var length: Int
    }

    /// The address of the only `Rescue`; 0 before the first ``begin(_:keyboard:)``. A handler may read it at any time.
    private static let address = Atomic<UInt>(0)

    private static var known: UnsafeMutablePointer<Rescue>? {
        unsafe UnsafeMutablePointer<Rescue>(bitPattern: address.load(ordering: .acquiring))
    }

    private static func make(_ text: String) -> UnsafeMutablePointer<Rescue> {
        let leave = Array(text.utf8)
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: leave.count)
        unsafe bytes.initialize(from: leave, count: leave.count)
        let count = Int(signals.max() ?? 0) + 1
        let former = UnsafeMutablePointer<sigaction>.allocate(capacity: count)
        unsafe former.initialize(repeating: sigaction(), count: count)
        let rescue = UnsafeMutablePointer<Rescue>.allocate(capacity: 1)
        unsafe rescue.initialize(to: Rescue(former: former, bytes: bytes, length: leave.count))
        address.store(UInt(bitPattern: rescue), ordering: .releasing)
        return unsafe rescue
    }

    private typealias Handler =
        @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

    private static let handler: Handler = { number, info, context in
        // Handlers are installed after `begin` has made the rescue.
        guard let rescue = unsafe TerminalRescue.known else { return }
        _ = unsafe write(1, rescue.pointee.bytes, rescue.pointee.length)
        if unsafe rescue.pointee.keyboard >= 0 {
            unsafe tcsetattr(rescue.pointee.keyboard, TCSANOW, &rescue.pointee.mode)
        }
        let former = unsafe rescue.pointee.former[Int(number)]
        // The former handler may return without ending the program.
        if former.sa_flags & SA_SIGINFO != 0 { unsafe TerminalRescue.former(former)?(number, info, context) }
        // Ends the program when this handler returns.
        signal(number, SIG_DFL)
        kill(getpid(), number)
    }

    private static func former(_ action: sigaction) -> Handler? {
        #if canImport(Darwin)
            unsafe action.__sigaction_u.__sa_sigaction
        #elseif canImport(Musl)
            unsafe action.__sa_handler.sa_sigaction
        #else
            unsafe action.__sigaction_handler.sa_sigaction
        #endif
    }
}
