import Foundation
import JuiceStand
import Platform
import StandService
import StandState
import TestSupport
import Testing

/// Every version reads the states of the versions before it.
///
/// The folder `States` has one state of each schema with its ledger, never changed. A schema that changes gets another
/// folder beside them: `JUICESTAND_WRITE_STATE=1 swift test --filter StateSchemaTests` writes that of the present one. It
/// also writes how each of them ends, which a new fact changes.
@Suite(.timeLimit(.minutes(60)))
struct StateSchemaTests {
    private static let states = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "States")
    private static let schema = StateSnapshot.schema.split(separator: "/").joined(separator: "-")

    /// Fruit that spoils, cups that wait for fruit, customers who lose patience, shifts, and days that differ.
    private static let configuration = """
        {"seed": 5, "opens": "2026-05-04T00:00:00", "fruits": {
          "mango": {"initial": 30, "capacity": 60, "lowStock": 9, "shelfLife": "3h", "restock": {"orderUpTo":
            {"reorderPoint": 10, "level": 40, "leadTime": {"gamma": {"shape": 2, "mean": "20m"}}, "review": "30m"}}},
          "kiwi": {"initial": 12, "lowStock": 5, "restock": {"fixedQuantity": {"reorderPoint": 8, "quantity": 5,
            "leadTime": {"exponential": {"mean": "15m"}}}}}, "ice": {"initial": "unlimited"}},
         "menu": {"mango juice": {"recipe": {"mango": 2, "ice": 1}, "price": 4.5, "preparation": {"erlang":
            {"stages": 2, "mean": "3m"}}}, "kiwi juice": {"recipe": {"kiwi": 3}, "price": 3, "preparation": "4m"}},
         "makers": {"shifts": {"every": "2h", "makers": [1, 2, 3], "repeat": true}}, "queue": {"limit": 9},
         "customers": {"cups": {"geometric": {"mean": 1.5}}, "party": {"geometric": {"mean": 1.2}},
            "patience": {"exponential": {"mean": "25m"}}, "whenSoldOut": "wait", "arrivals": {"week": {"every": "8h",
            "perSecond": [0.004, 0.006, 0.008], "level": {"gamma": {"shape": 30, "mean": 1}},
            "followers": {"share": 0.2, "after": {"exponential": {"mean": "10m"}}}}}}}
        """

    /// A stand with its state and its ledger.
    private struct Kept {
        let folder: StateFolder
        var resumption: Resumption
        let logger: StandLogger
        let out: FactPublisher

        /// - Parameter path: The folder with the state and the ledger.
        init(_ path: String) throws {
            let settings = try StandConfiguration(Array(StateSchemaTests.configuration.utf8), source: "test").settings
            folder = try StateFolder("\(path)/state")
            resumption = try Resumption.resume(settings, folder, ledger: .init(path: "\(path)/ledger") { _ in })
            (logger, out) = try resumption.connected()
        }

        mutating func advance(toHour hour: Double) {
            resumption.stand.advance(to: SimulationTime(seconds: hour * 3600), out)
            logger.flush()
        }

        /// Journals a change and makes it.
        mutating func make(_ change: StandChange, key: String?, atHour hour: Double) throws {
            advance(toHour: hour)
            let time = SimulationTime(seconds: hour * 3600)
            let record = JournalRecord.change(number: resumption.cache.made + 1, at: time, making: change, key: key)
            let failure: FileError? = awaited { folder.record([record], isDurable: true, then: $0) }
            #expect(failure == nil)
            let result = resumption.cache.carryOut(change, key: key, in: &resumption.stand, at: time, out)
            #expect(throws: Never.self) { try result.get() }
        }

        /// What the ledger is once the stand has closed after a day.
        mutating func close(_ path: String) throws -> String {
            let end = SimulationTime(seconds: 24 * 3600)
            resumption.stand.advance(to: end, out)
            resumption.stand.close(at: end, out)
            logger.flush()
            folder.close()
            resumption.ledger?.unlock()
            let bytes = try readFile("\(path)/ledger")
            var fingerprint = Fingerprint()
            fingerprint.combine(bytes)
            return "\(bytes.count) \(fingerprint.text)\n"
        }

        func save() throws {
            let saved = StateSnapshot(resumption.stand, resumption.cache, nil, ledger: resumption.ledger)
            #expect(folder.save(saved, at: resumption.stand.now) == nil)
        }
    }

    @Test func `a state of every schema goes on to the byte`() throws {
        let isWriting = ProcessInfo.processInfo.environment["JUICESTAND_WRITE_STATE"] != nil
        if isWriting, try !Folder.names(in: Self.states.path).contains(Self.schema) { try Self.write() }
        let names = try Folder.names(in: Self.states.path).sorted()
        // At least that of the present schema.
        #expect(names.contains(Self.schema), "\(names)")
        for name in names {
            let folder = try TemporaryFolder()
            let state = Self.states.appending(path: name)
            let end = try String(contentsOf: state.appending(path: "end"), encoding: .utf8)
            for part in ["state", "ledger"] {
                try FileManager.default.copyItem(
                    atPath: state.appending(path: part).path, toPath: "\(folder.path)/\(part)")
            }
            var kept = try Kept(folder.path)
            #expect(kept.resumption.warnings == [], "\(name)")
            let found = try kept.close(folder.path)
            if isWriting {
                try found.write(to: state.appending(path: "end"), atomically: true, encoding: .utf8)
            } else {
                #expect(
                    found == end, "\(name). JUICESTAND_WRITE_STATE=1 swift test --filter StateSchemaTests writes it.")
            }
        }
    }

    /// Writes the state of the present schema: a stand that went down three hours after its second snapshot.
    private static func write() throws {
        let folder = try TemporaryFolder()
        let target = states.appending(path: schema)
        var kept = try Kept(folder.path)
        kept.resumption.stand.open(kept.out)
        try kept.make(.order(juice: "mango juice", cups: 3), key: "order", atHour: 1)
        try kept.make(.stock([.init(fruit: "kiwi", pieces: 9)], ifTag: 0), key: "stock", atHour: 1.5)
        kept.advance(toHour: 2)
        try kept.save()
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        // The lines after the snapshot were lost.
        try FileManager.default.copyItem(
            atPath: "\(folder.path)/ledger", toPath: target.appending(path: "ledger").path)
        try kept.make(.rate(1.5), key: nil, atHour: 3)
        try kept.make(.order(juice: "kiwi juice", cups: 2), key: "later", atHour: 4)
        try FileManager.default.createDirectory(
            at: target.appending(path: "state"), withIntermediateDirectories: true)
        for name in try Folder.names(in: "\(folder.path)/state") where name != "lock" {
            try FileManager.default.copyItem(
                atPath: "\(folder.path)/state/\(name)", toPath: target.appending(path: "state/\(name)").path)
        }
        let end = try kept.close(folder.path)
        try end.write(to: target.appending(path: "end"), atomically: true, encoding: .utf8)
    }
}
