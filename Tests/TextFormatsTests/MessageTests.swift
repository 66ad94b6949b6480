import Platform
import Testing
import TextFormats

/// A message keeps its template and what stands in the blanks, and is the same text in English as a string would be.
@Suite struct MessageTests {
    private let korean = [
        "must be {1}, found {2}": "{2}: {1}이어야 합니다", "at least {1}": "{1} 이상", "{1} line": "{1}줄",
        "{1} lines": "{1}줄",
        "either {a} or {1}": "{a}나 {1}", "a {1}{2}!": "{1}{2}!",
    ]

    private func korean(_ message: Message) -> String { message.text { korean[$0] ?? $0 } }

    @Test func `its English is that of a string, and its translation has the blanks in another order`() {
        let (least, found) = (1, "{2} \"x\"")
        let bound: Message = "at least \(least)"
        let message: Message = "must be \(bound), found \(found)"
        #expect("\(message)" == "must be at least 1, found {2} \"x\"")
        #expect(korean(message) == "{2} \"x\": 1 이상이어야 합니다")
        #expect(message == "must be at least 1, found {2} \"x\"" && message != bound)
        #expect(korean("either {a} or \(least)") == "{a}나 1")
        #expect(korean("nothing \("known")") == "nothing known")
    }

    @Test func `texts that plus joins have one template`() {
        let bound = 3
        let message: Message =
            "must be "
            + "\(bound), found \(4)"
        #expect(korean(message) == "4: 3이어야 합니다")
    }

    @Test func `a number has a template for one and one for many`() {
        #expect("\(Message.counted(1, "line"))" == "1 line" && "\(Message.counted(2000, "line"))" == "2,000 lines")
        #expect("\(Message.counted(0.5, "cup"))" == "0.5 cups")
        #expect([1, 2000].map { korean(.counted($0, "line")) } == ["1줄", "2,000줄"])
    }

    @Test func `what stands in the blanks can be changed`() {
        let inner: Message = "at least \("a\nb")"
        #expect("\(("found \(inner)" as Message).mapArguments { $0.uppercased() })" == "found at least A\nB")
    }

    @Test(arguments: [
        ("must be 3, found 4", "must be {1}, found {2}", "4: 3이어야 합니다"),
        ("must be 3, found 4.", "must be {1}, found {2}.", "must be 3, found 4."),
        ("at least 3", "at least {1}", "3 이상"),
        ("at most 3", "at least {1}", nil),
        ("must be 3", "must be {1}, found {2}", nil),
        ("no blank", "no blank", "no blank"),
        ("no blanks", "no blank", nil),
        ("a 3!", "a {1}{2}!", "3!"), ("a 3 or more!", "a {1}{2}!", "3 or more!"),
        ("a 3 or more!", "a {1}{2}! {3}", nil),
    ]) func `a text tells its message`(text: String, template: String, translation: String?) {
        let message = Message(text, of: template)
        #expect(message.map(korean) == translation)
        #expect(message.map { "\($0)" } == translation.map { _ in text })
    }
}
