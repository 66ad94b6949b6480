import Foundation
import Platform
import Testing

/// The library on its own: its two folders copied into another package, which is built with optimization, since that is
/// where code of the library is inlined.
@Suite(.serialized, .timeLimit(.minutes(60)))
struct StandaloneTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let package = root.appending(path: ".build/standalone")

    private static let program = """
        import Foundation
        import NotificationBus
        import Synchronization

        struct Sold: TypedNotification { var cups: Int }

        final class Sum: Sendable { let value = Atomic(0) }

        @main
        enum Example {
            static let center = TypedNotificationCenter()

            static func main() async {
                await suspend()
                load()
                let done = DispatchSemaphore(value: 0)
                Thread { load(); done.signal() }.start()
                done.wait()
            }

            /// Posts before and after suspensions, which resume on other threads. A frame that was found before one must not
            /// be used after it: then the observer would not know the sender.
            static func suspend() async {
                let sender = Sum()
                let token = center.observe(Sold.self, from: sender) { sender.value.add($0.cups, ordering: .relaxed) }
                await withTaskGroup { group in
                    for _ in 0..<4 { group.addTask { await post(in: sender) } }
                }
                print(sender.value.load(ordering: .relaxed), "calls")
                token.cancel()
            }

            static func post(in sender: Sum) async {
                for _ in 0..<250 {
                    center.post(Sold(cups: 1), from: sender)
                    await withCheckedContinuation { continuation in Thread { continuation.resume() }.start() }
                    center.post(Sold(cups: 1), from: sender)
                }
            }

            /// Loads a library that contains the bus, or uses it on a new thread.
            static func load() {
                let library = dlopen(CommandLine.arguments[1], RTLD_NOW)
                let run = unsafeBitCast(dlsym(library, "run"), to: (@convention(c) () -> Int32).self)
                print("plugin", run())
            }
        }
        """

    private static let plugin = """
        import NotificationBus
        import Synchronization

        struct Loaded: TypedNotification {}
        let center = TypedNotificationCenter()
        let calls = Atomic(0)

        @_cdecl("run")
        public func run() -> Int32 {
            let token = center.observe(Loaded.self) { _ in calls.add(1, ordering: .relaxed) }
            for _ in 0..<1000 { center.post(Loaded()) }
            token.cancelAndWait()
            center.post(Loaded())
            return Int32(calls.load(ordering: .relaxed))
        }
        """

    /// What the article's example of Combine needs, which is only on Apple's systems.
    private static let combine = """
        public final class AnyCancellable: Hashable {
            public static func == (a: AnyCancellable, b: AnyCancellable) -> Bool { a === b }
            public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
            public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }
        }

        public final class PassthroughSubject<Output, Failure: Error> {
            private var sinks: [(Output) -> Void] = []
            public init() {}
            public func sink(_ body: @escaping (Output) -> Void) -> AnyCancellable {
                sinks.append(body)
                return AnyCancellable()
            }
            public func send(_ value: Output) { for sink in sinks { sink(value) } }
        }
        """

    /// The programs of the article on the library, each with what it says that it prints.
    private static let examples = Result {
        let article = try String(
            contentsOf: root.appending(path: "Sources/JuiceStand/JuiceStand.docc/Libraries.md"), encoding: .utf8)
        let part = try #require(article.components(separatedBy: "\n## Simulate with JuiceStand").first)
        let blocks = part.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        var examples: [(program: String, output: String)] = []
        for (block, next) in zip(blocks, blocks.dropFirst()) where block.hasPrefix("swift\nimport ") {
            try #require(next.hasPrefix("text\n"), "a program without its output: \(block)")
            examples.append((String(block.dropFirst(6)), String(next.dropFirst(5))))
        }
        return examples
    }

    /// Builds the package, once; returns what the build printed if it failed.
    private static let failure = Result {
        func write(_ text: String, _ path: String) throws {
            let file = package.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        try? FileManager.default.removeItem(at: package.appending(path: "Sources"))
        var targets = [
            #".target(name: "ThreadLocalFrame"), .target(name: "Combine"), .target(name: "Plugin", dependencies: [bus])"#,
            #".target(name: "NotificationBus", dependencies: ["ThreadLocalFrame"])"#,
            #".executableTarget(name: "Example", dependencies: [bus])"#,
        ]
        try write(program, "Sources/Example/Example.swift")
        try write(plugin, "Sources/Plugin/Plugin.swift")
        try write(combine, "Sources/Combine/Combine.swift")
        for (number, example) in try examples.get().enumerated() {
            try write(example.program, "Sources/example\(number)/main.swift")
            targets.append(#".executableTarget(name: "example\#(number)", dependencies: [bus, "Combine"])"#)
        }
        for folder in ["NotificationBus", "ThreadLocalFrame"] {
            try FileManager.default.copyItem(
                at: root.appending(path: "Sources/\(folder)"), to: package.appending(path: "Sources/\(folder)"))
        }
        try write(
            """
            // swift-tools-version: 6.2
            import PackageDescription
            let bus = Target.Dependency.target(name: "NotificationBus")
            let package = Package(
                name: "standalone", platforms: [.macOS(.v15)],
                products: [.library(name: "Plugin", type: .dynamic, targets: ["Plugin"])],
                targets: [\(targets.joined(separator: ", "))])
            """, "Package.swift")
        let flags = "-Xswiftc -strict-concurrency=complete -Xswiftc -warnings-as-errors -Xcc -Wall -Xcc -Werror"
        let (status, output) = try run("swift build -c release \(flags) --package-path '\(package.path)'")
        return status == 0 ? nil : output
    }

    private static func built() throws -> String {
        let failure = try failure.get()
        try #require(failure == nil)
        return package.appending(path: ".build/release").path
    }

    @Test func `the two folders of the module build in another package without a warning, and work there`() throws {
        let built = try Self.built()
        let (_, output) = try Self.run("'\(built)/Example' '\(built)/libPlugin.so'")
        let expected = ["2000 calls", "plugin 1000", "plugin 2000"]
        #expect(output.split(separator: "\n").map(String.init) == expected)
    }

    @Test func `the programs of the article on the library print what it says`() throws {
        let built = try Self.built()
        let examples = try Self.examples.get()
        #expect(examples.count >= 5)
        for (number, example) in examples.enumerated() {
            let (status, output) = try Self.run("'\(built)/example\(number)'")
            #expect(status == 0 && output == example.output, "\(example.program)")
        }
    }

    /// Wrong programs. Each names the compiler's message in a comment.
    private static let misuses = root.appending(path: "Tests/NotificationBusTests/MustNotCompile")

    @Test(arguments: try FileManager.default.contentsOfDirectory(at: misuses, includingPropertiesForKeys: nil))
    func `what would race, or asks for what is not kept, does not compile`(program: URL) throws {
        let modules = try Self.built() + "/Modules"
        let map = Self.package.appending(path: "Sources/ThreadLocalFrame/include/module.modulemap").path
        func compile(_ program: URL) throws -> (status: Int32, output: String) {
            try Self.run(
                "swiftc -swift-version 6 -emit-sil -I '\(modules)' -Xcc -fmodule-map-file='\(map)' '\(program.path)'"
                    + " -o /dev/null")
        }
        let text = try String(contentsOf: program, encoding: .utf8)
        let message = try #require(text.split(separator: "\n").first { $0.contains("// error: ") })
            .replacing("    // error: ", with: "")
        let wrong = try compile(program)
        let isRefused = wrong.output.contains("error: ") && wrong.output.contains(message)
        #expect(wrong.status != 0 && isRefused, "\(wrong.output)")
        // Without the mistake it compiles, so it is that and nothing else.
        let right = Self.package.appending(path: "Right.swift")
        try text.replacing("class Shared { var", with: "class Shared: Sendable { let")
            .replacing("shared.count += 1", with: "_ = shared.count").replacing("#isolation", with: "nil")
            .replacing("Sold: TypedNotification", with: "Sold: KeptNotification")
            .write(to: right, atomically: true, encoding: .utf8)
        let (status, output) = try compile(right)
        #expect(status == 0, "\(output)")
    }

    @Test func `the library has no flags that bar it from being a dependency`() throws {
        let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(manifest.contains(#".library(name: "NotificationBus""#))
        for name in ["ThreadLocalFrame", "NotificationBus"] {
            let target = try #require(
                manifest.split(separator: ".target(").dropFirst().first { $0.contains("name: \"\(name)\"") })
            #expect(!target.contains("unsafeFlags") && !target.contains("quick"))
        }
    }

    /// Runs a shell command and returns its status, and what it printed.
    ///
    /// Not with `Process`, which leaks a few bytes for each run, so that a search for leaks would stop here.
    private static func run(_ command: String) throws -> (status: Int32, output: String) {
        let log = root.appending(path: ".build/standalone-output")
        let words = ["sh", "-c", "(\(command)) > '\(log.path)' 2>&1"]
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { (word: String) in unsafe strdup(word) }
        unsafe arguments.append(nil)
        defer { for index in words.indices { unsafe free(arguments[index]) } }
        var process = pid_t()
        var status: Int32 = -1
        if unsafe posix_spawn(&process, "/bin/sh", nil, nil, &arguments, environ) == 0 {
            unsafe waitpid(process, &status, 0)
        }
        return (status, try String(contentsOf: log, encoding: .utf8))
    }
}
