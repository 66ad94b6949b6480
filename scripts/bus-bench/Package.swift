// swift-tools-version: 6.2
import PackageDescription

// A package of its own, outside the library's: it uses the product as any other user would, through the module's border.
let package = Package(
    name: "bus-bench",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "juice-stand", path: "../..")],
    targets: [
        .target(name: "MallocCount"),
        .executableTarget(
            name: "BusBench",
            dependencies: ["MallocCount", .product(name: "NotificationBus", package: "juice-stand")],
            swiftSettings: [
                .treatAllWarnings(as: .error), .strictMemorySafety(), .enableUpcomingFeature("ExistentialAny"),
            ]),
    ]
)
