import JuiceStand
import StandExperiments
import Terms
import TestSupport
import Testing
import TextFormats

/// The results of several stands together.
struct ChainResultTests {
    /// A result with these means and half-widths of the metrics.
    private static func result(
        _ stand: String, seed: Int = 1, horizon: Double = 3600, replications: Int = 10, runs: Int = 1,
        served: (Double, Double?) = (100, 3), wait: Double = 30
    ) -> (name: String, bytes: [UInt8]) {
        func estimate(_ mean: Double, _ halfWidth: Double?) -> JSONValue {
            [
                "mean": .number(mean), "halfWidth": .orNull(halfWidth), "confidence": .number(0.95),
                "n": .whole(replications),
            ]
        }
        let run: JSONValue = [
            "set": .object([]),
            "metrics": ["customers.served": estimate(served.0, served.1), "wait.mean": estimate(wait, 1)],
        ]
        let json: JSONValue = [
            "schema": "juicestand.simulation/1", "seed": .whole(seed), "replications": .whole(replications),
            "horizon": .number(horizon), "warmUp": 0, "config": ["stand": .string(stand), "currency": "EUR"],
            "runs": .array(Array(repeating: run, count: runs)),
        ]
        return ("\(stand).json", Array(json.compact().utf8))
    }

    @Test func `counts are summed, with the interval of independent stands, and waits are not`() throws {
        let files = [Self.result("north", seed: 2, served: (200, 4)), Self.result("corner", served: (100, 3))]
        let chain = try ChainResult(files)
        #expect(chain.stands.map(\.stand) == ["corner", "north"])
        #expect(chain.sums.map(\.name) == ["customers.served"])
        #expect(chain.sums[0].mean == 300)
        // Errors 3/t₉ and 4/t₉: their squares add, and Welch and Satterthwaite give 9·25²/(9² + 16²) = 16 degrees.
        let t = { StudentT.halfWidth(confidence: 0.95, degrees: $0) }
        #expect(abs((chain.sums[0].halfWidth ?? 0) - 5 / t(9) * t(16)) < 1e-9)
        #expect(chain.note == nil)
        #expect(chain.text(.english).contains(#/\n  sum +300 *\n/#), "\(chain.text(.english))")
        #expect(chain.json["sum"]?["customers.served"]?["mean"]?.seconds == 300)
        #expect(chain.json["sum"]?["wait.mean"] == nil)
        #expect(chain.json["stands"]?.elements[0]["metrics"]?["wait.mean"]?["mean"]?.seconds == 30)
    }

    @Test func `stands with the same seed or one replication have sums without intervals`() throws {
        let alike = try ChainResult([Self.result("corner"), Self.result("north")])
        #expect(alike.sums[0].mean == 200 && alike.sums[0].halfWidth == nil)
        #expect(alike.note?.description.contains(#""corner" and "north" have the same seed"#) == true)
        let single = try ChainResult([
            Self.result("corner", replications: 1, served: (1, nil)),
            Self.result("north", seed: 2, replications: 1, served: (2, 1)),
        ])
        #expect(single.sums[0].mean == 3 && single.sums[0].halfWidth == nil)
    }

    private static let misfits: [(other: (name: String, bytes: [UInt8]), message: String)] = [
        (result("corner", seed: 2), #"corner.json: is of the stand "corner", and so is corner.json"#),
        (result("north", seed: 2, horizon: 60), "north.json: is of another time than corner.json"),
        (result("north", seed: 2, runs: 2), "north.json: has 2 settings"),
        (("bad.json", Array("{".utf8)), "bad.json:1:2: "),
    ]

    @Test(arguments: misfits.indices)
    func `what does not fit together is named`(index: Int) throws {
        let (other, message) = Self.misfits[index]
        let error = try #require(throws: ResultFileError.self) { try ChainResult([Self.result("corner"), other]) }
        #expect(error.problems.first?.description.hasPrefix(message) == true, "\(error.problems)")
    }
}
