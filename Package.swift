// swift-tools-version: 6.2
import PackageDescription

/// The same strictness everywhere: Swift 6 mode comes with the tools version.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
]

let page = [
    "page.html", "page.css", "words.js", "elements.js", "stand.js", "service.js", "order.js", "stock.js", "live.js",
    "comparison.js", "start.js",
]

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
        // What of the system Swift's module for the C library leaves out; headers only.
        .systemLibrary(name: "LinuxSystem"),
        .target(name: "NotificationBus", dependencies: ["LinuxSystem"], swiftSettings: strict),
        .target(name: "JuiceStand", dependencies: ["LinuxSystem", "NotificationBus"], swiftSettings: strict),
        // In C, since Swift keeps the allocator's names for its own runtime. Used by the comparison alone.
        .target(name: "AllocationCount"),
        .target(
            name: "StandExperiments", dependencies: ["AllocationCount", "JuiceStand", "NotificationBus"],
            swiftSettings: strict),
        .target(
            name: "StandService", dependencies: ["JuiceStand", "LinuxSystem", "NotificationBus"],
            // The page for browsers is in the program itself.
            resources: page.map { .embedInCode("Page/" + $0) }, swiftSettings: strict),
        .executableTarget(
            name: "StandCommand",
            dependencies: ["JuiceStand", "NotificationBus", "StandExperiments", "StandService"],
            // A link to config/stand.json: the built-in copy is the file itself.
            resources: [.embedInCode("Resources/stand.json")],
            swiftSettings: strict),
        .target(
            name: "TestSupport", dependencies: ["JuiceStand", "StandService"], path: "Tests/TestSupport",
            swiftSettings: strict),
        .testTarget(
            name: "NotificationBusTests", dependencies: ["NotificationBus", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "JuiceStandTests", dependencies: ["JuiceStand", "NotificationBus", "TestSupport"],
            exclude: ["LedgerFingerprints.txt", "Scenarios"],
            swiftSettings: strict),
        .testTarget(
            name: "StandExperimentsTests", dependencies: ["StandExperiments", "JuiceStand", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "StandServiceTests", dependencies: ["StandService", "JuiceStand", "NotificationBus", "TestSupport"],
            exclude: ["Corpus", "Screens"], swiftSettings: strict),
        // These run the program itself, as a user would.
        .testTarget(
            name: "StandCommandTests", dependencies: ["StandCommand", "StandService", "JuiceStand", "TestSupport"],
            swiftSettings: strict),
    ]
)
