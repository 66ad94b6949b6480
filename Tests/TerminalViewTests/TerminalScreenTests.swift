import JuiceStand
import TerminalTestSupport
import TerminalView
import TestSupport
import Testing
import TextFormats

/// The display's encoding: cells into bytes, bytes into keys, text into columns.
@Suite(.timeLimit(.minutes(60)))
struct TerminalScreenTests {
    private static let styles: [TextStyle] = [
        .plain, .bold, .dim, .good, .warning, .bad, .accent, .reverse, .link, .face(208, isDark: false),
    ]

    /// A random line: some pieces are wide, some blank, some unchanged.
    private func line(_ random: inout SplitMix64) -> StyledText {
        var line = StyledText()
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let piece = ["딸기", "  ", "█▌·", "served 12", "x", "            ", "é"].randomElement(using: &random)!
            line.append(piece, Self.styles.randomElement(using: &random)!)
        }
        return line
    }

    private func cells(_ line: StyledText, _ columns: Int) -> [TestTerminal.Cell] {
        var cells: [TestTerminal.Cell] = []
        for piece in line.pieces {
            for character in piece.text {
                let width = TextWidth.columns(of: String(character))
                if cells.count + width > columns {
                    return cells + Array(repeating: .init(), count: columns - cells.count)
                }
                cells.append(.init(text: String(character), style: piece.style.code))
                if width == 2 { cells.append(.init(text: "", style: piece.style.code)) }
            }
        }
        return cells + Array(repeating: .init(), count: columns - cells.count)
    }

    private func size(_ random: inout SplitMix64) -> TerminalScreen.Size {
        TerminalScreen.Size(columns: .random(in: 2...40, using: &random), rows: .random(in: 1...12, using: &random))
    }

    @Test func `the terminal shows exactly the given lines, whatever it showed before`() {
        let seed = UInt64.random(in: 0 ... .max)
        print("screens of seed \(seed)")
        var random = SplitMix64(seed: seed)
        for _ in 0..<60 {
            var screen = TerminalScreen()
            var size = size(&random)
            var terminal = TestTerminal(size)
            var lines = (0..<size.rows).map { _ in line(&random) }
            for step in 0..<20 {
                if step % 7 == 6 {
                    let old = size
                    while size == old { size = self.size(&random) }
                    terminal = TestTerminal(size)
                }
                let scrolling = min(1, size.rows)..<size.rows
                switch Int.random(in: 0...2, using: &random) {
                case 0: lines = (0..<size.rows).map { _ in line(&random) }
                case 1 where lines.count > 2:
                    // A log that moves up.
                    let count = Int.random(in: 1..<lines.count - 1, using: &random)
                    lines = [lines[0]] + lines.dropFirst(1 + count) + (0..<count).map { _ in line(&random) }
                default: lines[Int.random(in: lines.indices, using: &random)] = line(&random)
                }
                let before = terminal.text
                terminal.take(screen.bytes(showing: lines, scrolling: scrolling, size: size))
                let wanted = (0..<size.rows).map { cells($0 < lines.count ? lines[$0] : StyledText(), size.columns) }
                #expect(terminal.rows == wanted, "before: \(before), wanted: \(lines.map(\.text))")
                #expect(terminal.unknown == [])
            }
        }
    }

    @Test func `unchanged lines cost nothing, and scrolled lines are not written again`() {
        var screen = TerminalScreen()
        let size = TerminalScreen.Size(columns: 60, rows: 12)
        let lines = (0..<12).map { StyledText("line \($0) with forty signs and some more of it") }
        _ = screen.bytes(showing: lines, scrolling: 2..<12, size: size)
        #expect(screen.bytes(showing: lines, scrolling: 2..<12, size: size) == "")
        let moved = lines[0..<2] + lines[3..<12] + [StyledText("new")]
        let bytes = screen.bytes(showing: Array(moved), scrolling: 2..<12, size: size)
        #expect(bytes.contains("new") && !bytes.contains("with") && bytes.utf8.count < 60, "\(bytes.debugDescription)")
    }

    @Test func `text of the style link leads to the address, on a terminal with links`() {
        let size = TerminalScreen.Size(columns: 20, rows: 2)
        var line = StyledText("a", .bold)
        line.append("b", .link)
        let lines = [line, StyledText("c", .link)]
        var screen = TerminalScreen(link: "http://[::1]/#t")
        let bytes = screen.bytes(showing: lines, scrolling: 0..<0, size: size)
        let open = "\u{1b}]8;id=page;http://[::1]/#t\u{1b}\\"
        #expect(bytes.contains("a\(open)\u{1b}[0;4mb") && bytes.contains("c\u{1b}]8;;\u{1b}\\\u{1b}[m"))
        var plain = TerminalScreen()
        #expect(!plain.bytes(showing: lines, scrolling: 0..<0, size: size).contains("]8;"))
    }

    @Test(arguments: [
        (["TERM": "xterm-kitty"], true), (["TERM": "xterm-256color", "VTE_VERSION": "7600"], true),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], true), (["TERM": "xterm-256color"], false),
        (["TERM": "linux"], false), (["TERM": "screen-256color", "VTE_VERSION": "7600"], false),
        (["TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.4"], true),
        (["TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.3a"], false),
    ])
    func `links are for terminals that are known to have them`(variables: [String: String], hasLinks: Bool) {
        #expect(TerminalAbilities.hasLinks { variables[$0] } == hasLinks)
    }

    @Test(arguments: [
        ("banana", 6), ("딸기", 4), ("파인애플", 8), ("망키쥬스 2", 10), ("é", 1), ("e\u{301}", 1), ("ﾊﾞﾅﾅ", 4), ("バナナ", 6),
        ("🍓", 2), ("█▌·", 3),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("a\u{200B}b", 2),
    ])
    func `text is as wide as a terminal draws it`(text: String, columns: Int) {
        #expect(TextWidth.columns(of: text) == columns)
    }

    @Test(arguments: [
        ("q", [Key.character("q")]), ("\u{1b}[A", [.up]), ("\u{1b}OB", [.down]), ("\u{1b}[1;5A", [.up]),
        ("\r", [.enter]), ("\u{7f}", [.backspace]), ("\u{0c}", [.control("l")]),
        ("딸q", [.character("딸"), .character("q")]),
        ("\u{1b}[H\u{1b}OF\u{1b}[1~\u{1b}[4~", [.home, .end, .home, .end]),
        ("\u{1b}[<64;10;5M\u{1b}[<65;1;24M", [.wheel(isUp: true, row: 4), .wheel(isUp: false, row: 23)]),
        // Another button, a release, and the mouse's old format.
        ("\u{1b}[<0;10;5M\u{1b}[<0;10;5m\u{1b}[M`qq", [.other, .other, .other]),
        ("\u{1b}[200~", [.other]), ("\u{1b}[5~", [.pageUp]), ("\u{1b}[6~", [.pageDown]),
        ("\u{1b}\u{1b}[A", [.escape, .up]), ("\u{1b}x", [.other]),
    ])
    func `bytes become the keys that were pressed, also one by one`(text: String, keys: [Key]) {
        var reader = KeyReader()
        #expect(reader.take(text.utf8) == keys)
        #expect(!reader.isWaiting)
        #expect(text.utf8.flatMap { reader.take([$0]) } == keys)
    }

    @Test func `a single escape is the key Esc, and bad bytes are ignored`() {
        var reader = KeyReader()
        #expect(reader.take([0x1b]) == [] && reader.isWaiting)
        #expect(reader.timeout() == [.escape] && !reader.isWaiting)
        #expect(reader.take([0xff, 0x80, UInt8(ascii: "a")]) == [.other, .other, .character("a")])
        #expect(reader.take([0xe2, UInt8(ascii: "a")]) == [.other, .character("a")])
        // A sequence that never ends does not fill the memory.
        #expect(reader.take(Array(repeating: UInt8(ascii: ";"), count: 10)).count == 10)
        #expect(reader.take([0x1b, UInt8(ascii: "[")] + Array(repeating: UInt8(ascii: "1"), count: 40)) == [.other])
    }
}
