import Foundation
import Platform
import TestSupport
import Testing

/// Headless Chromium behind a driver. All tests share one, because it starts slowly.
final class Session: Sendable {
    /// The browser of the suite that is running; nil elsewhere.
    @TaskLocal static var shared: Session?

    /// The browser's logs; none while its processor time is measured.
    static let logs =
        ProcessInfo.processInfo.environment["JUICESTAND_PAGE_LOAD"] == nil ? ["browser", "performance"] : []

    /// The parent of all processes of the browser.
    var driverProcess: Int { driver.identifier }

    private let driver: WebDriver
    private let path: String
    /// The first window, which stays open.
    private let first: String
    /// Windows that no test uses. A new one needs a second of processor time.
    private let spareWindows = Guarded<[String]>([])

    fileprivate init() async throws {
        let driver = try await onItsOwnThread { () throws in try WebDriver() }
        let arguments = [
            // A container may not allow a sandbox. No host name is resolved.
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
            // Tests look at two windows at once.
            "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
            "--disable-backgrounding-occluded-windows",
        ]
        // In milliseconds, shorter than the wait for an answer: a test that fails must not leave a command under way, for
        // which all later tests would wait. The last is for an element to appear.
        let limits = ["script": 50_000, "pageLoad": 50_000, "implicit": 50_000]
        let options: [String: Any] = [
            "browserName": "chrome", "goog:chromeOptions": ["args": arguments], "timeouts": limits,
            "goog:loggingPrefs": Dictionary(uniqueKeysWithValues: Self.logs.map { ($0, "ALL") }),
        ]
        do {
            let created = try await Self.send(driver, "POST", "session", ["capabilities": ["alwaysMatch": options]])
            path = "session/" + (try #require((created as? [String: Any])?["sessionId"] as? String))
            first = try #require(try await Self.send(driver, "GET", path + "/window", [:]) as? String)
        } catch {
            await onItsOwnThread { driver.stop() }
            throw error
        }
        self.driver = driver
    }

    /// The value of the answer to a command.
    @discardableResult
    func send(_ method: String, _ command: String, _ content: [String: Any] = [:]) async throws -> Any? {
        try await Self.send(driver, method, path + (command.isEmpty ? "" : "/") + command, content)
    }

    /// A window that no other test uses. A tab would not do, because a hidden page does not draw.
    func takeWindow() async throws -> String {
        if let spare = spareWindows.withLock({ $0.popLast() }) { return spare }
        try await send("POST", "window", ["handle": first])
        let made = try await send("POST", "window/new", ["type": "window"]) as? [String: Any]
        return try #require(made?["handle"] as? String)
    }

    func giveBack(_ window: String) { spareWindows.withLock { $0.append(window) } }

    private static func send(
        _ driver: WebDriver, _ method: String, _ path: String, _ content: [String: Any]
    ) async throws -> Any? {
        let body = method == "POST" ? try JSONSerialization.data(withJSONObject: content) : Data()
        let answer = try await onItsOwnThread { () throws in try driver.send(method, path, body) }
        return (try JSONSerialization.jsonObject(with: answer) as? [String: Any])?["value"]
    }

    fileprivate func end() async throws {
        try await send("DELETE", "")
        await onItsOwnThread { [driver] in driver.stop() }
    }
}

/// Starts a browser before the tests of a suite, and ends it after the last.
struct OneBrowser: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // These tests wait often. In the shared pool they would wait for all others each time, and run at last alone.
        try await withOwnThread {
            let session = try await Session()
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await Session.$shared.withValue(session) { try await function() }) } catch {
                outcome = .failure(error)
            }
            try await session.end()
            try outcome.get()
        }
    }
}

extension Trait where Self == OneBrowser {
    static var oneBrowser: Self { OneBrowser() }
}

extension Trait where Self == ConditionTrait {
    static var whereBrowserIsInstalled: Self {
        .enabled(if: WebDriver.path != nil, "chromium and chromium-driver are not installed")
    }
}
