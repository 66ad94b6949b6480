import JuiceStand
import TestSupport
import Testing
import WiringComparison

/// What "what it takes" is counted over.
@Suite(.timeLimit(.minutes(60)))
struct WorkedExampleTests {
    @Test(arguments: WiringChoice.allCases)
    func `a worked example compiles without and with what is added, file by file`(choice: WiringChoice) async throws {
        let example = try #require(choice.workedExample)
        for additions in [[], [.observer], [.fact], [.observer, .fact]] as [Set<WorkedExample.Addition>] {
            let errors = try await onItsOwnThread {
                try CompilerProbe.besideProgram().errors(of: example.files(with: additions)).get()
            }
            #expect(errors.isEmpty, "\(choice), with \(additions): \(errors)")
        }
    }

    @Test(arguments: WiringChoice.allCases)
    func `without what is added nothing of it is there`(choice: WiringChoice) throws {
        let example = try #require(choice.workedExample)
        func text(_ additions: Set<WorkedExample.Addition>) -> String {
            example.files(with: additions).flatMap { [$0.name] + $0.lines }.joined(separator: "\n")
        }
        for text in [text([]), text([.fact])] { #expect(!text.contains(#/[Ll]ogger|log\(|sold",/#)) }
        for text in [text([]), text([.observer])] { #expect(!text.contains(#/[Ll]ow|left|Left/#)) }
        #expect(text([.observer]).contains("sold\", ") && text([.fact]).contains("runLow"))
    }

    @Test func `what it takes is what two programs differ in: new lines and changed ones, and the files they are in`() {
        let example = WorkedExample(
            text: """
                // file: A
                same
                first // - observer
                first and second // + observer
                both // + observer + fact
                // file: B
                same
                low // + fact
                low // + fact
                // file: C // + observer
                one
                two
                // file: D
                gone // - fact
                """)
        #expect(example.effort(of: .observer) == Effort(lines: 3, files: 2))
        #expect(example.effort(of: .fact) == Effort(lines: 2, files: 2))
        #expect(
            example.files(with: [.observer, .fact]) == [
                .init(name: "A", lines: ["same", "first and second", "both"]),
                .init(name: "B", lines: ["same", "low", "low"]), .init(name: "C", lines: ["one", "two"]),
                .init(name: "D"),
            ])
    }
}
