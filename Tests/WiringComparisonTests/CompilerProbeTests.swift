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
        let compiler = ChildProcess(path: "/usr/bin/env", arguments: ["swiftc", "--version"], timeout: .seconds(60))
        var text = ""
        let ending = compiler.run(while: { true }, line: { text += $0 })
        #expect(ending == .exited(0))
        return "Swift \(try #require(text.firstMatch(of: /Swift version (\S+)/)).1)"
    }

    @Test func `the compiler has a verdict on every row of its own for every wiring`() async throws {
        let version = try await onItsOwnThread { try Self.version() }
        let found = await onItsOwnThread {
            CompilerProbe(timeout: .seconds(500)).check(Self.programs, Property.allCases) { true }
        }
        for choice in WiringChoice.compared {
            for property in Property.allCases
            where property.source == .compiler && choice.reasonNotToApply(property) == nil {
                let finding = found[choice]?[property]
                #expect(finding?.holds != nil, "\(choice) \(property): \(finding?.evidence ?? "no program")")
            }
        }
        if ProcessInfo.processInfo.environment["JUICESTAND_WRITE_VERDICTS"] != nil {
            let lines = WiringChoice.compared.flatMap { choice in
                Property.allCases.compactMap { property in
                    found[choice]?[property].map { "\(choice)\t\(property)\t\($0.holds ?? false)\t\($0.evidence)" }
                }
            }
            try ([version] + lines).map { $0 + "\n" }.joined().write(to: Self.file, atomically: true, encoding: .utf8)
            return
        }
        #expect(version == CompilerVerdicts.version, "the verdicts are of another version; write them anew")
        for choice in WiringChoice.compared {
            for (property, finding) in found[choice] ?? [:] {
                let recorded = CompilerVerdicts.findings[choice]?[property]
                #expect(recorded?.holds == finding.holds, "\(choice) \(property)")
                #expect(recorded?.evidence == finding.evidence, "\(choice) \(property)")
            }
            #expect(CompilerVerdicts.findings[choice]?.count == found[choice]?.count, "\(choice)")
        }
        func holds(_ choice: WiringChoice, _ property: Property) -> Bool? { found[choice]?[property]?.holds }
        for advice in Advice.all {
            for (property, holds) in advice.rows where property.source == .compiler {
                #expect(found[advice.choice]?[property]?.holds == holds, "\(advice.choice) \(property)")
            }
        }
        // What experts know, as a check of the programs.
        #expect(holds(.foundationNotification, .nameAndPayloadCheckedByCompiler) == false)
        #expect(holds(.notification, .nameAndPayloadCheckedByCompiler) == true)
        #expect(holds(.delegate, .everyObserverHandlesEveryEvent) == true)
        #expect(holds(.closure, .everyObserverHandlesEveryEvent) == false)
        #expect(holds(.asyncStream, .everyObserverHandlesEveryEvent) == false)
        #expect(holds(.delegate, .forgottenWiringIsAnError) == true)
        #expect(holds(.closure, .forgottenWiringIsAnError) == true)
        #expect(holds(.boxesLocked, .forgottenWiringIsAnError) == false)
        #expect(holds(.foundationMessageMain, .keepsTheMainActor) == true)
        #expect(holds(.foundationMessageMain, .callersIsolationIsKept) == false)
        #expect(holds(.delegate, .keepsTheMainActor) == true)
        #expect(holds(.delegate, .callersIsolationIsKept) == false)
        #expect(holds(.closureLocked, .acceptsNonSendablePayload) == false)
        #expect(holds(.direct, .posterNamesNoObserver) == false)
        #expect(holds(.closure, .posterNamesNoObserver) == true)
        #expect(holds(.closure, .callersIsolationIsKept) == true)
        #expect(holds(.closureLocked, .callersIsolationIsKept) == false)
        #expect(holds(.multicastDelegate, .answersBack) == true)
        #expect(holds(.notification, .acceptsInoutPayload) == false)
        #expect(holds(.closure, .acceptsNoncopyablePayload) == true)
    }
    private static let programs = Dictionary(uniqueKeysWithValues: WiringChoice.compared.map { ($0, $0.programs) })

    /// A changed wiring for every row that the compiler establishes. Its verdict is the other one.
    private static let changes: [(WiringChoice, Property, String)] = [
        (
            .foundationNotification, .nameAndPayloadCheckedByCompiler,
            """
            enum Names { static let sold = Notification.Name("sold") }
                func f(_ c: NotificationCenter) { c.post(name: Names.«sold|slod», object: nil) }
            """
        ),
        (
            .closure, .everyObserverHandlesEveryEvent,
            "func wire(sold: () -> Void, low: () -> Void) {}; func f() { wire(sold: {}«, low: {}|») }"
        ),
        (
            .multicastDelegate, .forgottenWiringIsAnError,
            "final class S { init(_ delegates: [AnyObject]) {} }; func f(_ d: AnyObject) { _ = S(«[d]|») }"
        ),
        (
            .notification, .acceptsNonSendablePayload,
            "final class Cup { var full = true }; struct Sold { var cup: «Int|Cup» }"
        ),
        (
            .closure, .acceptsInoutPayload,
            "func f() -> [(Int) -> Void] { [{ c in «print(c)|c += 1» }] }"
        ),
        (
            .closure, .acceptsNoncopyablePayload,
            "struct Cup: ~Copyable {}; func f(_ handlers: [([«Int|Cup»]) -> Void]) {}"
        ),
        (
            .closureLocked, .keepsTheMainActor,
            """
            final class S { var handlers: [@MainActor @Sendable (Int) -> Void] = [] }
                @MainActor final class D { var cups = 0; func f(_ s: S) { s.handlers.append { «_ = $0|self.cups += $0» } } }
            """
        ),
        (
            .closureLocked, .callersIsolationIsKept,
            """
            final class S { var handlers: [(Int) -> Void] = [] }
                actor D { var cups = 0; func f(_ s: S) { s.handlers.append { «_ = $0|self.cups += $0» } } }
            """
        ),
        (
            .closure, .answersBack,
            "func f(_ handlers: [() -> Void]) { for handler in handlers { let left: «Void|Int» = handler(); _ = left } }"
        ),
        (
            .notification, .anyObserverCanVeto,
            "func f(_ list: [() -> Bool]) { let answers: «[Bool]|[Bool]» = list.map { $0() }; _ = answers }"
        ),
        (
            .foundationNotification, .handlersCanBeAwaited,
            "func f(_ handler: () «|async» -> Void) async { «|await» handler() }"
        ),
    ]

    @Test func `a changed wiring changes the verdict of its row`() async {
        let changed = Dictionary(grouping: Self.changes) { $0.0 }.mapValues { changes in
            let poster =
                changes.contains { $0.1 == .posterNamesNoObserver }
                ? "" : "poster: struct P {}\nobserver: func o() {}\n"
            return Programs(poster + changes.map { "\($0.1.rawValue): \($0.2)\n" }.joined())
        }
        let direct = Programs(
            "poster: struct Stand { let show: (Int) -> Void }\nobserver: func wire() -> Stand { Stand { print($0) } }\n"
        )
        let probe = CompilerProbe(timeout: .seconds(500))
        let (plain, other) = await onItsOwnThread {
            (
                probe.check(Self.programs, Property.allCases) { true },
                probe.check(changed.merging([.direct: direct]) { $1 }, Property.allCases) { true }
            )
        }
        for (choice, property) in Self.changes.map({ ($0.0, $0.1) }) + [(.direct, .posterNamesNoObserver)] {
            let (before, after) = (plain[choice]?[property], other[choice]?[property])
            #expect(
                before?.holds != nil && after?.holds == !(before?.holds ?? true),
                "\(choice) \(property): \(after?.evidence ?? "")")
        }
        let compiled = Property.allCases.filter { $0.source == .compiler }
        #expect(Set(compiled).subtracting(Self.changes.map(\.1) + [.posterNamesNoObserver]) == [])
    }

    /// `compare --code` claims that each program is complete.
    @Test func `every program that is shown compiles`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "programs-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let modules = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "Modules").path
        try "module LinuxSystem {}\nmodule ThreadLocalFrame {}\n".write(
            to: folder.appending(path: "module.modulemap"), atomically: false, encoding: .utf8)
        for choice in WiringChoice.compared {
            for count in [1, 3] {
                guard let text = await onItsOwnThread({ WiringCode(choice, observers: count).text }) else { continue }
                let file = folder.appending(path: "\(choice)-\(count).swift")
                try text.write(to: file, atomically: false, encoding: .utf8)
                let compiler = Process()
                compiler.executableURL = URL(filePath: "/usr/bin/env")
                compiler.arguments = [
                    "swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-I", modules, "-I",
                    folder.path,
                    file.path,
                ]
                let output = Pipe()
                compiler.standardError = output
                try compiler.run()
                let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                compiler.waitUntilExit()
                #expect(compiler.terminationStatus == 0, "\(choice): \(said.prefix(1000))")
            }
        }
    }
}
