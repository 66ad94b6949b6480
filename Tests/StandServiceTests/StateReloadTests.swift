import Dispatch
import Foundation
import JuiceStand
import Platform
import StandService
import StandState
import TestSupport
import Testing
import TextFormats

/// Reloads of the configuration, and rotated ledgers.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct StateReloadTests {
    private static let before =
        #"{"makers": 1, "fruits": {"kiwi": {"lowStock": 5}}, "menu": {"kiwi juice": {"recipe": {"kiwi": 3}}}, "customers": {"arrivals": {"renewal": "1d"}}}"#

    @Test func `a new configuration is applied key by key and survives a restart, and a bad one changes nothing`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let text = ConfigurationText(Self.before)
            let running = try reloadable(folder, text)
            try await withSuspended(running) { control in
                let none = try await control.reload()
                #expect(none.isEmpty)
                text.now = Self.before.replacing("\"makers\": 1", with: "\"makers\": 3").replacing("5}", with: "10}")
                let changes = try await control.reload()
                #expect(
                    changes == [
                        SettingChange(key: "fruits.kiwi.lowStock", from: "5", to: "10"),
                        SettingChange(key: "makers", from: "1", to: "3"),
                    ])
                #expect(control.status.settings.makers == 3 && control.status.lowStockAlerts == 1)
                text.now = text.now.replacing("\"makers\": 3", with: "\"makers\": 0")
                await #expect(throws: ControlError.self) { try await control.reload() }
                text.now = Self.before.replacing("\"kiwi\": 3", with: "\"kiwi\": 4")
                await #expect(
                    throws: ControlError.cannotChange([
                        "menu.kiwi juice.recipe.kiwi: a recipe can't change while the stand is open"
                    ])
                ) { try await control.reload() }
                #expect(control.status.settings.makers == 3)
            }
            // The first file again is a change too.
            text.now = Self.before
            try await withSuspended(try reloadable(folder, text)) { control in
                try await eventually("the settings of the file") { control.status.settings.makers == 1 }
            }
            let ledger = try String(contentsOfFile: "\(folder)/ledger.jsonl", encoding: .utf8)
            let changes = ledger.split(separator: "\n").filter { $0.contains("configurationChanged") }.count
            #expect(changes == 4)
            #expect(try StateAudit(folder: "\(folder)/state", files: ["\(folder)/ledger.jsonl"]).difference == nil)
            var audit = LedgerAudit()
            try audit.read(file: "\(folder)/ledger.jsonl")
            #expect(audit.finding.problems == [])
        }
    }

    @Test func `a new face of a fruit writes no line, and survives a restart`() async throws {
        try await withTemporaryFolder { folder in
            let text = ConfigurationText(Self.before)
            let new = Self.before.replacing("5}", with: ##"5, "colour": "#123456"}"##)
            try await withSuspended(try reloadable(folder, text)) { control in
                text.now = new
                let changes = try await control.reload()
                #expect(changes.map(\.key) == ["fruits.kiwi.colour"])
                #expect(control.status.settings.menu.fruits[0].face.colour == "#123456")
                #expect(control.status.stockDocument.shelves.first?.colour == "#123456")
            }
            for picture in ["🥝", "K"] {
                text.now = new.replacing("5, ", with: "5, \"picture\": \"\(picture)\", ")
                try await withSuspended(try reloadable(folder, text)) { control in
                    try await eventually("the face of the file") {
                        let face = control.status.settings.menu.fruits[0].face
                        return face.colour == "#123456" && face.picture == picture
                    }
                }
            }
            let ledger = try String(contentsOfFile: "\(folder)/ledger.jsonl", encoding: .utf8)
            #expect(ledger.contains("opened") && !ledger.contains("configurationChanged"))
            #expect(try StateAudit(folder: "\(folder)/state", files: ["\(folder)/ledger.jsonl"]).difference == nil)
        }
    }

    @Test func `shifts change while the stand is busy, and a restart continues them`() async throws {
        func day(_ makers: String) -> String {
            #"{"makers": \#(makers), "customers": {"patience": "1m", "arrivals": {"poisson": {"perSecond": 0.1}}}}"#
        }
        try await withTemporaryFolder { folder in
            let text = ConfigurationText(day(#"{"shifts": {"every": "5m", "makers": [1, 0, 3], "repeat": true}}"#))
            let ledger = "\(folder)/ledger.jsonl"
            // The second start is in the shifts of the first one's reload.
            for makers in [#"{"shifts": {"every": "7m", "makers": [2, 4], "repeat": true}}"#, "2"] {
                try await withSuspended(try reloadable(folder, text, speed: 5000)) { control in
                    let orders = control.status.orders
                    try await eventually("100 orders") { control.status.orders >= orders + 100 }
                    text.now = day(makers)
                    let keys = try await control.reload().map(\.key)
                    #expect(!keys.isEmpty && keys.allSatisfy { $0.hasPrefix("makers") }, "\(keys)")
                    try await eventually("100 more orders") { control.status.orders >= orders + 200 }
                }
            }
            #expect(try StateAudit(folder: "\(folder)/state", files: [ledger]).difference == nil)
            var audit = LedgerAudit()
            try audit.read(file: ledger)
            #expect(audit.finding.problems == [])
        }
    }

    @Test func `a ledger that is moved away under load loses and tears no line`() async throws {
        try await withTemporaryFolder { folder in
            let ledger = "\(folder)/ledger.jsonl"
            var all: [String] = []
            // Two thousand customers for each start, however slow the machine is.
            let day = #"{"customers": {"arrivals": {"profile": {"every": 2000, "perSecond": [1, 1, 1, 1]}}}}"#
            for start in 1...3 {
                try await withSuspended(try RunningStand(options(day, folder, speed: 5000))) { control in
                    try await eventually("2000 orders, and two moved ledgers") {
                        let orders = control.status.orders
                        if orders >= 600 * UInt64(all.count + 1) {
                            all.append("\(ledger).\(all.count)")
                            try control.move(ledger: ledger, to: all[all.count - 1])
                        }
                        return orders >= UInt64(2000 * start) && all.count >= 2 * start
                    }
                }
            }
            all.append(ledger)
            var audit = LedgerAudit()
            for file in all { try audit.read(file: file) }
            #expect(audit.finding.problems == [] && audit.finding.events >= 6000)
            let state = try StateAudit(folder: "\(folder)/state", files: all)
            #expect(state.difference == nil && state.first == 1)
        }
    }

    private func options(_ text: String, _ folder: String, speed: Double = 1) throws -> RunningStand.Options {
        let settings = try StandConfiguration(Array(text.utf8), source: "test.json").settings
        var options = RunningStand.Options(
            settings: settings, wiring: .notification, speed: speed, horizon: .never, duration: nil,
            ledger: "\(folder)/ledger.jsonl", display: .none, logsAsJSON: false)
        options.state = "\(folder)/state"
        return options
    }

    private func reloadable(
        _ folder: String, _ text: ConfigurationText, speed: Double = 1
    ) throws -> RunningStand {
        var options = try options(text.now, folder, speed: speed)
        options.reloading = { () throws(ConfigurationError) in
            try StandConfiguration(Array(text.now.utf8), source: "test.json").settings
        }
        return try RunningStand(options)
    }

    /// A file that the test edits.
    private final class ConfigurationText: Sendable {
        private let text: Guarded<String>

        init(_ text: String) {
            self.text = Guarded(text)
        }

        var now: String {
            get { text.withLock { $0 } }
            set { text.withLock { $0 = newValue } }
        }
    }
}
