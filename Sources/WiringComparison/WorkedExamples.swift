import JuiceStand

// The same small program in every idiom: a stand that sells, a display that hears of it; then a logger too, and news of low stock.

extension WiringChoice {
    /// A small program under this wiring; nil where nobody has written one yet.
    package var workedExample: WorkedExample? {
        switch self {
        case .direct: WorkedExample(text: directExample)
        case .delegate: WorkedExample(text: delegateExample)
        case .multicastDelegate: WorkedExample(text: multicastDelegateExample)
        case .closure: WorkedExample(text: closureExample)
        case .notification: WorkedExample(text: notificationExample)
        case .foundationNotification: WorkedExample(text: foundationNotificationExample)
        case .foundationMessage: WorkedExample(text: foundationMessageExample)
        case .foundationMessageMain: WorkedExample(text: foundationMainMessageExample)
        case .observation: WorkedExample(text: observationExample)
        case .asyncStream: WorkedExample(text: asyncStreamExample)
        default: nil
        }
    }
}

private let directExample = """
    // file: Stand.swift
    final class Stand {
        let display: Display
        let logger: Logger // + observer
        init(_ display: Display) { // - observer
        init(_ display: Display, _ logger: Logger) { // + observer
            self.display = display
            self.logger = logger // + observer
        }
        func sell() {
            display.sold(cups: 1) // ~ sold slod
            logger.sold(cups: 1) // + observer
        }
        func runLow() { display.low(left: 3) } // + fact
    }
    // file: Display.swift
    final class Display {
        func sold(cups: Int) { print(cups + 0) } // ~ cups cusp
        func low(left: Int) { print(left) } // + fact
    }
    // file: Logger.swift // + observer
    final class Logger {
        func sold(cups: Int) { print("sold", cups) }
    }
    // file: Setup.swift
    func setUp() -> Stand {
        Stand(Display()) // - observer
        Stand(Display(), Logger()) // + observer
    }
    """

private let delegateExample = """
    // file: StandDelegate.swift
    protocol StandDelegate: AnyObject {
        func stand(didSell cups: Int)
        func stand(isLow left: Int) // + fact
    }
    // file: Stand.swift
    final class Stand {
        weak var delegate: (any StandDelegate)?
        func sell() { delegate?.stand(didSell: 1) } // ~ didSell didSlel
        func runLow() { delegate?.stand(isLow: 3) } // + fact
    }
    // file: Coordinator.swift
    final class Coordinator: StandDelegate {
        let display = Display()
        let logger = Logger() // + observer
        func stand(didSell cups: Int) {
            display.show(cups + 0) // ~ cups cusp
            logger.log(cups) // + observer
        }
        func stand(isLow left: Int) { display.show(left) } // + fact
    }
    // file: Display.swift
    final class Display { func show(_ number: Int) { print(number) } }
    // file: Logger.swift // + observer
    final class Logger {
        func log(_ cups: Int) { print("sold", cups) }
    }
    // file: Setup.swift
    func setUp() -> (Stand, Coordinator) {
        let (stand, coordinator) = (Stand(), Coordinator())
        stand.delegate = coordinator
        return (stand, coordinator)
    }
    """

private let multicastDelegateExample = """
    // file: StandDelegate.swift
    protocol StandDelegate: AnyObject {
        func stand(didSell cups: Int)
        func stand(isLow left: Int) // + fact
    }
    // file: Stand.swift
    final class Stand {
        struct Weak { weak var delegate: (any StandDelegate)? }
        var delegates: [Weak] = []
        func sell() { for entry in delegates { entry.delegate?.stand(didSell: 1) } } // ~ didSell didSlel
        func runLow() { for entry in delegates { entry.delegate?.stand(isLow: 3) } } // + fact
    }
    // file: Display.swift
    final class Display: StandDelegate {
        func stand(didSell cups: Int) { print(cups + 0) } // ~ cups cusp
        func stand(isLow left: Int) { print(left) } // + fact
    }
    // file: Logger.swift // + observer
    final class Logger: StandDelegate {
        func stand(didSell cups: Int) { print("sold", cups) }
        func stand(isLow left: Int) {} // + observer + fact
    }
    // file: Setup.swift
    func setUp() -> (Stand, [any StandDelegate]) {
        var observers: [any StandDelegate] = []
        observers.append(Display())
        observers.append(Logger()) // + observer
        let stand = Stand()
        stand.delegates = observers.map { .init(delegate: $0) }
        return (stand, observers)
    }
    """

private let closureExample = """
    // file: Stand.swift
    final class Stand {
        var onSale: [(Int) -> Void] = []
        var onLowStock: [(Int) -> Void] = [] // + fact
        func sell() { for handler in onSale { handler(1) } } // ~ onSale onSlae
        func runLow() { for handler in onLowStock { handler(3) } } // + fact
    }
    // file: Display.swift
    final class Display { func show(_ number: Int) { print(number) } }
    // file: Logger.swift // + observer
    final class Logger {
        func log(_ cups: Int) { print("sold", cups) }
    }
    // file: Setup.swift
    func setUp() -> Stand {
        let stand = Stand()
        let display = Display()
        let logger = Logger() // + observer
        stand.onSale.append { cups in display.show(cups + 0) } // ~ show(cups show(cusp
        stand.onSale.append { cups in logger.log(cups) } // + observer
        stand.onLowStock.append { left in display.show(left) } // + fact
        return stand
    }
    """

private let notificationExample = """
    // file: Facts.swift
    import NotificationBus
    struct JuiceSold: TypedNotification { var cups: Int }
    struct FruitRanLow: TypedNotification { var left: Int } // + fact
    // file: Stand.swift
    import NotificationBus
    struct Stand {
        let center: TypedNotificationCenter
        func sell() { center.post(JuiceSold(cups: 1)) } // ~ JuiceSold JuiceSlod
        func runLow() { center.post(FruitRanLow(left: 3)) } // + fact
    }
    // file: Display.swift
    import NotificationBus
    final class Display {
        var tokens: [ObservationToken] = []
        init(_ center: TypedNotificationCenter) {
            tokens.append(center.observe(JuiceSold.self) { print($0.cups) }) // ~ $0.cups $0.cusp
            tokens.append(center.observe(FruitRanLow.self) { print($0.left) }) // + fact
        }
    }
    // file: Logger.swift // + observer
    import NotificationBus
    final class Logger {
        let token: ObservationToken
        init(_ center: TypedNotificationCenter) {
            token = center.observe(JuiceSold.self) { print("sold", $0.cups) }
        }
    }
    // file: Setup.swift
    import NotificationBus
    func setUp() -> (Stand, [AnyObject]) {
        let center = TypedNotificationCenter()
        var observers: [AnyObject] = []
        observers.append(Display(center))
        observers.append(Logger(center)) // + observer
        return (Stand(center: center), observers)
    }
    """
