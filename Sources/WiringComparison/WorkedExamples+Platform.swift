// The programs of the platform's own mechanisms.

let foundationNotificationExample = """
    // file: Names.swift
    import Foundation
    extension Notification.Name { static let juiceSold = Notification.Name("juice.sold") }
    extension Notification.Name { static let fruitRanLow = Notification.Name("fruit.low") } // + fact
    // file: Stand.swift
    import Foundation
    struct Stand {
        let center: NotificationCenter
        func sell() { center.post(name: .init("juice.sold"), object: nil, userInfo: ["cups": 1]) } // ~ juice.sold juice.slod
        func runLow() { center.post(name: .fruitRanLow, object: nil, userInfo: ["left": 3]) } // + fact
    }
    // file: Display.swift
    import Foundation
    final class Display {
        var tokens: [any NSObjectProtocol] = []
        init(_ center: NotificationCenter) {
            tokens.append(center.addObserver(forName: .juiceSold, object: nil, queue: nil) {
                print($0.userInfo?["cups"] as? Int ?? 0) // ~ cups cusp
            })
            tokens.append(center.addObserver(forName: .fruitRanLow, object: nil, queue: nil) { // + fact
                print($0.userInfo?["left"] as? Int ?? 0) // + fact
            }) // + fact
        }
    }
    // file: Logger.swift // + observer
    import Foundation
    final class Logger {
        let token: any NSObjectProtocol
        init(_ center: NotificationCenter) {
            token = center.addObserver(forName: .juiceSold, object: nil, queue: nil) {
                print("sold", $0.userInfo?["cups"] as? Int ?? 0)
            }
        }
    }
    // file: Setup.swift
    import Foundation
    func setUp() -> (Stand, [AnyObject]) {
        let center = NotificationCenter()
        var observers: [AnyObject] = []
        observers.append(Display(center))
        observers.append(Logger(center)) // + observer
        return (Stand(center: center), observers)
    }
    """

let foundationMessageExample = message("AsyncMessage")
let foundationMainMessageExample = message("MainActorMessage")

/// The two kinds of messages differ in their protocol, and in who may post them.
private func message(_ kind: String) -> String {
    let isolation = kind == "MainActorMessage" ? "@MainActor " : ""
    return """
        // file: Facts.swift
        import Foundation
        struct JuiceSold: NotificationCenter.\(kind) {
            typealias Subject = NotificationCenter
            var cups: Int
        }
        struct FruitRanLow: NotificationCenter.\(kind) { // + fact
            typealias Subject = NotificationCenter // + fact
            var left: Int // + fact
        } // + fact
        // file: Stand.swift
        import Foundation
        struct Stand {
            let center: NotificationCenter
            \(isolation)func sell() { center.post(JuiceSold(cups: 1)) } // ~ JuiceSold JuiceSlod
            \(isolation)func runLow() { center.post(FruitRanLow(left: 3)) } // + fact
        }
        // file: Display.swift
        import Foundation
        final class Display {
            var tokens: [NotificationCenter.ObservationToken] = []
            init(_ center: NotificationCenter) {
                tokens.append(center.addObserver(for: JuiceSold.self) { print($0.cups) }) // ~ $0.cups $0.cusp
                tokens.append(center.addObserver(for: FruitRanLow.self) { print($0.left) }) // + fact
            }
        }
        // file: Logger.swift // + observer
        import Foundation
        final class Logger {
            let token: NotificationCenter.ObservationToken
            init(_ center: NotificationCenter) {
                token = center.addObserver(for: JuiceSold.self) { print("sold", $0.cups) }
            }
        }
        // file: Setup.swift
        import Foundation
        func setUp() -> (Stand, [AnyObject]) {
            let center = NotificationCenter()
            var observers: [AnyObject] = []
            observers.append(Display(center))
            observers.append(Logger(center)) // + observer
            return (Stand(center: center), observers)
        }
        """
}

let observationExample = """
    // file: Stand.swift
    import Observation
    @MainActor @Observable final class Stand {
        var cupsSold = 0
        var piecesLeft = 9 // + fact
        func sell() { cupsSold += 1 } // ~ cupsSold cupsSlod
        func runLow() { piecesLeft = 3 } // + fact
    }
    // file: Display.swift
    import Observation
    @MainActor final class Display {
        let stand: Stand
        init(_ stand: Stand) {
            self.stand = stand
            showSales()
            showLowStock() // + fact
        }
        func showSales() {
            withObservationTracking { print(stand.cupsSold) } onChange: { // ~ cupsSold cusp
                Task { @MainActor in self.showSales() }
            }
        }
        func showLowStock() { // + fact
            withObservationTracking { print(stand.piecesLeft) } onChange: { // + fact
                Task { @MainActor in self.showLowStock() } // + fact
            } // + fact
        } // + fact
    }
    // file: Logger.swift // + observer
    import Observation
    @MainActor final class Logger {
        let stand: Stand
        init(_ stand: Stand) {
            self.stand = stand
            log()
        }
        func log() {
            withObservationTracking { print("sold", stand.cupsSold) } onChange: {
                Task { @MainActor in self.log() }
            }
        }
    }
    // file: Setup.swift
    import Observation
    @MainActor func setUp() -> (Stand, [AnyObject]) {
        let stand = Stand()
        var observers: [AnyObject] = []
        observers.append(Display(stand))
        observers.append(Logger(stand)) // + observer
        return (stand, observers)
    }
    """

let asyncStreamExample = """
    // file: Stand.swift
    final class Stand {
        private var sales: [AsyncStream<Int>.Continuation] = []
        private var lows: [AsyncStream<Int>.Continuation] = [] // + fact
        func cupsSold() -> AsyncStream<Int> {
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            sales.append(continuation)
            return stream
        }
        func fruitRanLow() -> AsyncStream<Int> { // + fact
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self) // + fact
            lows.append(continuation) // + fact
            return stream // + fact
        } // + fact
        func sell() { for continuation in sales { continuation.yield(1) } } // ~ sales slaes
        func runLow() { for continuation in lows { continuation.yield(3) } } // + fact
    }
    // file: Display.swift
    func display(_ stand: Stand) -> Task<Void, Never> {
        let stream = stand.cupsSold()
        return Task { for await cups in stream { print(cups + 0) } } // ~ print(cups print(cusp
    }
    func displayLows(_ stand: Stand) -> Task<Void, Never> { // + fact
        let stream = stand.fruitRanLow() // + fact
        return Task { for await left in stream { print(left) } } // + fact
    } // + fact
    // file: Logger.swift // + observer
    func log(_ stand: Stand) -> Task<Void, Never> {
        let stream = stand.cupsSold()
        return Task { for await cups in stream { print("sold", cups) } }
    }
    // file: Setup.swift
    func setUp() -> (Stand, [Task<Void, Never>]) {
        let stand = Stand()
        var tasks: [Task<Void, Never>] = []
        tasks.append(display(stand))
        tasks.append(log(stand)) // + observer
        tasks.append(displayLows(stand)) // + fact
        return (stand, tasks)
    }
    """
