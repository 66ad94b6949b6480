import Dispatch
import Foundation
import JuiceStand
import Platform
import StandService
import StandState
import TestSupport
import Testing
import TextFormats

/// Reloads of the configuration.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct StateReloadTests {
    private static let before =
        #"{"makers": 1, "fruits": {"kiwi": {"lowStock": 5}}, "menu": {"kiwi juice": {"recipe": {"kiwi": 3}}}, "customers": {"arrivals": {"renewal": "1d"}}}"#

    @Test func `a new configuration is applied key by key and survives a restart, and a bad one changes nothing`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let text = Guarded(Self.before)
            try await withSuspended(reloadable(folder) { text.withLock { $0 } }) { control in
                let none = try await control.reload()
                #expect(none.isEmpty)
                let better = Self.before.replacing("\"makers\": 1", with: "\"makers\": 3").replacing("5}", with: "10}")
                text.withLock { $0 = better }
                let changes = try await control.reload()
                #expect(
                    changes == [
                        SettingChange(key: "fruits.kiwi.lowStock", from: "5", to: "10"),
                        SettingChange(key: "makers", from: "1", to: "3"),
                    ])
                #expect(control.status.settings.makers == 3 && control.status.lowStockAlerts == 1)
                text.withLock { $0 = better.replacing("\"makers\": 3", with: "\"makers\": 0") }
                await #expect(throws: ControlError.self) { try await control.reload() }
                text.withLock { $0 = Self.before.replacing("\"kiwi\": 3", with: "\"kiwi\": 4") }
                await #expect(
                    throws: ControlError.cannotChange([
                        "menu.kiwi juice.recipe.kiwi: a recipe can't change while the stand is open"
                    ])
                ) { try await control.reload() }
                #expect(control.status.settings.makers == 3)
            }
            // The first file again is a change too.
            text.withLock { $0 = Self.before }
            try await withSuspended(reloadable(folder) { text.withLock { $0 } }) { control in
                try await eventually("the settings of the file") { control.status.settings.makers == 1 }
            }
            let ledger = try String(contentsOfFile: "\(folder)/ledger.jsonl", encoding: .utf8)
            let changes = ledger.split(separator: "\n").filter { $0.contains("configurationChanged") }.count
            #expect(changes == 4)
            try expectWholeLedger(in: folder)
        }
    }

    @Test func `a new face of a fruit writes no line, and survives a restart`() async throws {
        try await withTemporaryFolder { folder in
            let text = Guarded(Self.before)
            let new = Self.before.replacing("5}", with: ##"5, "colour": "#123456"}"##)
            try await withSuspended(reloadable(folder) { text.withLock { $0 } }) { control in
                text.withLock { $0 = new }
                let changes = try await control.reload()
                #expect(changes.map(\.key) == ["fruits.kiwi.colour"])
                #expect(control.status.settings.menu.fruits[0].face.colour == "#123456")
                #expect(control.status.stockDocument.shelves.first?.colour == "#123456")
            }
            for picture in ["🥝", "K"] {
                text.withLock { $0 = new.replacing("5, ", with: "5, \"picture\": \"\(picture)\", ") }
                try await withSuspended(reloadable(folder) { text.withLock { $0 } }) { control in
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

    /// - Parameter text: Reads the configuration, which the test edits.
    private func reloadable(_ folder: String, _ text: @escaping @Sendable () -> String) throws -> RunningStand {
        var options = try RunningStand.Options(
            text(), wiring: .notification, ledger: "\(folder)/ledger.jsonl", state: "\(folder)/state")
        options.reloading = { () throws(ConfigurationError) in try StandSettings(parsing: text()) }
        return try RunningStand(options)
    }
}
