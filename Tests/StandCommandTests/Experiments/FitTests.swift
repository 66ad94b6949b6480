import Foundation
import TestSupport
import Testing

/// `juicestand fit`, run as a user would.
@Suite(.serialized, .onItsOwnThread)
struct FitTests {
    /// Two weeks of orders, one every ten minutes from nine to five.
    private static let till: String = {
        var lines = ["Date,Time,Order,Item"]
        for order in 0..<14 * 48 {
            let day = order / 48 + 1
            let minute = order % 48 * 10 + order * 7 % 10
            let time = "\(9 + minute / 60 < 10 ? "0" : "")\(9 + minute / 60):\(minute % 60 / 10)\(minute % 10):07"
            lines.append("\(day < 10 ? "0" : "")\(day)/03/2026,\(time),\(order),\(order % 3 == 0 ? "Tea" : "Latte")")
        }
        return lines.joined(separator: "\n") + "\n"
    }()

    @Test func `a till becomes a configuration that the other commands accept, and a page`() async throws {
        try await Program.withTemporaryFolder { folder in
            try Self.till.write(to: folder.appending(path: "till.csv"), atomically: true, encoding: .utf8)
            let fit = try Program.run(
                "fit", "till.csv", "--write", "shop.json", "--report", "shop.html", "--format", "json", in: folder)
            #expect(fit.status == 0 && fit.diagnostics == "", "\(fit.diagnostics)")
            let json = try #require(try JSONSerialization.jsonObject(with: Data(fit.output.utf8)) as? [String: Any])
            #expect(json["schema"] as? String == "juicestand.fit/1")
            #expect(json["orders"] as? Int == 672 && json["days"] as? Int == 14)
            #expect(json["from"] as? String == "2026-03-01" && json["to"] as? String == "2026-03-14")
            #expect((json["columns"] as? [String: String])?["time"] == "Date+Time")
            let simulated = try Program.run("simulate", "--config", "shop.json", "--for", "1d", in: folder)
            #expect(simulated.status == 0 && simulated.diagnostics == "", "\(simulated.diagnostics)")
            let page = try String(contentsOf: folder.appending(path: "shop.html"), encoding: .utf8)
            #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("Is the stand like the shop?"))
        }
    }

    /// Commands that would write a file that they read.
    private static let overwriting = [
        "fit till.csv --write till.csv", "fit till.csv --write link.csv", "fit till.csv --report other.csv",
        "fit /dev/stdin --write till.csv", "fit till.csv --menu stand.json --write stand.json",
        "simulate --config stand.json --for 1m --output stand.json",
        "plan --config stand.json --minimize cost.total --over makers=1,2 --for 1m --write stand.json",
        "plan --config traced.json --minimize cost.total --over makers=1,2 --write trace.csv",
        "merge shard.json --output shard.json", "diff shard.json shard.json --report shard.json",
    ]

    /// Commands that would write two outputs to one file.
    private static let colliding = [
        "fit till.csv --write shop.json --report shop.json", "fit till.csv --write shop.json --report ./shop.json",
        "fit till.csv --write shop.json --report folder/../shop.json",
        "fit till.csv --write there.json --report link.json",
        "fit till.csv --write there.json --report other.json",
        "fit till.csv --write missing.json --report dangling.json",
        "fit till.csv --write shop.json --report behind/shop.json",
        "simulate --config stand.json --for 1m --output same.json --report same.json",
        "simulate --config stand.json --for 1m --output same.json --ledger same.json",
        "plan --config stand.json --minimize cost.total --over makers=1,2 --for 1m --write p.json --report p.json",
    ]

    @Test(arguments: overwriting + colliding)
    func `no command writes a file that it reads, or two outputs to one file`(line: String) async throws {
        try await Program.withTemporaryFolder { folder in
            let manager = FileManager.default
            func path(_ name: String) -> URL { folder.appending(path: name) }
            let trace = #"{"file": "trace.csv", "time": "t", "juice": "i", "unmapped": "cycle"}"#
            let files = [
                "till.csv": Self.till, "trace.csv": "t,i\n1,a\n2,b\n", "there.json": "{}",
                "traced.json": #"{"customers": {"arrivals": {"trace": \#(trace)}}}"#,
            ]
            for (name, text) in files { try text.write(to: path(name), atomically: true, encoding: .utf8) }
            try manager.copyItem(at: Program.root.appending(path: "config/stand.json"), to: path("stand.json"))
            try manager.createDirectory(at: path("folder"), withIntermediateDirectories: true)
            for (name, other) in ["link.csv": "till.csv", "link.json": "there.json", "dangling.json": "missing.json"] {
                try manager.createSymbolicLink(at: path(name), withDestinationURL: path(other))
            }
            try manager.createSymbolicLink(at: path("behind"), withDestinationURL: folder)
            try manager.linkItem(at: path("till.csv"), to: path("other.csv"))
            try manager.linkItem(at: path("there.json"), to: path("other.json"))
            if line.contains("shard.json") {
                let options = ["--for", "1m", "--replications", "2", "--output", "shard.json"]
                let shard = line.hasPrefix("merge") ? ["--shard", "1/1"] : []
                _ = try Program.start(["simulate"] + options + shard, in: folder).wait()
            }
            let names = try manager.contentsOfDirectory(atPath: folder.path).sorted()
            // nil for a folder, and for a link that leads nowhere.
            let before = names.map { try? Data(contentsOf: path($0)) }
            let redirected = line.contains("/dev/stdin") ? path("till.csv") : nil
            let ending = try Program.start(line.split(separator: " ").map(String.init), in: folder, input: redirected)
                .wait()
            #expect(ending.status == 73, "\(ending)")
            let reason =
                Self.overwriting.contains(line)
                ? " is an input of this command; write to another file\n"
                : ": is another output of this command, too; write to two files\n"
            #expect(ending.diagnostics.hasSuffix(reason), "\(ending)")
            #expect(try manager.contentsOfDirectory(atPath: folder.path).sorted() == names)
            #expect(names.map { try? Data(contentsOf: path($0)) } == before)
        }
    }

    @Test func `a till without dates is refused with its line`() async throws {
        try await Program.withTemporaryFolder { folder in
            try "item,price\nTea,3\n".write(to: folder.appending(path: "till.csv"), atomically: true, encoding: .utf8)
            let fit = try Program.run("fit", "till.csv", in: folder)
            #expect(fit.status == 65)
            #expect(
                fit.diagnostics
                    == "till.csv:1:1: expected a column with dates and times of day, found \"item\", \"price\"; "
                    + "name it with --time\n")
        }
    }
}
