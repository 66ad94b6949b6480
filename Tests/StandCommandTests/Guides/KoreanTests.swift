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
        let known: Set = ["corner", "stand", "juicestand"]
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

    @Test func `menu has no English, and the same JSON`() throws {
        for arguments in [["menu"], ["menu", "recommend"], ["menu", "similar", "망고주스"]] {
            let text = try Self.run(arguments).output
            #expect(text.contains("망키쥬스") && Self.english(text) == [], "\(text)")
        }
        let detail = try Self.run(["menu", "show", "키위쥬스", "--having", "키위=2"]).output
        #expect(Self.english(detail) == [], "\(detail)")
        #expect(detail.contains("✗ 키위 3개, 재고 2개, 1개 부족") && detail.contains("한 잔에 평균 40초"))
        let json = try ["ko", "en"].map { try Self.run(["menu", "--format", "json"], language: $0).output }
        #expect(json[0] == json[1])
    }

    @Test func `a running stand answers in Korean`() async throws {
        try await Program.withTemporaryFolder { folder in
            let socket = folder.appending(path: "socket").path
            let file = folder.appending(path: "stand.json")
            // Only the customers that the test sends come.
            let arrivals = #"{"customers": {"arrivals": {"renewal": "1000d"}}}"#
            try Data(arrivals.utf8).write(to: file)
            let variables = ["JUICESTAND_LANGUAGE": "ko", "LC_ALL": "C.UTF-8"]
            let running = try Program.start(
                [
                    "run", "--config", file.path, "--display", "none", "--speed", "1000", "--listen", "off", "--socket",
                    socket,
                ], variables: variables)
            try running.waitForStand(at: socket)
            func said(_ arguments: String...) throws -> String {
                let ending = try Self.run(arguments + ["--socket", socket])
                return ending.output + ending.diagnostics
            }
            #expect(try said("order", "바나나주스").hasPrefix("바나나쥬스 주문을 받았습니다. 맛있게 드세요! (주문 1: 만드는 중)"))
            #expect(try said("order", "키위쥬스", "1", "--wait") == "키위쥬스 나왔습니다! 맛있게 드세요!\n")
            #expect(
                try said("order", "딸기주스")
                    == "재료가 모자랍니다: 딸기가 6개 더 필요합니다.\n대신 주문할 수 있는 쥬스: 딸바쥬스, 바나나쥬스, 키위쥬스, 파인애플쥬스, 망고쥬스, 망키쥬스\n")
            #expect(try said("restock", "바나나=5", "kiwi=1") == "바나나 13개\n키위 8개\n수정 번호 1\n")
            #expect(try said("adjust", "딸기=-2") == "딸기 8개\n수정 번호 2\n")
            #expect(try said("adjust", "키위=-50") == "juicestand: 키위가 42개 모자랍니다\n")
            #expect(try said("restock", "망고=1", "--if-tag", "1") == "juicestand: 그동안 재고가 수정되었습니다. 지금의 수정 번호는 2입니다\n")
            // What is typed wrong is explained in English, as everywhere.
            #expect(try said("restock", "키우=1") == "juicestand: unknown fruit \"키우\"; did you mean \"키위\"?\n")
            for command in ["status", "stock"] {
                let text = try said(command).replacing(socket, with: "")
                #expect(text.contains(/[가-힣]/) && Self.english(text) == [], "\(text)")
            }
            let status = try said("status", "--format", "json")
            #expect(status.contains(#""phase":"open""#) && !status.contains(/[가-힣]/))
            #expect(try said("stop").hasPrefix("Closed at "))
            let ending = try running.wait()
            #expect(ending.status == 0 && !ending.output.contains(/[가-힣]/), "\(ending.output)")
        }
    }
}
