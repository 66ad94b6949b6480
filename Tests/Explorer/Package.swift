// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error), .strictMemorySafety(), .enableUpcomingFeature("ExistentialAny"),
]

/// What `scripts/explore` builds, in a folder with copies of these modules.
let package = Package(
    name: "explorer",
    platforms: [.macOS(.v15)],
    targets: [
        .systemLibrary(name: "LinuxSystem"),
        .target(name: "Platform", dependencies: ["LinuxSystem"], swiftSettings: strict),
        .target(name: "ThreadLocalFrame"),
        .target(name: "NotificationBus", dependencies: ["ThreadLocalFrame"], swiftSettings: strict),
        .executableTarget(name: "Explorer", dependencies: ["NotificationBus", "Platform"], swiftSettings: strict),
    ]
)
