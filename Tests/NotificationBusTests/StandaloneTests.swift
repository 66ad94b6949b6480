import Foundation
import Platform
import Testing

/// The library on its own: a package elsewhere that depends on nothing but the product `NotificationBus`.
@Suite(.timeLimit(.minutes(60)))
struct StandaloneTests {
    private static let manifest = """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "example",
            platforms: [.macOS(.v15)],
            dependencies: [.package(path: "juice-stand")],
            targets: [
                .executableTarget(
                    name: "example", dependencies: [.product(name: "NotificationBus", package: "juice-stand")])
            ]
        )
        """

    private static let program = """
        import NotificationBus

        struct Sold: TypedNotification {
            var cups: Int
        }

        let center = TypedNotificationCenter()
        let token = center.observe(Sold.self) { print("sold \\($0.cups)") }
        for cups in 1...3 { center.post(Sold(cups: cups)) }
        token.cancel()
        center.post(Sold(cups: 4))
        """

    @Test func `a package elsewhere that depends on the library builds and runs`() throws {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appending(path: "bus-example-\(UUID().uuidString)")
        defer { try? files.removeItem(at: folder) }
        let sources = folder.appending(path: "Sources/example")
        try files.createDirectory(at: sources, withIntermediateDirectories: true)
        try Self.manifest.write(to: folder.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
        try Self.program.write(to: sources.appending(path: "main.swift"), atomically: true, encoding: .utf8)
        // A dependency is known by the name of its folder, which may be anything.
        try files.createSymbolicLink(at: folder.appending(path: "juice-stand"), withDestinationURL: Self.root)

        let output = folder.appending(path: "output")
        let status = run("swift run --quiet --package-path '\(folder.path)' example > '\(output.path)'")
        #expect(status == 0)
        #expect(try String(contentsOf: output, encoding: .utf8) == "sold 1\nsold 2\nsold 3\n")
    }

    @Test func `the manifest has no flags that bar the library from being a dependency`() throws {
        let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(manifest.contains(#".library(name: "NotificationBus""#))
        #expect(!manifest.contains("unsafeFlags"))
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
