import Foundation
import Platform
import Testing

/// The library on its own: a package elsewhere that depends on nothing but the product `NotificationBus`.
@Suite(.serialized, .timeLimit(.minutes(60)))
struct StandaloneTests {
    private static let manifest = """
        // swift-tools-version: 6.2
        import PackageDescription

        let bus = Target.Dependency.product(name: "NotificationBus", package: "juice-stand")
        let package = Package(
            name: "example",
            platforms: [.macOS(.v15)],
            products: [.library(name: "Plugin", type: .dynamic, targets: ["Plugin"])],
            dependencies: [.package(path: "juice-stand")],
            targets: [
                .executableTarget(name: "example", dependencies: [bus]),
                .target(name: "Plugin", dependencies: [bus]),
            ]
        )
        """

    private static let program = """
        import Foundation
        import NotificationBus
        import Synchronization

        struct Sold: TypedNotification {
            var cups: Int
        }

        final class Sum: Sendable {
            let value = Atomic(0)
            func add(_ more: Int) { value.add(more, ordering: .acquiringAndReleasing) }
            deinit { print("released") }
        }

        final class Box: Sendable {
            let token = Mutex<ObservationToken?>(nil)
        }

        @main
        enum Example {
            static let center = TypedNotificationCenter()

            static func main() async {
                sell()
                await suspend()
                end()
                load()
            }

            static func sell() {
                let token = center.observe(Sold.self) { print("sold \\($0.cups)") }
                for cups in 1...3 { center.post(Sold(cups: cups)) }
                token.cancel()
                center.post(Sold(cups: 4))
            }

            /// Posts before and after suspensions, which resume on other threads. A frame that was found before one must not
            /// be used after it: then the observer would not know the sender.
            static func suspend() async {
                let sender = Sum()
                let calls = Sum()
                let token = center.observe(Sold.self, from: sender) { calls.add($0.cups) }
                let changes = await withTaskGroup(of: Int.self) { group in
                    for _ in 0..<4 { group.addTask { await post(in: sender, times: 250) } }
                    return await group.reduce(0, +)
                }
                print(calls.value.load(ordering: .acquiring), changes > 0 ? "calls on several threads" : "calls")
                token.cancel()
            }

            static func post(in sender: Sum, times: Int) async -> Int {
                var changes = 0
                for _ in 0..<times {
                    let before = thread()
                    center.post(Sold(cups: 1), from: sender)
                    await withCheckedContinuation { continuation in
                        Thread { continuation.resume() }.start()
                    }
                    center.post(Sold(cups: 1), from: sender)
                    if thread() != before { changes += 1 }
                }
                return changes
            }

            /// Not `pthread_self()`: the compiler takes that for a constant of the function, across suspensions too.
            static func thread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }

            /// Ends a thread inside an observer that has cancelled itself.
            static func end() {
                observeAndEnd(Sum())
                var thread = pthread_t()
                pthread_create(&thread, nil, { _ in
                    Example.center.post(Sold(cups: 1))
                    return nil
                }, nil)
                pthread_join(thread, nil)
                print("ended")
            }

            @inline(never)
            static func observeAndEnd(_ sum: consuming Sum) {
                let box = Box()
                let token = center.observe(Sold.self) { [sum = consume sum] sold in
                    sum.add(sold.cups)
                    box.token.withLock { $0 }?.cancel()
                    pthread_exit(nil)
                }
                box.token.withLock { $0 = token }
            }

            /// Loads a library that contains the bus, and uses it on a thread that was there before and on a new one.
            static func load() {
                guard let library = dlopen(CommandLine.arguments[1], RTLD_NOW), let symbol = dlsym(library, "run_plugin")
                else { return print(String(cString: dlerror())) }
                let run = unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)
                print("plugin", run())
                let done = DispatchSemaphore(value: 0)
                Thread {
                    print("plugin", run())
                    done.signal()
                }.start()
                done.wait()
            }
        }
        """

    private static let plugin = """
        import NotificationBus
        import Synchronization

        struct Loaded: TypedNotification {}

        let center = TypedNotificationCenter()
        let calls = Atomic(0)

        @_cdecl("run_plugin")
        public func run() -> Int32 {
            let token = center.observe(Loaded.self) { _ in calls.add(1, ordering: .relaxed) }
            for _ in 0..<1000 { center.post(Loaded()) }
            token.cancelAndWait()
            center.post(Loaded())
            return Int32(calls.load(ordering: .relaxed))
        }
        """

