import Foundation
import Testing

/// A browser without a window, its own profile and nothing in its store.
struct Browser {
    /// What it looks like to the page.
    struct Look {
        var language = "en"
        var isDark = false
        var width = 1280
        var height = 900
        var isPhone = false
    }

    static let isInstalled = WebDriver.path != nil

    private let driver: WebDriver
    private let session: String

    /// Calls `body` with a browser that is closed afterwards.
    static func with<Result>(_ look: Look = Look(), _ body: (Browser) async throws -> Result) async throws -> Result {
        let driver = try WebDriver()
        defer { driver.stop() }
        let browser = try await Browser(driver, look)
        do {
            let result = try await body(browser)
            try await browser.send("DELETE", "")
            return result
        } catch {
            _ = try? await browser.send("DELETE", "")
            throw error
        }
    }

    private init(_ driver: WebDriver, _ look: Look) async throws {
        let arguments = [
            // No sandbox within a container; no name but the loopback's is ever looked up.
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--lang=\(look.language)",
            "--window-size=\(look.width),\(look.height)",
        ]
        let options: [String: Any] = [
            "browserName": "chrome",
            "goog:chromeOptions": ["args": arguments, "prefs": ["intl.accept_languages": look.language]],
            "goog:loggingPrefs": ["browser": "ALL", "performance": "ALL"], "timeouts": ["script": 60_000],
        ]
        let created = try driver.send("POST", "session", ["capabilities": ["alwaysMatch": options]])
        session = try #require((created as? [String: Any])?["sessionId"] as? String)
        self.driver = driver
        try await devTools(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": look.isDark ? "dark" : "light"]]])
        if look.isPhone {
            try await devTools(
                "Emulation.setDeviceMetricsOverride",
                ["width": look.width, "height": look.height, "deviceScaleFactor": 2, "mobile": true])
        }
    }

    @discardableResult
    private func send(_ method: String, _ path: String, _ content: [String: Any] = [:]) async throws -> Any? {
        try driver.send(method, "session/\(session)" + (path.isEmpty ? "" : "/" + path), content)
    }

    private func devTools(_ command: String, _ parameters: [String: Any]) async throws {
        try await send("POST", "goog/cdp/execute", ["cmd": command, "params": parameters])
    }
}

// MARK: - What a user does

extension Browser {
    func open(_ address: String) async throws {
        try await send("POST", "url", ["url": address])
    }

    /// Clicks as a user would: not through what covers the element.
    func click(_ selector: String) async throws {
        let found = try await send("POST", "element", ["using": "css selector", "value": selector]) as? [String: Any]
        let element = try #require(found?.values.first as? String, "no \(selector)")
        try await send("POST", "element/\(element)/click")
    }

    /// Presses keys one after the other, wherever the focus is.
    func press(_ keys: String...) async throws { try await press(keys) }

    func press(_ keys: [String]) async throws {
        let actions = keys.flatMap { [["type": "keyDown", "value": $0], ["type": "keyUp", "value": $0]] }
        try await send("POST", "actions", ["actions": [["type": "key", "id": "keyboard", "actions": actions]]])
    }
}

extension Browser {
    /// Presses the tabulator key until `condition` is true; it fails after a hundred.
    func tab(to condition: String) async throws {
        for _ in 1...100 {
            try await press(Key.tab)
            if try await value(condition) as? Bool == true { return }
        }
        throw WebDriver.Failure(description: "no tabulator key leads to \(condition)")
    }

    /// Keeps the page from what a pattern of addresses says.
    func block(_ pattern: String) async throws {
        try await devTools("Network.enable", [:])
        try await devTools("Network.setBlockedURLs", ["urls": [pattern]])
    }
}

/// Keys that are no characters, as WebDriver names them.
enum Key {
    static let (tab, enter, escape) = ("\u{E004}", "\u{E007}", "\u{E00C}")
    static let (left, up, right) = ("\u{E012}", "\u{E013}", "\u{E014}")
}

// MARK: - What a user sees

extension Browser {
    /// The value of an expression of the page.
    @discardableResult
    func value(_ expression: String) async throws -> Any? {
        try await send("POST", "execute/sync", ["script": "return \(expression)", "args": []])
    }

    /// The value of an expression as soon as it is one: not null, false, 0 or empty. It fails after a minute.
    @discardableResult
    func wait(for expression: String) async throws -> Any? {
        let script = """
            const look = () => {
                const found = \(expression);
                if (found) arguments[0](found); else setTimeout(look, 30);
            };
            look();
            """
        do { return try await send("POST", "execute/async", ["script": script, "args": []]) } catch {
            throw WebDriver.Failure(description: "never true: \(expression); \(error)")
        }
    }

    /// What stands in an element.
    func text(_ selector: String) async throws -> String {
        try #require(await value("document.querySelector(`\(selector)`).textContent") as? String)
    }

    func wait(for selector: String, toSay text: String) async throws {
        try await wait(for: "document.querySelector(`\(selector)`)?.textContent.includes(`\(text)`)")
    }

    /// Lines of the console that are errors, as `source: message`.
    func errors() async throws -> [String] {
        try await log("browser").filter { $0["level"] as? String == "SEVERE" }
            .map { "\($0["source"] ?? ""): \($0["message"] ?? "")" }
    }

    /// Addresses of all that was asked for since the last call.
    func requests() async throws -> [String] {
        try await log("performance").compactMap { entry in
            let text = try #require(entry["message"] as? String)
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            guard let message = object?["message"] as? [String: Any],
                message["method"] as? String == "Network.requestWillBeSent"
            else { return nil }
            let parameters = message["params"] as? [String: Any]
            return (parameters?["request"] as? [String: Any])?["url"] as? String
        }
    }

    private func log(_ type: String) async throws -> [[String: Any]] {
        try #require(await send("POST", "se/log", ["type": type]) as? [[String: Any]])
    }

    func screenshot(to file: URL) async throws {
        let text = try #require(await send("GET", "screenshot") as? String)
        try #require(Data(base64Encoded: text)).write(to: file)
    }
}
