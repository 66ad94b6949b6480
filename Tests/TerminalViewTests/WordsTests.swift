import JuiceStand
import StandClient
import TerminalView
import Terms
import TestSupport
import Testing
import TextFormats

/// The phrases of the live display in its two languages.
@Suite(.timeLimit(.minutes(60)))
struct WordsTests {
    private static func blanks(_ text: String) -> Set<String> {
        Set(text.matches(of: /\{[a-z0-9]+\}/.ignoresCase()).map { String($0.output) })
    }

    /// Terms that are only names and numbers in every language.
    private static let wordless: Set<String> = ["event.stockChanged", "piecesOf", "levelNow"]
    /// What a problem document has for its sentence.
    private static let members: Set<String> = ["{fruit}", "{missing}", "{by}", "{editTag}"]

    @Test func `a term has both languages and the same blanks in them`() {
        #expect(Set(Term.all.map(\.key)).count == Term.all.count)
        for term in Term.all {
            // In English some are the stand's own sentence.
            let isOwn = term.english == "{detail}"
            #expect(!isOwn || Self.blanks(term.korean).isSubset(of: Self.members), "\(term)")
            for form in term.english.split(separator: "|") where !isOwn {
                // The number may be missing where its form says it.
                let number: Set = ["{1}", "{open}"]
                #expect(
                    Self.blanks(String(form)).union(number) == Self.blanks(term.korean).union(number), "\(term)")
            }
            #expect(!term.korean.contains("|"))
            guard !Self.wordless.contains(term.key), term.key != "other" else { continue }
            #expect(term.english.contains(/[a-zA-Z]/) && !term.english.contains(/[가-힣]/), "\(term)")
            #expect(term.korean.contains(/[가-힣]/), "\(term) has no Korean")
        }
    }

    @Test func `a Korean text has no English words but names and what is typed`() {
        let names: Set = [
            "JSON", "Lines", "CSV", "Esc", "Enter", "Shift", "g", "G", "p", "metrics", "juicestand", "run", "restock",
            "resume", "socket", "PATH",
        ]
        for term in Term.all where term.key != "other" {
            let text = term.korean.replacing(/\{\w+\}/, with: "")
            let english = text.matches(of: /[A-Za-z]+/).map { String($0.output) }.filter { !names.contains($0) }
            #expect(english == [], "\(term)")
            // A counter follows its number, and a particle its noun, without a blank.
            #expect(!term.korean.contains(/\} (?:개|잔(?! 수)|명|건|번|곳|줄|가지|\{[가-힣])/), "\(term)")
        }
    }

    @Test(arguments: [
        ("귤", "귤이 3개 모자랍니다"), ("키위", "키위가 3개 모자랍니다"), ("durian", "durian이(가) 3개 모자랍니다"),
    ])
    func `a particle has the form that follows the name`(fruit: String, sentence: String) {
        let problem = ProblemDocument(.notEnoughFruit, "").with(\.fruit, fruit).with(\.by, 3)
        #expect(Words(language: "ko").problem(problem) { $0 } == sentence)
    }

    @Test(arguments: [("3", "3으로"), ("2", "2로"), ("8", "8로"), ("10", "10으로"), ("서울", "서울로"), ("섬", "섬으로")])
    func `the particle of direction has the same form after a vowel and after ㄹ`(value: String, end: String) {
        let sentence = Words(language: "ko").text("event.configurationChanged") { $0 == "to" ? value : "x" }
        #expect(sentence.hasSuffix(" \(end)"), "\(sentence)")
    }

    @Test(arguments: [("1", "1 order unfinished"), ("0", "0 orders unfinished"), ("12", "12 orders unfinished")])
    func `a sentence has the form for one or for many`(count: String, end: String) {
        let sentence = Words.english.text("event.closed") { $0 == "open" ? count : nil }
        #expect(sentence == "the stand closes, \(end)")
    }

    @Test func `a fruit has its usual Korean name unless the configuration has another`() {
        let words = Words(language: "ko")
        #expect(words.name("apple") == "사과" && words.name("Kiwi", ["ko": "참다래"]) == "참다래")
        #expect(words.name("durian") == "durian" && Words.english.name("apple", ["ko": "사과"]) == "apple")
    }

    @Test func `every text that the program looks up is in the list`() {
        let keys = Set(Term.all.map(\.key))
        for reason in LossReason.allCases { #expect(Words.english(reason) == reason.inWords) }
        let dynamic =
            FactKind.allCases.map { "event.\($0.name)" } + LossReason.allCases.map { "reason.\($0.name)" }
            + StockCause.allCases.map { "cause.\($0)" }
        #expect(Set(Phrase.allCases.map(\.rawValue) + dynamic).subtracting(keys) == [])
        let others = Term.all.filter { !$0.isOnPage && !$0.key.contains(".") }.map(\.key)
        #expect(Set(others).subtracting(Phrase.allCases.map(\.rawValue)) == [], "nothing says these")
    }

    @Test func `a thing has one name in each language`() {
        // These are a state and something to do: a stand that is open, and to open; one that is live, and to see it live.
        let ambiguous: Set = ["open", "live"]
        let short = Term.all.filter {
            $0.english.split(separator: " ").count < 4 && !$0.english.replacing(/\{\w+\} ?/, with: "").isEmpty
        }
        for (english, same) in Dictionary(grouping: short, by: { $0.english.lowercased() })
        where !ambiguous.contains(english) {
            #expect(Set(same.map(\.korean)).count == 1, "\(same)")
        }
        // Other words for a stand, an event, a ledger and a program.
        for term in Term.all { #expect(!term.korean.contains(/스탠드|매장|사건|원장/), "\(term)") }
    }

    @Test func `Korean sentences all end in one style`() {
        // The mission gives this sentence. `-세요` and `-ㄹ까요` ask in either style.
        for term in Term.all where term.key != "shortage" {
            #expect(!term.korean.contains(/[^세까필중]요(?![가-힣])/), "\(term)")
        }
    }

    // MARK: - Korean screens

    /// What stays as it is: the stand's name, keys, programs and paths.
    private static let known: Set<String> = [
        "corner", "PgUp", "PgDn", "Tab", "Esc", "Enter", "Ctrl", "Shift", "space", "metrics", "http", "token",
        "localhost", "makers",
    ]

    private static func english(_ lines: [StyledText]) -> [String] {
        lines.flatMap { $0.text.matches(of: /[A-Za-z]{2,}/).map { String($0.output) } }.filter { !known.contains($0) }
    }

    /// Sizes from small to large.
    private static let sizes = [(80, 24), (160, 50), (40, 10)].map { TerminalScreen.Size(columns: $0, rows: $1) }

    private static func check(_ display: LiveDisplay, _ what: String) {
        for size in sizes {
            let lines = display.lines(size)
            #expect(english(lines) == [], "\(what): \(lines.map(\.text))")
            for line in lines { #expect(TextWidth.columns(of: line.text) <= size.columns, "\(what): \(line.text)") }
        }
    }

    private static func korean(until hours: Double = 3.3) throws -> LiveDisplay {
        try LiveDisplayTests.followed(
            StandView(language: "ko", link: "http://localhost/#token=1", ending: .closes), until: hours)
    }

    @Test func `no English is left on a Korean screen, whatever is pressed`() throws {
        var display = try Self.korean()
        Self.check(display, "the stand")
        let keys = [
            "?", "x", "/", "\u{15}\r", "o", "99\r", "\u{15}1 x\r", "\u{15}1 2\r", "n", "r", "2\r", "\u{15}2 5\r", "y",
            "t", "1 1\r", "y", "s", "n", "q", "n",
            ">", ">", ">", "\t", "\u{1b}[A", "\t", "\u{1b}[A", "\t", "\u{1b}[B", "p", "/없음\r", "/\u{15}주문\r",
            "\u{1b}[5~", "p", "+", "}",
        ]
        for key in keys {
            _ = LiveDisplayTests.press(key, &display)
            Self.check(display, "after \(key.debugDescription)")
        }
    }

    @Test func `every answer to a request is Korean`() throws {
        var display = try Self.korean(until: 0.2)
        let problems = (ProblemType.allCases.map(\.uri) + ["urn:juicestand:problem:another"]).map { type in
            ProblemDocument(.closed, "in English").with(\.type, type).with(\.fruit, "kiwi").with(\.by, 3)
                .with(\.missing, 2)
        }
        let refusals: [LiveRefusal?] =
            [nil, .noAnswer("connection refused")]
            + problems.map { .problem($0) }
        let wishes: [LiveWish] = [
            .order(juice: "kiwi juice", cups: 2), .restock(fruit: "kiwi", pieces: 5),
            .restock(fruit: "kiwi", pieces: -5),
            .rate(2), .speed(60), .pause, .resume, .look(3),
        ]
        for wish in wishes {
            for refusal in refusals {
                display.tell(wish, refusal)
                Self.check(display, "\(wish), \(refusal.map { "\($0)" } ?? "done")")
            }
        }
    }

    /// Lines of one kind on the second day at 09:01:01, each for another cause and reason.
    private static func lines(of kind: FactKind) -> [StandNews] {
        let fields =
            #""order":3,"juice":"kiwi juice","wished":"mango juice","cups":2,"by":"command","wait":75,"stay":7300,"fruit":"kiwi","#
            + #""from":5,"to":3,"level":3,"threshold":4,"pieces":9,"refused":2,"factor":2,"key":"makers","open":1"#
        let causes = [
            ("order", "queueFull"), ("return", "soldOut"), ("delivery", "ranOutOfPatience"), ("edit", "notOnMenu"),
            ("spoilage", "soldOut"),
        ]
        return causes.enumerated().map { index, extra in
            let (cause, reason) = extra
            let start = "{\"seq\":\(90_001 + kind.rawValue * causes.count + index),\"at\":90061.000000000"
            return .line(
                start + ",\"event\":\"\(kind.name)\",\(fields),\"cause\":\"\(cause)\",\"reason\":\"\(reason)\"}")
        }
    }

    @Test(arguments: FactKind.allCases)
    func `an event's line has the same numbers in both languages, and no English in Korean`(kind: FactKind) throws {
        let lines = try [nil, "ko"].map { language in
            var display = try LiveDisplayTests.followed(StandView(language: language), until: 0.2)
            for line in Self.lines(of: kind) { display.take(line) }
            _ = display.frame(at: 1e6, size: .init())
            return display.lines(.init(columns: 120, rows: 60)).filter { $0.text.contains("2 09:01:01") }
        }
        #expect(lines[0].count >= 5)
        let numbers = lines.map { $0.map { $0.text.matches(of: /[0-9]+/).map { String($0.output) }.sorted() } }
        #expect(numbers[0] == numbers[1], "\(lines.map { $0.map(\.text) })")
        #expect(Self.english(lines[1]) == [])
    }

    @Test func `every state of the stand is Korean`() throws {
        var display = try Self.korean(until: 0.2)
        for phase in ["open", "paused", "closed"] {
            display.take(
                .status([
                    "stand": "corner", "phase": .string(phase), "sequence": 1, "time": 90_061, "speed": 60, "rate": 2,
                    "ready": false, "causes": ["ledger: disk full"], "makers": 3, "busyMakers": 1, "places": 4,
                    "lost": ["queueFull": 1, "soldOut": 1, "ranOutOfPatience": 1, "notOnMenu": 1],
                ]))
            Self.check(display, phase)
        }
        display.take(.away("connection refused"))
        Self.check(display, "away")
        display.take(.back)
        _ = LiveDisplayTests.press("[", &display)
        display.take(.instant(["stand": "corner", "phase": "open", "sequence": 1, "making": [["order": 1]]]))
        Self.check(display, "past")
    }

    @Test func `English has forms for one and for many`() {
        #expect(Words.english(.cups, "1") == "1 cup" && Words.english(.cups, "2,000") == "2,000 cups")
        #expect(Words(language: "ko")(.cups, "1") == "1잔")
        #expect(Words(language: "fr").span(90) == "90 s" && Words(language: "ko").span(7300) == "2.0시간")
    }
}

@Test(arguments: [
    (["LANG": "ko_KR.UTF-8"], "ko"), (["LANG": "ko_KR.UTF-8", "LC_ALL": "C.UTF-8"], nil),
    (["LANG": "C.UTF-8", "LC_MESSAGES": "ko_KR"], "ko"), (["LC_ALL": "C.UTF-8", "JUICESTAND_LANGUAGE": "ko"], "ko"),
    (["LC_ALL": "ko_KR.UTF-8", "JUICESTAND_LANGUAGE": "en"], "en"),
])
func `the language is that of the program's own variable, else that of the locale`(
    variables: [String: String], language: String?
) {
    #expect(TerminalLocale { variables[$0] }.language == language)
}
