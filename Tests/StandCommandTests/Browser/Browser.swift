import Foundation
import TerminalView
import TestSupport
import Testing

/// A window of the browser that all tests share, with the appearance that a test asks for and an empty store.
struct Browser {
    /// The appearance that the page sees.
    struct Look {
        var language = "en"
        var isDark = false
        var isCalm = false
        var width = 1280
        var height = 900
        var scale = 1
        var isPhone = false
    }

    private let session: Session
    private let window: String
    private let look: Look
    /// Requests that fail. Without optimization a forecast takes some ten seconds of processor time, so most tests go without.
    private let blocked: [String]

    /// Calls `body` with a window that no other test uses meanwhile.
    static func with<Result>(
        _ look: Look = Look(), forecasts: Bool = false, _ body: (Browser) async throws -> Result
    ) async throws -> Result {
        let browser = try await Browser(
            #require(Session.shared), look, blocked: forecasts ? [] : ["*/api/v1/forecast*"])
        do {
            let result = try await body(browser)
            try await browser.giveBack()
            return result
        } catch {
            _ = try? await browser.send("DELETE", "window")
            throw error
        }
    }

    private init(_ session: Session, _ look: Look, blocked: [String]) async throws {
        self.session = session
        self.look = look
        self.blocked = blocked
        window = try await session.takeWindow()
        try await block()
        // Earlier log entries belong to other windows.
        for type in Session.logs { _ = try await log(type) }
        try await devTools("Storage.clearDataForOrigin", ["origin": "*", "storageTypes": "local_storage"])
        try await show(isDark: look.isDark, width: look.width)
        let agent = try #require(try await value("navigator.userAgent") as? String)
        try await devTools("Emulation.setUserAgentOverride", ["userAgent": agent, "acceptLanguage": look.language])
    }

    /// Changes the appearance that the page sees.
    func show(isDark: Bool, width: Int, height: Int? = nil) async throws {
        let features = [
            "prefers-color-scheme": isDark ? "dark" : "light",
            "prefers-reduced-motion": look.isCalm ? "reduce" : "no-preference",
        ]
        try await devTools(
            "Emulation.setEmulatedMedia", ["features": features.map { ["name": $0.key, "value": $0.value] }])
        try await resize(width: width, height: height ?? look.height)
    }

    private func resize(width: Int, height: Int) async throws {
        try await devTools(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": look.scale, "mobile": look.isPhone])
    }

    /// Leaves the page, which ends its requests, and lets another test have the window.
    private func giveBack() async throws {
        try await open("about:blank")
        session.giveBack(window)
    }

    @discardableResult
    private func send(_ method: String, _ path: String, _ content: [String: Any] = [:]) async throws -> Any? {
        try await session.send("POST", "window", ["handle": window])
        return try await session.send(method, path, content)
    }

    private func devTools(_ command: String, _ parameters: [String: Any]) async throws {
        try await send("POST", "goog/cdp/execute", ["cmd": command, "params": parameters])
    }
}

// MARK: - Actions

extension Browser {
    func open(_ address: String) async throws {
        try await send("POST", "url", ["url": address])
    }

    /// Opens the page of a stand with one of its views, waits until it is live, and records its short messages.
    func visit(_ link: String, view: String = "order") async throws {
        try await open(link)
        try await listen()
        try await run("document.getElementById('tab-\(view)').click()")
        try await wait(for: "document.getElementById('state').className === 'live'")
    }

    /// Records all short messages and alerts, because they disappear by themselves.
    func listen() async throws {
        try await wait(for: "document.getElementById('toasts')")
        try await run(
            """
            window.said = [];
            new MutationObserver((changes) => {
                for (const { addedNodes } of changes) for (const node of addedNodes) window.said.push(node.textContent);
            }).observe(document.getElementById('toasts'), { childList: true });
            """)
    }

    /// Waits until a short message contains `text`; it may have disappeared since.
    func wait(toHear text: String) async throws {
        try await wait(for: "window.said.some((message) => message.includes(`\(text)`))")
    }

    /// Clicks like a user: a covered element can't be clicked.
    func click(_ selector: String) async throws {
        let found = try await send("POST", "element", ["using": "css selector", "value": selector]) as? [String: Any]
        let element = try #require(found?.values.first as? String, "no \(selector)")
        try await send("POST", "element/\(element)/click")
    }

    /// Chooses the option with that value.
    func choose(_ selector: String, _ value: String) async throws {
        try await click("\(selector) option[value='\(value)']")
    }

    /// Presses keys one after the other.
    func press(_ keys: String...) async throws { try await press(keys) }

    func press(_ keys: [String]) async throws {
        let actions = keys.flatMap { [["type": "keyDown", "value": $0], ["type": "keyUp", "value": $0]] }
        try await send("POST", "actions", ["actions": [["type": "key", "id": "keyboard", "actions": actions]]])
    }

    /// Presses the tab key until `condition` is true; fails after a hundred times.
    func tab(to condition: String) async throws {
        for _ in 1...100 {
            try await press(Key.tab)
            if try await value(condition) as? Bool == true { return }
        }
        throw WebDriverError(description: "no tabulator key leads to \(condition)")
    }

    /// Blocks requests to addresses that match the patterns, and forecasts if the test goes without, and no others.
    func block(_ patterns: String...) async throws {
        try await devTools("Network.enable", [:])
        try await devTools("Network.setBlockedURLs", ["urls": patterns + blocked])
    }
}

/// Keys without a character, as WebDriver names them.
enum Key {
    static let tab = "\u{E004}"
    static let enter = "\u{E007}"
    static let escape = "\u{E00C}"
    static let space = " "
    static let left = "\u{E012}"
    static let up = "\u{E013}"
    static let right = "\u{E014}"
    static let down = "\u{E015}"
}

// MARK: - Content

extension Browser {
    /// The value of a JavaScript expression.
    func value(_ expression: String) async throws -> Any? {
        try await send("POST", "execute/sync", ["script": "return \(expression)", "args": []])
    }

    func run(_ script: String) async throws {
        try await send("POST", "execute/sync", ["script": script, "args": []])
    }

    /// The value that a script hands to its last argument, now or later.
    func later(_ script: String) async throws -> Any? {
        try await send("POST", "execute/async", ["script": script, "args": []])
    }

    /// Waits until an expression is truthy, and gives its value. The time limit is only for hangs.
    @discardableResult
    func wait(for expression: String) async throws -> Any? {
        let script = """
            const look = () => {
                const found = \(expression);
                if (found) arguments[0](found); else setTimeout(look, 30);
            };
            look();
            """
        do { return try await later(script) } catch {
            throw WebDriverError(description: "never true: \(expression); \(error)")
        }
    }

    /// The text of an element.
    func text(_ selector: String) async throws -> String {
        try #require(await value("document.querySelector(`\(selector)`)?.textContent") as? String, "no \(selector)")
    }

    func wait(for selector: String, toSay text: String) async throws {
        try await wait(for: "document.querySelector(`\(selector)`)?.textContent.includes(`\(text)`)")
    }

    /// Makes the window as high as its page.
    func grow() async throws {
        let height = try #require(await value("document.documentElement.scrollHeight") as? Int)
        try await resize(width: look.width, height: height)
    }

    /// A picture of the window, as PNG.
    func picture() async throws -> Data {
        let text = try #require(await send("GET", "screenshot") as? String)
        return try #require(Data(base64Encoded: text))
    }

    /// Processor time so far of each process of the browser, and whether it shows pages.
    func processorTimes() throws -> [(isPage: Bool, seconds: Double)] {
        var found: [(id: Int, parent: Int, isPage: Bool, seconds: Double)] = []
        for id in try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap({ Int($0) }) {
            // The process may have ended.
            guard let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
                let line = try? String(contentsOfFile: "/proc/\(id)/cmdline", encoding: .utf8)
            else { continue }
            let fields = status[(status.lastIndex(of: ")") ?? status.startIndex)...].split(separator: " ")
            guard fields.count > 13, let parent = Int(fields[2]), let user = Double(fields[12]),
                let system = Double(fields[13])
            else { continue }
            found.append((id, parent, line.contains("--type=renderer"), (user + system) / 100))
        }
        var below: Set = [session.driverProcess]
        while case let more = Set(found.filter { below.contains($0.parent) }.map(\.id)).subtracting(below),
            !more.isEmpty
        {
            below.formUnion(more)
        }
        return found.filter { below.contains($0.id) && $0.id != session.driverProcess }.map { ($0.isPage, $0.seconds) }
    }

    /// Lines of the console that are errors, as `source: message`, since the last call; without those about blocked forecasts.
    func errors() async throws -> [String] {
        try await log("browser").filter { $0["level"] as? String == "SEVERE" }
            .map { "\($0["source"] ?? ""): \($0["message"] ?? "")" }
            .filter { blocked.isEmpty || !$0.contains("/api/v1/forecast") }
    }

    /// The addresses of all requests since the last call.
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
}
