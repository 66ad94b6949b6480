import Foundation
import Platform
import StandClient
import StandService
import TestSupport
import Testing
import TextFormats

/// The live display in tmux, a real terminal emulator, compared with screens in files.
@Suite(.timeLimit(.minutes(60)))
struct TmuxTests {
    /// A stand whose customers have all gone: nothing happens any more, so its screens are always the same.
    private static let configuration = """
        {"stand": "corner", "seed": 7, "makers": 2, "queue": {"limit": 6}, "fruits": {\(
            [("strawberry", "딸기", 300), ("banana", "바나나", 40), ("kiwi", "키위", 40), ("mango", "망고", 60)].map {
                "\"\($0)\": {\"names\": {\"ko\": \"\($1)\"}, \"initial\": \($2), \"lowStock\": \($2 / 4), \"restock\": "
                    + "{\"fixedQuantity\": {\"reorderPoint\": \($2 / 3), \"quantity\": \($2 / 2), \"leadTime\": \"5m\"}}}"
            }.joined(separator: ", "))},
         "menu": {\(
            [
                ("strawberry juice", "딸기쥬스", #""strawberry": 16"#), ("banana juice", "바나나쥬스", #""banana": 2"#),
                ("mango kiwi juice", "망키쥬스", #""mango": 2, "kiwi": 1"#),
            ].map { "\"\($0)\": {\"names\": {\"ko\": \"\($1)\"}, \"recipe\": {\($2)}, \"preparation\": \"40s\"}" }
                .joined(separator: ", "))},
         "customers": {"patience": "90s", "arrivals": {"profile": {"every": "30m", "perSecond": [0.06], "repeat": false}}}}
        """

    private func withStand(_ body: @escaping @Sendable (URL, String) throws -> Void) async throws {
        try await StandChain.with { chain in
            let socket = chain.socket("stand")
            let files = [
                "--config", try chain.write(Self.configuration, to: "stand.json"), "--ledger", chain.path("ledger"),
            ]
            _ = try chain.run("stand", ["--listen", "off", "--speed", "2000"] + files)
            let client = StandClient(path: socket)
            func status() throws -> (time: Double, present: Int) {
                let json = try client.send(.get, "/api/v1/status").json
                return (json?["time"]?.seconds ?? 0, json?["present"]?.whole ?? -1)
            }
            func setSpeed(_ speed: Double) throws {
                let answer = try client.send(.put, "/api/v1/speed", content: ["speed": .number(speed)])
                guard answer.isSuccess else {
                    throw WebDriverError(description: "\(answer.status) \(answer.text)")
                }
            }
            try eventually("the last customer's leaving") {
                guard try status().time > 7200 else { return false }
                // The clock of the screens then stands almost still. A late stand has not come as far as its clock.
                try setSpeed(0.001)
                let (time, present) = try status()
                if time > 7200, present == 0 { return true }
                try setSpeed(2000)
                return false
            }
            try body(chain.folder, socket)
        }
    }

    @Test(.enabled(if: Tmux.path != nil, "tmux is not installed"))
    func `screens of the stand, its log, and an instant that has passed`() async throws {
        try await withStand { folder, socket in
            let tmux = try Tmux(["watch", "--socket", socket], in: folder)
            // The log is complete once a key has scrolled it.
            try tmux.expect("stand-80x24", pressing: ["Up", "G"])
            tmux.press("PPage")
            try tmux.expect("log-80x24")
            tmux.press("G")
            // On a small screen the key would leave the log open.
            try tmux.expect("stand-80x24")
            try tmux.resize(40, 10)
            try tmux.expect("stand-40x10")
            tmux.press("PPage")
            try tmux.expect("log-40x10")
            tmux.press("G", "Escape")
            try tmux.expect("stand-40x10")
            tmux.type("[[[")
            try tmux.expect("past-40x10")
            try tmux.resize(160, 50)
            try tmux.expect("past-160x50")
            try tmux.resize(80, 24)
            try tmux.expect("past-80x24")
            tmux.type("n")
            try tmux.expect("stand-80x24")
            // The wheel over the log, and over the alerts.
            tmux.type("\u{1b}[<64;10;20M\u{1b}[<64;10;14M")
            try tmux.expect("wheel-80x24")
            // A key that comes before the new size would scroll the old screen.
            tmux.type("G")
            try tmux.resize(160, 50)
            try tmux.expect("stand-160x50")
            tmux.type("\u{1b}[<64;10;46M\u{1b}[<64;10;14M")
            try tmux.expect("wheel-160x50")
            tmux.press("PPage")
            try tmux.expect("log-160x50")
            tmux.type("q")
        }
    }

