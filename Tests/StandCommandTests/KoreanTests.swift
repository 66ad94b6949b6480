import Foundation
import JuiceStand
import StandService
import Terms
import TestSupport
import Testing
import TextFormats

/// The command line in Korean.
@Suite(.timeLimit(.minutes(60)))
struct KoreanTests {
    private static func run(_ arguments: [String], language: String = "ko") throws -> Program.Ending {
        let variables = ["JUICESTAND_LANGUAGE": language, "LC_ALL": "C.UTF-8"]
        return try Program.start(arguments, variables: variables).wait()
    }

    /// Words in Latin letters that are no names, units or what is typed.
    private static func english(_ text: String) -> [String] {
        let known: Set = [
            "corner", "juicestand", "kiwi", "juice", "EUR", "ms", "http", "verbose", "format", "json", "JSON", "Lines",
        ]
        return text.matches(of: /[A-Za-z]{2,}/).map { String($0.output) }.filter { !known.contains($0) }
    }

    @Test func `the first screen of help is Korean and fits a terminal`() throws {
        let help = try Self.run(["help"])
        let lines = help.output.split(separator: "\n")
        #expect(help.status == 0 && lines.count < 24)
        for line in lines { #expect(TextWidth.columns(of: String(line)) <= 80, "\(line)") }
        for term in Term.all where term.key.hasPrefix("group.") || term.key.hasPrefix("commands.") {
            #expect(help.output.contains(term.korean), "\(term)")
        }
        let usage = try Self.run([])
        #expect(usage.status == 64 && usage.diagnostics == help.output)
    }

    @Test func `every command has its line in Korean`() throws {
        let summaries = Term.all.filter { $0.key.hasPrefix("command.") }
        #expect(summaries.count > 25)
        for term in summaries {
            let name = String(term.key.dropFirst("command.".count))
            let help = try Self.run([name, "--help"])
            #expect(help.status == 0)
            let first = help.output.prefix { $0 != "\n" }
            #expect(first.hasPrefix("juicestand \(name)") && help.output.contains("옵션:"), "\(help)")
            let text = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(text.contains(term.korean), "\(name): \(text.prefix(200))")
        }
    }

    @Test(arguments: [
        (["statsu"], 64, "알 수 없는 명령입니다: \"statsu\". 혹시 \"status\"입니까? (목록: juicestand help)"),
        (["order", "--foo"], 64, "알 수 없는 옵션입니다: --foo. 참고: juicestand order --help"),
        (["run", "--sped", "2"], 64, "알 수 없는 옵션입니다: --sped. 혹시 --speed입니까?"),
        (["stop", "--key"], 64, "--key 옵션에는 값이 필요합니다: --key KEY"),
        (["stop", "now"], 64, "필요 없는 인자입니다: \"now\". 참고: juicestand stop --help"),
        (["menu", "show", "딸기"], 64, "그런 쥬스가 없습니다: \"딸기\". 혹시 \"딸기쥬스\"입니까? (목록: juicestand menu)"),
        (["status", "--socket", "/no"], 69, "/no에서 운영 중인 가게가 없습니다. juicestand run으로 열 수 있습니다"),
    ])
    func `what people do wrong most is explained in Korean`(arguments: [String], status: Int32, text: String) throws {
        let ending = try Self.run(arguments)
        #expect(ending.status == status && ending.diagnostics == "juicestand: \(text)\n", "\(ending)")
    }

    @Test func `menu has no English but names, and the same JSON`() throws {
        let detail = try Self.run(["menu", "show", "키위쥬스", "--having", "키위=2"]).output
        #expect(Self.english(detail) == [], "\(detail)")
        #expect(detail.contains("✗ 키위 3개, 재고 2개, 1개 부족") && detail.contains("한 잔에 평균 40초"))
        let json = try ["ko", "en"].map { try Self.run(["menu", "--format", "json"], language: $0).output }
        #expect(json[0] == json[1])
    }

    @Test func `a running stand answers in Korean, and its summary is Korean`() async throws {
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
            let commands = [
                try ask("status"), try ask("stock"), try ask("pause"), try ask("pause"), try ask("resume"),
                try ask("rate", "2"),
            ]
            for ending in commands {
                let text = ending.output.replacing(socket, with: "")
                #expect(ending.status == 0 && text.contains(/[가-힣]/) && Self.english(text) == [], "\(ending)")
            }
            #expect(try ask("order", "키위쥬스", "1", "--wait").output == "Kiwi juice 나왔습니다! 맛있게 드세요!\n")
            let status = try ask("status", "--format", "json").output
            #expect(status.contains(#""phase":"open""#) && !status.contains(/[가-힣]/))
            #expect(try ask("stop").output.contains("에 영업을 마쳤습니다."))
            let ending = try running.wait()
            let summary = ending.output.drop { !$0.isNewline }
            #expect(ending.status == 0 && summary.contains("모든 지표:"))
            #expect(Self.english(String(summary)) == [], "\(summary)")
        }
    }
}
