import Foundation
import StandService
import TestSupport
import Testing

/// The command line in Korean.
@Suite(.timeLimit(.minutes(60)))
struct KoreanTests {
    private static func run(_ arguments: [String], language: String = "ko") throws -> Program.Ending {
        let variables = ["JUICESTAND_LANGUAGE": language, "LC_ALL": "C.UTF-8"]
        return try Program.start(arguments, variables: variables).wait()
    }

    /// Words in Latin letters that are no names or units.
    private static func english(_ text: String) -> [String] {
        let known: Set = ["corner", "juicestand", "kiwi", "juice", "banana", "mango", "pineapple", "strawberry"]
        return text.replacing(/\/\S+/, with: "").matches(of: /[A-Za-z]{2,}/).map { String($0.output) }
            .filter { !known.contains($0) }
    }

    @Test(arguments: [
        ["help"], ["order", "--help"], ["help", "keys"], ["statsu"], ["order", "--foo"], ["stop", "now"],
        ["menu", "show", "딸기"], ["status", "--socket", "/no"], ["check-config", "/none.json"],
        ["check-config", "--set", "makers=0.5"], ["simulate", "--for", "1h", "--no-timing", "--expect", "served<0"],
        ["plan", "--minimize", "makers.onDuty.hours", "--over", "makers=1..2", "--for", "1h"],
        ["fit", "config/bakery-sample.csv"], ["compare", "--list"],
    ])
    func `help, errors and reports are the same in every language`(arguments: [String]) throws {
        let endings = try ["ko", "en"].map { try Self.run(arguments, language: $0) }
        #expect(endings[0].output == endings[1].output && endings[0].diagnostics == endings[1].diagnostics)
        #expect(endings[0].status == endings[1].status && !(endings[0].output + endings[0].diagnostics).isEmpty)
    }

    @Test func `menu has no English but names, and the same JSON`() throws {
        let detail = try Self.run(["menu", "show", "키위쥬스", "--having", "키위=2"]).output
        #expect(Self.english(detail) == [], "\(detail)")
        #expect(detail.contains("✗ 키위 3개, 재고 2개, 1개 부족") && detail.contains("한 잔에 평균 40초"))
        let json = try ["ko", "en"].map { try Self.run(["menu", "--format", "json"], language: $0).output }
        #expect(json[0] == json[1])
    }

    @Test func `a running stand answers in Korean`() async throws {
        try await Program.withTemporaryFolder { folder in
            let socket = folder.appending(path: "socket").path
            let variables = ["JUICESTAND_LANGUAGE": "ko", "LC_ALL": "C.UTF-8"]
            let running = try Program.start(
                ["run", "--display", "none", "--speed", "1000", "--listen", "off", "--socket", socket],
                variables: variables)
            try running.waitForStand(at: socket)
            func ask(_ arguments: String...) throws -> Program.Ending {
                try Self.run(arguments + ["--socket", socket])
            }
            let commands = [try ask("status"), try ask("stock"), try ask("restock", "kiwi=5")]
            for ending in commands {
                let text = ending.output.replacing(socket, with: "")
                #expect(ending.status == 0 && text.contains(/[가-힣]/) && Self.english(text) == [], "\(ending)")
            }
            #expect(try ask("order", "키위쥬스", "1", "--wait").output == "Kiwi juice 나왔습니다! 맛있게 드세요!\n")
            let status = try ask("status", "--format", "json").output
            #expect(status.contains(#""phase":"open""#) && !status.contains(/[가-힣]/))
            #expect(try ask("stop").output.hasPrefix("Closed at "))
            let ending = try running.wait()
            #expect(ending.status == 0 && !ending.output.contains(/[가-힣]/), "\(ending.output)")
        }
    }
}
