import Foundation
import Platform
import StandService
import TerminalTestSupport
import TerminalView
import TestSupport
import Testing

/// The program on a pseudo-terminal, controlled like a user would. All methods block.
final class TerminalSession {
    let process = Process()
    /// Standard error, which is a pipe.
    private let diagnostics = Pipe()
    private let (master, slave): (Int32, Int32)
    private let output = Output()
    private var terminal: TestTerminal
    private var shown = 0
    private(set) var size: TerminalScreen.Size
    /// The terminal's input mode before the program changed it.
    let originalMode: tcflag_t

    private final class Output: Sendable {
        let bytes = Guarded<[UInt8]>([])
    }

    init(
        _ arguments: [String], _ environment: [String: String] = [:],
        _ size: TerminalScreen.Size = .init(columns: 80, rows: 24)
    ) throws {
        let (master, name) = try Self.open()
        let slave = unsafe Foundation.open(name, O_RDWR | O_NOCTTY)
        self.master = master
        self.slave = slave
        self.size = size
        terminal = TestTerminal(size)
        originalMode = Self.mode(of: slave)
        setSize(size)
        process.executableURL = Program.executable
        process.arguments = arguments
        process.currentDirectoryURL = Program.root
        var variables = ProcessInfo.processInfo.environment
        for name in ["NO_COLOR", "LC_ALL", "LC_CTYPE", "LC_MESSAGES"] { variables[name] = nil }
        variables.merge(["TERM": "xterm-256color", "LANG": "C.UTF-8"]) { $1 }
        process.environment = variables.merging(environment) { $1 }
        let end = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
        process.standardInput = end
        process.standardOutput = end
        process.standardError = diagnostics
        let output = output
        Thread {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(master, $0.baseAddress, $0.count) }
                if count <= 0 { return }
                output.bytes.withLock { $0 += buffer[..<count] }
            }
        }.start()
        try process.run()
    }

    deinit {
        if process.isRunning { process.terminate() }
        process.waitForExit()
        // Closing the last descriptor of the program's side ends the reader thread.
        close(slave)
        close(master)
    }

    /// Opens a pseudo-terminal.
    ///
    /// - Returns: the descriptor of the user's side and the device name of the program's side.
    private static func open() throws -> (Int32, String) {
        #if os(Linux)
            // TIOCSPTLCK and TIOCGPTN, as `posix_openpt` would use them; Swift does not import these functions from Glibc.
            let unlock = UInt(0x4004_5431)
            let getNumber = UInt(0x8004_5430)
            let descriptor = unsafe Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY)
            var isLocked = Int32(0)
            var number = UInt32(0)
            guard descriptor >= 0, unsafe ioctl(descriptor, unlock, &isLocked) == 0,
                unsafe ioctl(descriptor, getNumber, &number) == 0
            else { throw POSIXError(.ENODEV) }
            return (descriptor, "/dev/pts/\(number)")
        #else
            let descriptor = posix_openpt(O_RDWR | O_NOCTTY)
            guard descriptor >= 0, grantpt(descriptor) == 0, unlockpt(descriptor) == 0,
                let name = unsafe ptsname(descriptor)
            else { throw POSIXError(.ENODEV) }
            return (descriptor, unsafe String(cString: name))
        #endif
    }

    /// Everything the program has written.
    var bytes: [UInt8] { output.bytes.withLock { $0 } }

    /// The terminal's input mode.
    var mode: tcflag_t { Self.mode(of: slave) }

    private static func mode(of terminal: Int32) -> tcflag_t {
        var mode = termios()
        unsafe tcgetattr(terminal, &mode)
        return mode.c_lflag
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe write(master, bytes, bytes.count)
    }

    /// Changes the terminal's size and sends SIGWINCH.
    func resize(_ size: TerminalScreen.Size) {
        // Set first: a frame of the new size may arrive before the signal.
        self.size = size
        terminal = TestTerminal(size)
        shown = bytes.count
        setSize(size)
        kill(process.processIdentifier, SIGWINCH)
    }

    private func setSize(_ size: TerminalScreen.Size) {
        var window = winsize(ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(slave, UInt(TIOCSWINSZ), &window)
    }

    /// Takes the next complete frame; false if there is none yet.
    private func takeFrame() -> Bool {
        let mark = Array("\u{1b}[?2026l".utf8)
        let new = bytes[shown...]
        guard let end = new.firstRange(of: mark)?.upperBound else { return false }
        terminal.take(String(decoding: new[..<end], as: UTF8.self))
        shown = end
        return true
    }

    /// Waits until the screen of a frame matches, or the program has ended.
    ///
    /// It looks at every frame: a message disappears by itself, and a busy machine may let this test look only later.
    ///
    /// - Returns: the rows of that screen.
    @discardableResult
    func wait(
        sourceLocation: SourceLocation = #_sourceLocation, _ isMeant: ([String]) -> Bool
    ) throws -> [String] {
        try eventually("the screen", sourceLocation: sourceLocation) {
            if isMeant(terminal.text) { return true }
            let hasEnded = !process.isRunning
            while takeFrame() { if isMeant(terminal.text) { return true } }
            return hasEnded
        }
        return terminal.text
    }

    /// Waits until the program has written `text` after `place` bytes, or has ended.
    func wait(for text: String, after place: Int = 0) throws {
        try eventually("\"\(text)\" on the terminal") {
            !process.isRunning || String(decoding: bytes[place...], as: UTF8.self).contains(text)
        }
    }

    /// Waits for the end of the program.
    func end() throws -> (status: Int32, diagnostics: String) {
        process.waitForExit()
        // The program has ended. Its output may still be in the terminal's buffer, so wait for this mark behind it.
        let mark = "end of \(process.processIdentifier)"
        _ = unsafe write(slave, mark, mark.utf8.count)
        try eventually("the rest of the output") {
            String(decoding: bytes.suffix(64), as: UTF8.self).hasSuffix(mark)
        }
        let said = diagnostics.fileHandleForReading.readDataToEndOfFile()
        return (process.terminationStatus, String(decoding: said, as: UTF8.self))
    }
}
