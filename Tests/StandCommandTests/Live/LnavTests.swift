import Foundation
import Platform
import TestSupport
import Testing

/// Reads ledgers and logs with lnav and the files `config/juicestand.lnav.*`.
@Suite(.timeLimit(.minutes(60)))
struct LnavTests {
    private static let lnav: String? = ["/usr/bin/lnav", "/usr/local/bin/lnav", "/opt/homebrew/bin/lnav"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// The rows of a query about `file`, without the header.
    private static func rows(_ query: String, of file: URL, in folder: URL) throws -> [[String]] {
        let formats = folder.appending(path: "lnav/formats/juicestand")
        try FileManager.default.createDirectory(at: formats, withIntermediateDirectories: true)
        for name in ["juicestand.lnav.json", "juicestand.lnav.sql"] {
            let copy = formats.appending(path: name)
            guard !FileManager.default.fileExists(atPath: copy.path) else { continue }
            try FileManager.default.copyItem(at: Program.root.appending(path: "config/\(name)"), to: copy)
        }
        let arguments = [
            "-n", "-I", folder.appending(path: "lnav").path, "-c", ";\(query)", "-c", ":write-csv-to -", file.path,
        ]
        let ending = try Program.start(
            arguments, by: URL(filePath: try #require(lnav)), variables: ["HOME": folder.path, "TERM": "dumb"],
            input: URL(filePath: "/dev/null")
        ).wait()
        return ending.output.split(separator: "\n").dropFirst().map { $0.split(separator: ",").map(String.init) }
    }

    /// The number of lines and the last time of each level, as lnav reads them.
    private static func levels(_ file: URL, in folder: URL) throws -> [String: (count: Int, last: String)] {
        let query =
            "SELECT log_format, log_level, count(*) AS n, max(log_time) AS last FROM all_logs GROUP BY log_level"
        var levels: [String: (Int, String)] = [:]
        for fields in try rows(query, of: file, in: folder) {
            #expect(fields.count == 4 && fields[0].hasPrefix("juicestand_"), "\(fields)")
            levels[fields[1]] = (Int(fields[2]) ?? 0, fields[3])
        }
        return levels
    }

    private static func count(_ event: String, _ file: URL) throws -> Int {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count {
            $0.contains("\"event\":\"\(event)\"")
        }
    }

    @Test(.enabled(if: lnav != nil, "lnav is not installed"))
    func `lnav reads time, level and event of every ledger line, and has a view of stock over time`() async throws {
        try await StandChain.with { chain in
            let ledger = chain.folder.appending(path: "ledger.jsonl")
            #expect(try Program.run("simulate", "--for", "4h", "--ledger", ledger.path).status == 0)
            let lines = try String(contentsOf: ledger, encoding: .utf8).split(separator: "\n")
            let levels = try Self.levels(ledger, in: chain.folder)
            #expect(try levels["warning"]?.count == Self.count("lowStock", ledger))
            #expect(try levels["error"]?.count == Self.count("orderLost", ledger))
            #expect(
                try levels["debug"]?.count
                    == Self.count("stockChanged", ledger) + Self.count("orderStarted", ledger))
            // `closed` is the last line; stand time counts from 1970.
            #expect(levels["info"]?.last == "1970-01-01 04:00:00.000")
            #expect(levels.values.reduce(0) { $0 + $1.count } == lines.count)

            let query = "select event, count(*) from juicestand_ledger group by event"
            let counts = try Self.rows(query, of: ledger, in: chain.folder)
            #expect(counts.count > 5)
            for row in counts { #expect(try Int(row[1]) == Self.count(row[0], ledger), "\(row)") }

            let stock = "SELECT at, fruit, pieces, change, cause, order_number FROM juicestand_stock"
            let rows = try Self.rows(stock, of: ledger, in: chain.folder)
            let opening = rows.filter { $0[4] == "opening" }
            #expect(opening.count == 5)
            #expect(try rows.count - opening.count == Self.count("stockChanged", ledger))
            // Opening levels and changes add up to every level, and the last is what the ledger closes with.
            var pieces: [String: Int] = [:]
            for row in rows {
                let level = try #require(Int(row[2]))
                if let change = Int(row[3]) { #expect(pieces[row[1]] == level - change, "\(row)") }
                pieces[row[1]] = level
                #expect((row[4] == "order") == (Int(row[5]) != nil) || row[4] == "return", "\(row)")
            }
            let closed = try #require(lines.last)
            #expect(pieces.count == 5)
            for (fruit, level) in pieces { #expect(closed.contains("\"\(fruit)\":\(level)"), "\(closed)") }
        }
    }

    /// lnav takes a time of 0 for none, so the first second of a stand is where it could lose lines.
    @Test(
        .enabled(if: lnav != nil, "lnav is not installed"),
        arguments: ["1970-01-01T00:00:00", "2052-12-31T23:59:59"], ["2s", "2d"])
    func `lnav reads every line of a busy stand, whatever its date and names`(opens: String, length: String)
        async throws
    {
        try await StandChain.with { chain in
            let configuration = chain.folder.appending(path: "stand.json")
            try #"""
            { "opens": "\#(opens)",
              "customers": { "arrivals": { "renewal": { "empirical": { "values": [0.1, 3600], "weights": [9, 1] } } } },
              "fruits": { "a \"b\\": { "initial": 40 } }, "menu": { "딸기, {j}": { "recipe": { "a \"b\\": 1 } } } }
            """#.write(to: configuration, atomically: true, encoding: .utf8)
            let ledger = chain.folder.appending(path: "ledger.jsonl")
            let ending = try Program.run(
                "simulate", "--config", configuration.path, "--for", length, "--ledger", ledger.path)
            #expect(ending.status == 0)
            let lines = try String(contentsOf: ledger, encoding: .utf8).split(separator: "\n")
            #expect(lines.count { $0.contains("\"at\":0.") } > 2)
            let query = "select count(*), min(seq), max(seq), count(distinct fruit) from juicestand_ledger"
            #expect(
                try Self.rows(query, of: ledger, in: chain.folder) == [["\(lines.count)", "1", "\(lines.count)", "1"]])
        }
    }

    @Test(.enabled(if: lnav != nil, "lnav is not installed"))
    func `lnav reads time and level of every log line of run`() async throws {
        try await StandChain.with { chain in
            let ending = try Program.run(
                "run", "--for", "4h", "--speed", "20000", "--display", "text", "--format", "json", "--listen", "off",
                "--socket", chain.path("socket"))
            let log = chain.folder.appending(path: "log.jsonl")
            try ending.output.write(to: log, atomically: true, encoding: .utf8)
            let levels = try Self.levels(log, in: chain.folder)
            let lines = ending.output.split(separator: "\n")
            #expect(try levels["warning"]?.count == Self.count("lowStock", log))
            #expect(levels["info"]?.count == lines.count - (levels["warning"]?.count ?? 0))
            let last = try #require(lines.last?.firstMatch(of: #/"time":"([^"Z]+)Z"/#)?.1)
            #expect(levels["info"]?.last == last.replacingOccurrences(of: "T", with: " "))
            let placed = "select count(*) from juicestand_log where event = 'orderPlaced'"
            #expect(try Self.rows(placed, of: log, in: chain.folder) == [["\(Self.count("orderPlaced", log))"]])
        }
    }
}
