// swift-tools-version: 6.2
import PackageDescription

/// The same strictness everywhere: Swift 6 mode comes with the tools version.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
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
        .target(name: "NotificationBus", swiftSettings: strict),
        .target(name: "JuiceStand", dependencies: ["NotificationBus"], swiftSettings: strict),
        .target(name: "StandExperiments", dependencies: ["JuiceStand", "NotificationBus"], swiftSettings: strict),
        .target(name: "StandService", dependencies: ["JuiceStand", "NotificationBus"], swiftSettings: strict),
        .executableTarget(
            name: "StandCommand",
            dependencies: ["JuiceStand", "NotificationBus", "StandExperiments", "StandService"],
            // A link to config/stand.json: the built-in copy is the file itself.
            resources: [.embedInCode("Resources/stand.json")],
            swiftSettings: strict),
        .testTarget(name: "NotificationBusTests", dependencies: ["NotificationBus"], swiftSettings: strict),
        .testTarget(
            name: "JuiceStandTests", dependencies: ["JuiceStand", "NotificationBus"], exclude: ["Scenarios"],
            swiftSettings: strict),
        .testTarget(
            name: "StandExperimentsTests", dependencies: ["StandExperiments", "JuiceStand"], swiftSettings: strict),
        .testTarget(
            name: "StandServiceTests", dependencies: ["StandService", "JuiceStand", "NotificationBus"], swiftSettings: strict),
        // These run the program itself, as a user would.
        .testTarget(name: "StandCommandTests", dependencies: ["StandCommand"], swiftSettings: strict),
    ]
)
