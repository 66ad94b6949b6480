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

/// What observers wrote down, from any thread.
final class Record<Entry: Sendable>: Sendable {
    private let list = Guarded<[Entry]>([])

    var entries: [Entry] { list.withLock { $0 } }

    func note(_ entry: Entry) {
        list.withLock { $0.append(entry) }
    }
}

/// One value that any thread may read and write.
final class Cell<Value: Sendable>: Sendable {
    private let content: Guarded<Value>

    init(_ value: Value) {
        content = Guarded(value)
    }

    var value: Value {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}

extension Cell where Value: AdditiveArithmetic {
    func add(_ more: Value) {
        content.withLock { $0 += more }
    }
}

/// A place for a token that its own observer needs.
final class TokenBox: Sendable {
    private let token = Guarded<ObservationToken?>(nil)

    func keep(_ token: ObservationToken?) {
        let before = self.token.withLock { kept in
            let before = kept
            kept = token
            return before
        }
        withExtendedLifetime(before) {}
    }

    func cancel() {
        token.withLock { $0 }?.cancel()
    }

    func cancelAndWait() {
        token.withLock { $0 }?.cancelAndWait()
    }
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
