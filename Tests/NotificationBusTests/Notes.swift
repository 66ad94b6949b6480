import NotificationBus
import Platform

/// The notifications the tests post.
struct StockChanged: TypedNotification, Equatable {
    var fruit = "banana"
    var level = 0
}

struct LowStock: TypedNotification, Equatable {
    var level = 0
}

struct StockLevels: KeptNotification, Equatable {
    var level = 0
}

struct HowMuchIsLeft: TypedQuestion {
    typealias Answer = Int
    var fruit = "banana"
}

/// One value that any thread may read and write.
final class Cell<Value: Sendable>: Sendable {
    private let content: Guarded<Value>

    init(_ value: Value) {
        content = Guarded(value)
    }

    var value: Value {
        get { content.withLock { $0 } }
        set { exchange(newValue) }
    }

    /// Returns the value before, which is not released under the lock.
    @discardableResult
    func exchange(_ new: Value) -> Value {
        content.withLock { content in
            let before = content
            content = new
            return before
        }
    }
}

extension Cell where Value: AdditiveArithmetic {
    func add(_ more: Value) {
        content.withLock { $0 += more }
    }
}

/// What observers wrote down, from any thread.
typealias Record<Entry: Sendable> = Cell<[Entry]>

extension Cell {
    convenience init<Entry>() where Value == [Entry] { self.init([]) }

    var entries: Value { value }

    func note<Entry>(_ entry: Entry) where Value == [Entry] { content.withLock { $0.append(entry) } }
}

/// A place for a token that its own observer needs.
typealias TokenBox = Cell<ObservationToken?>

extension TokenBox {
    convenience init() { self.init(nil) }

    func keep(_ token: ObservationToken?) { exchange(token) }
    func cancel() { value?.cancel() }
    func cancelAndWait() { value?.cancelAndWait() }
}

/// Tells when it is released.
final class Captive: Sendable {
    private let released: @Sendable () -> Void

    init(_ released: @escaping @Sendable () -> Void) {
        self.released = released
    }

    deinit {
        released()
    }

    func touch() {}
}

extension TypedNotificationCenter {
    /// Posts in the name of a sender if it is given.
    func post<N: TypedNotification>(_ notification: N, by sender: Captive?) {
        if let sender { post(notification, from: sender) } else { post(notification) }
    }
}
