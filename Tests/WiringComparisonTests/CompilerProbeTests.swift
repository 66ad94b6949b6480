import Foundation
import JuiceStand
import TestSupport
import Testing
import WiringComparison

/// The programs that the compiler is asked about.
///
/// Its verdicts are part of the program. `JUICESTAND_WRITE_VERDICTS` in the environment writes them anew, as after a change
/// of Swift's version.
@Suite(.timeLimit(.minutes(60)))
struct CompilerProbeTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../Sources/WiringComparison/verdicts.tsv")

    /// Such as `Swift 6.3.1`.
    private static func version() throws -> String {
        let (ending, text) = ChildProcess.run(
            "/usr/bin/env", ["swiftc", "--version"], timeout: .seconds(60), while: { true })
        #expect(ending == .exited(0))
        return "Swift \(try #require(text.firstMatch(of: /Swift version (\S+)/)).1)"
    }

    @Test func `the compiler judges every cell of its own as the folder of its program says`() async throws {
        let version = try await onItsOwnThread { try Self.version() }
        let programs = try await onItsOwnThread {
            var programs = try CellProgram.all()
            let problem = try CompilerProbe.check(&programs)
            #expect(problem == nil)
            return programs
        }
        for program in programs {
            let places = Set(program.errors.keys).union(program.expected.keys)
            #expect(program.mustCompile == program.expected.isEmpty, "\(program.path)")
            for line in places.sorted() {
                let found = program.errors[line]
                let expected = program.expected[line]
                #expect(
                    expected != nil && found?.contains(expected ?? "") == true,
                    "\(program.path):\(line): \(found ?? "no error")")
            }
            #expect(
                program.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 12, "\(program.path)")
        }
        let lines = [version] + CellProgram.verdicts(programs) + (try Question.verdicts())
        let text = lines.map { $0 + "\n" }.joined()
        if ProcessInfo.processInfo.environment["JUICESTAND_WRITE_VERDICTS"] != nil {
            return try text.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == text, "write the verdicts anew")
    }

    @Test func `every cell of the compiler has a verdict`() {
        for choice in WiringChoice.allCases {
            let findings = CompilerVerdicts.findings(choice)
            for property in Property.allCases
            where property.source == .compiler && choice.profile.reasonNotToApply(property) == nil {
                #expect(findings[property]?.holds != nil, "\(choice) \(property)")
            }
        }
    }

    @Test func `the advice rests on verdicts of the compiler that are so`() {
        for profile in Profile.all {
            let findings = CompilerVerdicts.findings(profile.choice)
            for (property, holds) in profile.advice.rows where property.source == .compiler {
                #expect(findings[property]?.holds == holds, "\(profile.choice) \(property)")
            }
        }
    }

    /// What experts know, as a check of the programs: `✓`, `✗`, and `+` for an option.
    @Test(arguments: [
        (WiringChoice.foundationNotification, Property.nameAndPayloadCheckedByCompiler, "✗"),
        (.notification, .nameAndPayloadCheckedByCompiler, "✓"), (.delegate, .everyObserverHandlesEveryEvent, "✓"),
        (.closure, .everyObserverHandlesEveryEvent, "✗"), (.asyncStream, .everyObserverHandlesEveryEvent, "✗"),
        // A weak variable that nobody sets compiles; a constant that is handed over at init is an error.
        (.delegate, .forgottenWiringIsAnError, "+"), (.closure, .forgottenWiringIsAnError, "+"),
        (.direct, .forgottenWiringIsAnError, "✓"), (.boxesLocked, .forgottenWiringIsAnError, "✗"),
        (.multicastDelegate, .forgottenWiringIsAnError, "✗"),
        (.foundationMessageMain, .keepsTheMainActor, "✓"), (.foundationMessageMain, .callersIsolationIsKept, "✗"),
        // An actor conforms to an async requirement.
        (.delegate, .keepsTheMainActor, "✓"), (.delegate, .callersIsolationIsKept, "+"),
        (.closureLocked, .acceptsNonSendablePayload, "✗"), (.closureLocked, .callersIsolationIsKept, "✗"),
        (.closure, .callersIsolationIsKept, "✓"), (.direct, .posterNamesNoObserver, "✗"),
        (.closure, .posterNamesNoObserver, "✓"), (.multicastDelegate, .answersBack, "✓"),
        (.notification, .acceptsInoutPayload, "✗"), (.closure, .acceptsNoncopyablePayload, "✓"),
        (.notification, .answersBack, "+"),
        // Combine takes main-actor handlers, any actor's and non-Sendable payloads; it has no answer, veto, await, inout and
        // noncopyable payloads.
        (.subject, .keepsTheMainActor, "✓"), (.subject, .callersIsolationIsKept, "✓"),
        (.subject, .acceptsNonSendablePayload, "✓"), (.subject, .answersBack, "✗"),
        (.subject, .anyObserverCanVeto, "✗"), (.subject, .handlersCanBeAwaited, "✗"),
        (.subject, .acceptsInoutPayload, "✗"), (.subject, .acceptsNoncopyablePayload, "✗"),
    ])
    func `a verdict is what experts know`(choice: WiringChoice, property: Property, mark: String) {
        #expect(CompilerVerdicts.findings(choice)[property]?.mark == mark)
    }

    /// `compare --code` shows whole programs, but for a `main`.
    @Test(arguments: WiringChoice.allCases)
    func `the code that is shown compiles, and its listing has at most fifteen lines`(choice: WiringChoice) async throws
    {
        let listing = choice.profile.listing.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(listing.count <= 15, "\(choice.profile.listing)")
        #expect(
            listing[0].contains(/^(@TillActor @Observable )?final class \w+(<Output>)?(: (@unchecked )?Sendable)? \{$/))
        let code = choice.profile.code + Profile.commonCode
        let (status, output) = try await onItsOwnThread { try CompilerProbe.run(code, ["-typecheck"]) }
        #expect(status == 0, "\(output.prefix(1000))")
    }
}
