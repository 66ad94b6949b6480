// swift-tools-version: 6.2
import PackageDescription

/// The same strictness everywhere: Swift 6 mode comes with the tools version.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
]

/// For all but the notification center, which other packages may depend on: without an index of C's headers, which took
/// a third of the processor time of a debug build and of the tests.
let inner: [SwiftSetting] = strict + [.unsafeFlags(["-index-ignore-clang-modules"])]

/// For what simulates, draws or cuts the power: optimized in debug builds, too, so that its tests take half the time;
/// `assert` stays.
let quick: [SwiftSetting] =
    inner + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// For tests: never optimized, because that takes longer than it saves. What they test is optimized in release builds.
/// Those of the notification center and of the comparison are, too, as the code of users is, which has specialized copies
/// of generic functions.
let tests: [SwiftSetting] = inner + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// The manifest is the drawing of the house: each module may import only the modules above it.
let package = Package(
    name: "juice-stand",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "juicestand", targets: ["StandCommand"]),
        .library(name: "NotificationBus", targets: ["NotificationBus"]),
        .library(name: "JuiceStand", targets: ["JuiceStand"]),
    ],
    dependencies: [],
    targets: [
        // The system headers that Swift's module of the C library leaves out.
        .systemLibrary(name: "LinuxSystem"),
        .target(name: "Platform", dependencies: ["LinuxSystem"], swiftSettings: inner),
        // In C, because `#embed` is thousands of times faster to compile than an array of Swift.
        .target(name: "EmbeddedBytes"),
        .target(name: "EmbeddedFiles", dependencies: ["EmbeddedBytes"], swiftSettings: inner),
        .target(
            name: "TextFormats", dependencies: ["EmbeddedFiles", "Platform"], exclude: ["words.tsv"],
            swiftSettings: quick),
        .target(name: "Tills", dependencies: ["Platform", "TextFormats"], swiftSettings: inner),
        // In C, because Swift has no thread-local variables.
        .target(name: "ThreadLocalFrame"),
        .target(name: "NotificationBus", dependencies: ["ThreadLocalFrame"], swiftSettings: strict),
        .target(
            name: "JuiceStand", dependencies: ["NotificationBus", "Platform", "TextFormats", "Tills"],
            swiftSettings: quick),
        .target(name: "Terms", dependencies: ["EmbeddedFiles"], exclude: ["terms.tsv"], swiftSettings: inner),
        .target(name: "HTTPServer", dependencies: ["Platform", "TextFormats"], swiftSettings: inner),
        .target(name: "StandState", dependencies: ["JuiceStand", "Platform", "TextFormats"], swiftSettings: quick),
        .target(
            name: "Reports", dependencies: ["JuiceStand", "Platform", "TextFormats"], swiftSettings: inner),
        .target(
            name: "StandExperiments", dependencies: ["JuiceStand", "Platform", "Reports", "TextFormats"],
            swiftSettings: inner),
        .target(
            name: "StandFitting", dependencies: ["JuiceStand", "Platform", "Reports", "TextFormats", "Tills"],
            swiftSettings: quick),
        // In C, because Swift keeps the allocator's names for its own runtime. Only the comparison uses it.
        .target(name: "AllocationCount"),
        .target(
            name: "WiringComparison",
            dependencies: [
                "AllocationCount", "EmbeddedFiles", "JuiceStand", "NotificationBus", "Platform", "Reports",
                "TextFormats",
            ],
            exclude: ["verdicts.tsv"], swiftSettings: inner),
        .target(
            name: "StandClient", dependencies: ["HTTPServer", "JuiceStand", "Platform", "TextFormats"],
            swiftSettings: inner),
        .target(
            name: "StandService",
            dependencies: [
                "EmbeddedFiles", "HTTPServer", "JuiceStand", "Platform", "StandClient", "StandExperiments",
                "StandState",
                "Terms", "TextFormats",
            ],
            exclude: ["Page"], swiftSettings: inner),
        .target(
            name: "TerminalView",
            dependencies: ["JuiceStand", "Platform", "StandClient", "StandState", "Terms", "TextFormats"],
            swiftSettings: inner),
        .executableTarget(
            name: "StandCommand",
            dependencies: [
                "EmbeddedFiles", "HTTPServer", "JuiceStand", "Platform", "Reports", "StandClient", "StandExperiments",
                "StandFitting",
                "StandService", "StandState", "TerminalView", "Terms", "TextFormats", "Tills", "WiringComparison",
            ],
            exclude: [
                "Program/commands.txt", "Program/completions.bash", "Program/completions.fish",
                "Program/completions.zsh",
            ],
            swiftSettings: inner),
        .target(
            name: "TestSupport", dependencies: ["HTTPServer", "JuiceStand", "Platform", "TextFormats"],
            path: "Tests/TestSupport", swiftSettings: inner),
        .target(
            name: "TerminalTestSupport", dependencies: ["JuiceStand", "TerminalView", "TextFormats"],
            path: "Tests/TerminalTestSupport", swiftSettings: inner),
        .testTarget(
            name: "TextFormatsTests", dependencies: ["JuiceStand", "Platform", "TestSupport", "TextFormats"],
            swiftSettings: tests),
        .testTarget(
            name: "NotificationBusTests", dependencies: ["NotificationBus", "Platform", "TestSupport"],
            exclude: ["MustNotCompile"], swiftSettings: inner),
        .testTarget(
            name: "JuiceStandTests",
            dependencies: ["JuiceStand", "NotificationBus", "Platform", "TestSupport", "TextFormats"],
            exclude: ["LedgerFingerprints.txt", "Scenarios"],
            swiftSettings: tests),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: ["HTTPServer", "JuiceStand", "Platform", "TestSupport", "TextFormats"],
            swiftSettings: tests),
        .testTarget(
            name: "StandExperimentsTests",
            dependencies: ["JuiceStand", "Platform", "Reports", "StandExperiments", "TestSupport", "TextFormats"],
            swiftSettings: tests),
        .testTarget(
            name: "StandFittingTests",
            dependencies: ["JuiceStand", "Platform", "StandFitting", "TestSupport", "TextFormats", "Tills"],
            swiftSettings: tests),
        .testTarget(
            name: "WiringComparisonTests",
            dependencies: ["JuiceStand", "Platform", "TestSupport", "TextFormats", "WiringComparison"],
            exclude: ["MustCompile", "MustNotCompile"], swiftSettings: inner),
        .testTarget(
            name: "StandClientTests",
            dependencies: ["JuiceStand", "Platform", "StandClient", "TestSupport", "TextFormats"],
            swiftSettings: tests),
        .testTarget(
            name: "StandServiceTests",
            dependencies: [
                "HTTPServer", "JuiceStand", "NotificationBus", "Platform", "StandClient", "StandExperiments",
                "StandService", "StandState", "Terms", "TestSupport", "TextFormats",
            ],
            exclude: ["Corpus", "States"], swiftSettings: tests),
        .testTarget(
            name: "TerminalViewTests",
            dependencies: [
                "JuiceStand", "Platform", "StandClient", "StandService", "StandState", "TerminalTestSupport",
                "TerminalView", "Terms", "TestSupport", "TextFormats",
            ],
            exclude: ["Screens"], swiftSettings: tests),
        // These run the program itself, as a user would.
        .testTarget(
            name: "StandCommandTests",
            dependencies: [
                "HTTPServer", "JuiceStand", "Platform", "StandClient", "StandCommand", "StandService", "StandState",
                "TerminalTestSupport", "TerminalView", "TestSupport", "TextFormats",
            ],
            swiftSettings: tests),
    ]
)