    private static let output = """
        sold 1
        sold 2
        sold 3
        2000 calls on several threads
        released
        released
        released
        ended
        plugin 1000
        plugin 2000

        """

    /// Built with optimization, since that is where code of the library is inlined. The package stays in `.build`, so that
    /// a later run builds only what has changed.
    @Test func `a package elsewhere that depends on the library builds and runs`() throws {
        let files = FileManager.default
        let folder = Self.root.appending(path: ".build/standalone")
        func write(_ text: String, to path: String) throws {
            let file = folder.appending(path: path)
            try files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            if (try? String(contentsOf: file, encoding: .utf8)) == text { return }
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        try write(Self.manifest, to: "Package.swift")
        try write(Self.program, to: "Sources/example/Example.swift")
        try write(Self.plugin, to: "Sources/Plugin/Plugin.swift")
        // A dependency is known by the name of its folder, which may be anything.
        let link = folder.appending(path: "juice-stand")
        try? files.removeItem(at: link)
        try files.createSymbolicLink(at: link, withDestinationURL: Self.root)

        let log = folder.appending(path: "log")
        let output = folder.appending(path: "output")
        #expect(run("swift build -c release --package-path '\(folder.path)' > '\(log.path)' 2>&1") == 0)
        let built = folder.appending(path: ".build/release").path
        #expect(run("'\(built)/example' '\(built)/libPlugin.so' > '\(output.path)' 2>> '\(log.path)'") == 0)
        let text = try String(contentsOf: output, encoding: .utf8)
        #expect(text == Self.output, "\((try? String(contentsOf: log, encoding: .utf8)) ?? "no log")")
    }

    /// A package that has the module's two folders, copied, and nothing else of this one.
    private static let copy = root.appending(path: ".build/copied-bus")

    private static let copiedManifest = """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "copied-bus",
            platforms: [.macOS(.v15)],
            targets: [
                .target(name: "ThreadLocalFrame"),
                .target(name: "NotificationBus", dependencies: ["ThreadLocalFrame"]),
            ]
        )
        """

    /// Copies the folders, once, and builds the package; returns what the build printed if it failed.
    private func buildCopy(_ configuration: String) throws -> String? {
        _ = try Self.copying.get()
        let log = Self.copy.appending(path: "log-\(configuration)")
        let flags = "-Xswiftc -strict-concurrency=complete -Xswiftc -warnings-as-errors -Xcc -Wall -Xcc -Werror"
        let status = run(
            "swift build -c \(configuration) \(flags) --package-path '\(Self.copy.path)' > '\(log.path)' 2>&1")
        return status == 0 ? nil : try String(contentsOf: log, encoding: .utf8)
    }

    private static let copying = Result {
        let files = FileManager.default
        let sources = copy.appending(path: "Sources")
        try? files.removeItem(at: sources)
        try files.createDirectory(at: sources, withIntermediateDirectories: true)
        for folder in ["NotificationBus", "ThreadLocalFrame"] {
            try files.copyItem(at: root.appending(path: "Sources/\(folder)"), to: sources.appending(path: folder))
        }
        try copiedManifest.write(to: copy.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
    }

    @Test(arguments: ["debug", "release"])
    func `the two folders of the module build in another package without a warning`(configuration: String) throws {
        let failure = try buildCopy(configuration)
        #expect(failure == nil)
    }

    /// Programs whose observers would race with the code around them. Each names the compiler's message in a comment.
    private static let misuses = root.appending(path: "Tests/NotificationBusTests/MustNotCompile")

    @Test(arguments: try FileManager.default.contentsOfDirectory(at: misuses, includingPropertiesForKeys: nil))
    func `sharing state with an observer in another isolation does not compile`(program: URL) throws {
        let failure = try buildCopy("debug")
        #expect(failure == nil)
        let log = Self.copy.appending(path: "log")
        let map = Self.copy.appending(path: "Sources/ThreadLocalFrame/include/module.modulemap").path
        let modules = Self.copy.appending(path: ".build/debug/Modules").path
        func compile(_ program: URL) -> Int32 {
            run(
                "swiftc -swift-version 6 -emit-sil -I '\(modules)' -Xcc -fmodule-map-file='\(map)' '\(program.path)'"
                    + " -o /dev/null > '\(log.path)' 2>&1")
        }
        #expect(compile(program) != 0)
        let text = try String(contentsOf: program, encoding: .utf8)
        let message = try #require(text.split(separator: "\n").first { $0.contains("// error: ") })
            .replacing("    // error: ", with: "")
        let output = try String(contentsOf: log, encoding: .utf8)
        #expect(output.contains("error: ") && output.contains(message), "\(output)")
        // Without the shared state it compiles, so it is that and nothing else.
        let right = Self.copy.appending(path: "Right.swift")
        try text.replacing("class Shared { var", with: "class Shared: Sendable { let")
            .replacing("shared.count += 1", with: "_ = shared.count")
            .replacing("#isolation", with: "nil").write(to: right, atomically: true, encoding: .utf8)
        let status = compile(right)
        let rightOutput = try String(contentsOf: log, encoding: .utf8)
        #expect(status == 0, "\(rightOutput)")
    }

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

    @Test func `the programs of the article on the library print what it says`() throws {
        let files = FileManager.default
        let article = try String(
            contentsOf: Self.root.appending(path: "Sources/JuiceStand/JuiceStand.docc/Libraries.md"), encoding: .utf8)
        let part = try #require(article.components(separatedBy: "\n## JuiceStand").first)
        let blocks = part.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        var examples: [(program: String, output: String)] = []
        for (block, next) in zip(blocks, blocks.dropFirst()) where block.hasPrefix("swift\nimport ") {
            try #require(next.hasPrefix("text\n"), "a program without its output: \(block)")
            examples.append((String(block.dropFirst(6)), String(next.dropFirst(5))))
        }
        #expect(examples.count >= 5)
        let package = Self.root.appending(path: ".build/article-examples")
        try? files.removeItem(at: package.appending(path: "Sources"))
        var targets = [#".target(name: "ThreadLocalFrame"), .target(name: "Combine")"#]
        targets.append(#".target(name: "NotificationBus", dependencies: ["ThreadLocalFrame"])"#)
        func write(_ text: String, _ path: String) throws {
            let file = package.appending(path: path)
            try files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        for (number, example) in examples.enumerated() {
            try write(example.program, "Sources/example\(number)/main.swift")
            targets.append(
                #".executableTarget(name: "example\#(number)", dependencies: ["NotificationBus", "Combine"])"#)
        }
        try write(Self.combine, "Sources/Combine/Combine.swift")
        for folder in ["NotificationBus", "ThreadLocalFrame"] {
            try files.createSymbolicLink(
                at: package.appending(path: "Sources/\(folder)"),
                withDestinationURL: Self.root.appending(path: "Sources/\(folder)"))
        }
        try write(
            """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
                name: "article-examples", platforms: [.macOS(.v15)], targets: [\(targets.joined(separator: ", "))])
            """, "Package.swift")
        let log = package.appending(path: "log")
        let status = run("swift build --package-path '\(package.path)' > '\(log.path)' 2>&1")
        let built = try String(contentsOf: log, encoding: .utf8)
        try #require(status == 0, "\(built)")
        for (number, example) in examples.enumerated() {
            let program = package.appending(path: ".build/debug/example\(number)").path
            #expect(run("'\(program)' > '\(log.path)' 2>&1") == 0)
            let output = try String(contentsOf: log, encoding: .utf8)
            #expect(output == example.output, "\(example.program)")
        }
    }

    @Test func `the library has no flags that bar it from being a dependency`() throws {
        let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(manifest.contains(#".library(name: "NotificationBus""#))
        let strict = try #require(manifest.firstMatch(of: /let strict: \[SwiftSetting\] = \[[^\]]*\]/))
        #expect(!strict.0.contains("unsafeFlags"))
        for name in ["ThreadLocalFrame", "NotificationBus"] {
            let target = try #require(
                manifest.split(separator: ".target(").dropFirst().first { $0.contains("name: \"\(name)\"") })
            #expect(!target.contains("unsafeFlags") && !target.contains("quick"))
        }
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Runs a shell command and returns its status.
    ///
    /// Not with `Process`, which leaks a few bytes for each run, so that a search for leaks would stop here.
    private func run(_ command: String) -> Int32 {
        let words = ["sh", "-c", command]
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { (word: String) in unsafe strdup(word) }
        unsafe arguments.append(nil)
        defer { for index in words.indices { unsafe free(arguments[index]) } }
        var process = pid_t()
        var status: Int32 = -1
        guard unsafe posix_spawn(&process, "/bin/sh", nil, nil, &arguments, environ) == 0 else { return -1 }
        unsafe waitpid(process, &status, 0)
        return status
    }
}
