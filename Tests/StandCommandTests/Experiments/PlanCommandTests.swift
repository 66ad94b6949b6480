import Foundation
import TestSupport
import Testing

/// `juicestand plan`, run as a user would.
@Suite(.serialized, .onItsOwnThread)
struct PlanCommandTests {
    private static let short = [
        "plan", "--for", "30m", "--minimize", "15*makers.onDuty.hours + 30*queue.hours", "--over", "makers=1..3",
        "--rarest", "10", "--max-replications", "40",
    ]

    @Test func `the best setting is written as a configuration`() async throws {
        try await Program.withTemporaryFolder { folder in
            let ending = try Program.start(
                Self.short + ["--within", "50%", "--write", "best.json", "--report", "best.html", "--format", "json"],
                in: folder
            ).wait()
            #expect(ending.status == 0, "\(ending.diagnostics)")
            let json = try #require(try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
            #expect(json["schema"] as? String == "juicestand.plan/1")
            #expect(json["settings"] as? Int == 3 && json["visited"] as? Int == 3)
            let best = try #require((json["best"] as? [String: Any])?["set"] as? [String: Int])
            let written =
                try JSONSerialization.jsonObject(
                    with: Data(contentsOf: folder.appending(path: "best.json"))) as? [String: Any]
            #expect(written?["makers"] as? Int == best["makers"])
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: "best.html").path))
            let checked = try Program.run("check-config", "best.json", in: folder)
            #expect(checked.status == 0)
        }
    }

    @Test func `without a setting that satisfies the constraints the exit status is 1`() throws {
        let ending = try Program.start(Self.short + ["--where", "customers.served > 1000000"]).wait()
        #expect(ending.status == 1)
        #expect(ending.output.hasPrefix("no setting satisfies the constraints; makers=3 comes nearest: "))
    }

    @Test func `a shift of a list can be varied`() throws {
        let shifts = ["--set", #"makers={"shifts": {"every": "5m", "makers": [1, 2, 1]}}"#]
        let range = ["--over", "makers.shifts.makers.2=1..2", "--within", "100%"]
        let plan = try Program.start(["plan", "--for", "30m", "--maximize", "customers.served"] + shifts + range).wait()
        #expect(plan.status == 0, "\(plan.diagnostics)")
        #expect(plan.output.contains("makers.shifts.makers.2=2"))
        let sweep = try Program.start(
            ["simulate", "--for", "30m", "--no-timing", "--format", "csv", "--vary", "makers.shifts.makers.2=1..2"]
                + shifts
        ).wait()
        #expect(sweep.output.contains("\n1,makers.onDuty.hours,") && sweep.output.contains("\n2,makers.onDuty.hours,"))
    }

    @Test func `if no combination is a valid stand, its error is shown`() throws {
        let ending = try Program.start(["plan", "--minimize", "queue.hours", "--over", "makers=-2..0"]).wait()
        #expect(ending.status == 78)
        #expect(ending.diagnostics.hasPrefix("juicestand: --over makers=-2: makers: must be at least 1"))
    }
}