    @Test(.enabled(if: Tmux.path != nil, "tmux is not installed"))
    func `Korean screens`() async throws {
        try await withStand { folder, socket in
            let tmux = try Tmux(["watch", "--socket", socket], ["LC_ALL": "ko_KR.UTF-8"], in: folder)
            try tmux.expect("korean-stand-80x24", pressing: ["Up", "G"])
            try tmux.resize(160, 50)
            try tmux.expect("korean-stand-160x50")
            try tmux.resize(40, 10)
            try tmux.expect("korean-stand-40x10")
            tmux.type("?")
            try tmux.expect("korean-help-40x10")
            try tmux.resize(80, 24)
            try tmux.expect("korean-help-80x24")
            tmux.type(" q")
        }
    }
}

/// A session of tmux with the program in it. All methods block.
private final class Tmux {
    static let path: String? = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/opt/homebrew/bin/tmux"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private static let screens = Program.root.appending(path: "Tests/TerminalViewTests/Screens")
    /// With `JUICESTAND_WRITE_SCREENS` in the environment the files are rewritten. Review the difference before a commit.
    private static let writesScreens = ProcessInfo.processInfo.environment["JUICESTAND_WRITE_SCREENS"] != nil

    /// A server of its own, and its socket. It stays a child: Foundation waits for the end of what becomes a daemon, too.
    private let server: Process
    private let socket: String

    init(_ arguments: [String], _ variables: [String: String] = [:], in folder: URL) throws {
        socket = folder.appending(path: "tmux").path
        server = try Self.process(["-D", "-f", "/dev/null"], socket)
        try server.run()
        let environment = ["LC_ALL": "C.UTF-8"].merging(variables) { $1 }.map { "\($0)=\($1)" }
        let command = ["env", "-u", "NO_COLOR"] + environment + [Program.executable.path] + arguments
        try eventually("a session of tmux") {
            let client = try Self.process(["-N", "new-session", "-d", "-x", "80", "-y", "24"] + command, socket)
            try client.run()
            client.waitForExit()
            return client.terminationStatus == 0 || !server.isRunning
        }
    }

    deinit {
        // It inherits a signal mask that may block others.
        kill(server.processIdentifier, SIGKILL)
        server.waitForExit()
    }

    private static func process(_ arguments: [String], _ socket: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: try #require(path))
        process.arguments = ["-u", "-S", socket] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return process
    }

    @discardableResult
    private func run(_ arguments: [String]) throws -> String {
        let process = try Self.process(["-N"] + arguments, socket)
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitForExit()
        return text
    }

    func press(_ keys: String...) { _ = try? run(["send-keys"] + keys) }

    func type(_ text: String) { _ = try? run(["send-keys", "-l", text]) }

    func resize(_ columns: Int, _ rows: Int) throws { try run(["resize-window", "-x", "\(columns)", "-y", "\(rows)"]) }

    func screen() throws -> String { try run(["capture-pane", "-p"]) }

    /// Waits until the screen is that of the file `tmux-NAME.txt`.
    ///
    /// - Parameter keys: Pressed before each look: they scroll the log back and to its end, which makes it complete.
    func expect(_ name: String, pressing keys: [String] = [], sourceLocation: SourceLocation = #_sourceLocation) throws
    {
        let file = Self.screens.appending(path: "tmux-\(name).txt")
        var shown = ""
        func look() throws {
            for key in keys { press(key) }
            try eventually("the end of the log") {
                shown = Self.settled(try screen())
                return keys.isEmpty || !shown.contains(/lines? back|줄 위/)
            }
        }
        if Self.writesScreens {
            // It is still when it has been the same for longer than the charts take to appear.
            var last = ""
            var since = ContinuousClock.now
            try eventually("a screen that stands still", sourceLocation: sourceLocation) {
                try look()
                if shown != last || shown.isEmpty {
                    last = shown
                    since = .now
                }
                return .now - since > .seconds(12)
            }
            return try shown.write(to: file, atomically: true, encoding: .utf8)
        }
        let wanted = try String(contentsOf: file, encoding: .utf8)
        do {
            try eventually("the screen \(name)", sourceLocation: sourceLocation) {
                try look()
                return shown == wanted
            }
        } catch {
            throw WebDriverError(description: "\(error):\n\(shown)\ninstead of\n\(wanted)")
        }
    }

    /// A screen without what depends on the speed of this machine: the clock, and how long charts have been drawn.
    private static func settled(_ screen: String) -> String {
        var lines = screen.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
        guard lines.count > 1 else { return "" }
        if !lines[0].contains(/past/) { lines[0].replace(/\d\d:\d\d:\d\d/, with: "hh:mm:ss") }
        for index in lines.indices {
            lines[index].replace(/(last|최근) \d[^─()]*─+/, with: "")
            // The rate is known only after ten seconds.
            lines[index].replace(/^( served .*cups?|\ 판매 .*잔)  .*/) { String($0.output.1) }
        }
        return lines.joined(separator: "\n")
    }
}
