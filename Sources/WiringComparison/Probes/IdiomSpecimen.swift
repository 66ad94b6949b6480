/// An idiom as the probes use it.
protocol IdiomSpecimen: Specimen {
    associatedtype Way: OpenIdiom where Way.Observer == Listener

    var idiom: Way { get }
}

extension IdiomSpecimen {
    package func observe(_ body: @escaping PostHandler) -> Subscription { observe(by: Listener(body)) }

    func observe(by listener: Listener) -> Subscription {
        let key = idiom.add(listener)
        return Subscription { [idiom] in idiom.remove(key) }
    }

    package func post(_ number: UInt64) { idiom.post(Sale(order: number)) }

    package func settle() { idiom.turn() }

    package func observeCapturingSelf(_ body: @escaping PostHandler, whenReleased: @escaping @Sendable () -> Void) {
        let listener = Listener(body, whenReleased: whenReleased)
        listener.kept.value = idiom.add(listener)
    }
}

/// An idiom whose observers know their poster and can read its properties.
protocol KnownPosterSpecimen: IdiomSpecimen {
    /// The poster's property.
    var latest: UInt64? { get set }
}

extension KnownPosterSpecimen {
    package func post(_ number: UInt64) {
        latest = number
        idiom.post(Sale(order: number))
    }

    package func postToThrowing(_ observers: [@Sendable () throws -> Void]) -> String? { callThrowing(observers) }
}

/// Delegates: nothing holds them, and there is no token to keep.
protocol DelegatingSpecimen: KnownPosterSpecimen {}

extension DelegatingSpecimen {
    package func observeCapturingSelf(_ body: @escaping PostHandler, whenReleased: @escaping @Sendable () -> Void) {
        _ = idiom.add(Listener(body, whenReleased: whenReleased))
    }

    package func observeHeldWeakly(whenReleased: @escaping @Sendable () -> Void) -> Subscription? {
        _ = idiom.add(Listener({ _ in }, whenReleased: whenReleased))
        return Subscription {}
    }
}

extension Specimen {
    /// Calls throwing observers as the language does: the poster catches.
    fileprivate func callThrowing(_ observers: [@Sendable () throws -> Void]) -> String {
        var caught = 0
        for observer in observers {
            do { try observer() } catch { caught += 1 }
        }
        return "the poster caught it, \(caught) time"
    }
}

/// Direct calls: each observer makes a new poster, since a poster's observers are fixed.
final class DirectSpecimen: Specimen {
    private var listeners: [Listener] = []
    private(set) var latest: UInt64? = 0

    func observe(_ body: @escaping PostHandler) -> Subscription {
        listeners.append(Listener(body))
        return Subscription { [self] in listeners = [] }
    }

    func post(_ number: UInt64) {
        latest = number
        DirectCalls(listeners).post(Sale(order: number))
    }

    func postToThrowing(_ observers: [@Sendable () throws -> Void]) -> String? { callThrowing(observers) }

    func makeAnotherPoster() -> any Specimen { DirectSpecimen() }

    func observersListed() -> [String]? { listeners.map { "\(type(of: $0))" } }
}

final class DelegateSpecimen: DelegatingSpecimen {
    let idiom = WeakDelegate<Listener>()
    var latest: UInt64? = 0
    var capacity: Int { 1 }

    func makeAnotherPoster() -> any Specimen { DelegateSpecimen() }

    func observersListed() -> [String]? { idiom.listed }

    func postUnheard() -> String? { idiom.listed.isEmpty ? "the poster: its delegate is nil" : nil }
}

final class DelegatesSpecimen: DelegatingSpecimen {
    let idiom = WeakDelegates<Listener>()
    var latest: UInt64? = 0

    func makeAnotherPoster() -> any Specimen { DelegatesSpecimen() }

    func observersListed() -> [String]? { idiom.listed }

    func postUnheard() -> String? { idiom.listed.isEmpty ? "the poster: its list is empty" : nil }
}

final class ClosureSpecimen: KnownPosterSpecimen {
    let idiom = ClosureList<Listener>()
    var latest: UInt64? = 0

    func makeAnotherPoster() -> any Specimen { ClosureSpecimen() }

    func postUnheard() -> String? { idiom.isEmpty ? "the poster: its array is empty" : nil }
}

final class LockedClosureSpecimen: KnownPosterSpecimen {
    let idiom = LockedClosureList<Listener>()
    var latest: UInt64? = 0

    func makeAnotherPoster() -> any Specimen { LockedClosureSpecimen() }

    func postUnheard() -> String? { idiom.isEmpty ? "the poster: its array is empty" : nil }
}
