import Foundation
import Platform
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `juicestand run` with its page.
struct OpenStand {
    /// No arrivals, and half a second of stand time for a cup.
    static let quiet = """
        { "stand": "quiet", "makers": 1, "customers": { "arrivals": { "renewal": "1000d" } } }
        """
    static let speed = "60"

    private let process: Process
    /// The folder in which it runs.
    let folder: URL
    /// `http://127.0.0.1:PORT/`.
    let url: String
    let token: String

    /// The address of the page with the token.
    var link: String { url + "#token=" + token }

    /// Calls `body` with a stand that is stopped afterwards.
    static func with<Result>(
        _ configuration: String, _ arguments: [String] = ["--speed", speed], _ body: (OpenStand) async throws -> Result
    ) async throws -> Result {
        try await Program.withTemporaryFolder { folder in
            let stand = try await start(configuration, arguments, in: folder)
            do {
                let result = try await body(stand)
                await stand.stop()
                return result
            } catch {
                await stand.stop()
                throw error
            }
        }
    }

    /// Calls `body` with a stand and a window with its page, whose console must have no error afterwards.
    static func visit(
        _ configuration: String = quiet, _ arguments: [String] = ["--speed", speed], look: Browser.Look = .init(),
        view: String = "order", forecasts: Bool = false, _ body: (OpenStand, Browser) async throws -> Void
    ) async throws {
        try await with(configuration, arguments) { stand in
            try await Browser.with(look, forecasts: forecasts) { browser in
                try await browser.visit(stand.link, view: view)
                try await body(stand, browser)
                #expect(try await browser.errors() == [])
            }
        }
    }

    static func start(
        _ configuration: String, _ arguments: [String], in folder: URL, listen: String = "127.0.0.1:0"
    ) async throws -> OpenStand {
        let file = folder.appending(path: "stand.json")
        try configuration.write(to: file, atomically: true, encoding: .utf8)
        let options = [
            "--config", file.path, "--listen", listen, "--socket", folder.appending(path: "stand.sock").path,
        ]
        return try await onItsOwnThread { () throws in
            try OpenStand(["run", "--display", "text", "--format", "json"] + options + arguments, in: folder)
        }
    }

    private init(_ arguments: [String], in folder: URL) throws {
        process = Process()
        self.folder = folder
        let output = Pipe()
        process.executableURL = Program.executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardOutput = output
        process.standardError = output
        try process.run()
        // A fast stand says much more meanwhile, so each line is looked at once.
        var rest = Data()
        var last = Data()
        var listening: Data?
        while listening == nil {
            try waitForInput(output.fileHandleForReading.fileDescriptor, "the stand to listen")
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            var lines = (rest + more).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = Data(lines.removeLast())
            last = lines.last ?? last
            listening = lines.first { $0.firstRange(of: Data(#""event":"listening""#.utf8)) != nil }
        }
        guard let listening, let line = try JSONSerialization.jsonObject(with: listening) as? [String: Any],
            let url = line["url"] as? String, let tokenFile = line["tokenFile"] as? String
        else {
            process.terminate()
            throw WebDriverError(
                description: "the stand did not open: \(String(decoding: last + rest, as: UTF8.self))")
        }
        // The pipe must never fill up. FileHandle would end the process when a signal of another test interrupts a read.
        Thread {
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            var count = 1
            while count > 0 || (count < 0 && errno == EINTR) {
                count = unsafe read(output.fileHandleForReading.fileDescriptor, &bytes, bytes.count)
            }
        }.start()
        self.url = url
        let file = URL(filePath: tokenFile, relativeTo: URL(filePath: folder.path, directoryHint: .isDirectory))
        token = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Ends it with SIGTERM, like a service manager.
    @discardableResult
    func stop() async -> Int32 {
        await onItsOwnThread { [process] in
            process.terminate()
            process.waitForExit()
            return process.terminationStatus
        }
    }

    /// The status of the answer to a request, and its content.
    @discardableResult
    func send(
        _ method: String, _ path: String, _ content: String? = nil
    ) async throws -> (status: Int, text: String) {
        var request = URLRequest(url: try #require(URL(string: url + path)))
        request.httpMethod = method
        // Only for hangs.
        request.timeoutInterval = 300
        request.setValue("Bearer " + token, forHTTPHeaderField: "authorization")
        if content != nil { request.setValue("application/json", forHTTPHeaderField: "content-type") }
        request.httpBody = content.map { Data($0.utf8) }
        let (data, response) = try await URLSession.shared.data(for: request)
        let status = try #require(response as? HTTPURLResponse).statusCode
        return (status, String(decoding: data, as: UTF8.self))
    }

    func wait(
        sourceLocation: SourceLocation = #_sourceLocation, until isSo: (OpenStand) async throws -> Bool
    ) async throws {
        try await eventually("the stand", sourceLocation: sourceLocation) { try await isSo(self) }
    }

    func status() async throws -> [String: Any] {
        let text = try await send("GET", "api/v1/status").text
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// The lines of `ledger.jsonl`.
    func ledger() throws -> [Substring] {
        try String(contentsOf: folder.appending(path: "ledger.jsonl"), encoding: .utf8).split(separator: "\n")
    }

    /// Pieces of each fruit.
    func levels() async throws -> [String: Int] {
        try #require(try await status()["stock"] as? [String: Int])
    }

    /// The samples of `/metrics`, by name and labels.
    func metrics() async throws -> [String: Double] {
        try await send("GET", "metrics").text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .reduce(into: [:]) { samples, line in
                guard let space = line.lastIndex(of: " ") else { return }
                samples[String(line[..<space])] = Double(line[line.index(after: space)...])
            }
    }
}
