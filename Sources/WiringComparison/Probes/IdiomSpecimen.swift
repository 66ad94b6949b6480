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

    package func settle() {
        idiom.turn()
        if isConcurrent { _ = isIdle(after: .seconds(10)) }
    }

    package func observeCapturingSelf(_ body: @escaping PostHandler, whenReleased: @escaping @Sendable () -> Void) {
        let listener = Listener(body, whenReleased: whenReleased)
        listener.kept.value = idiom.add(listener)
    }
}

/// Delegates: nothing holds them, and there is no token to keep.
protocol DelegatingSpecimen: IdiomSpecimen {}

extension DelegatingSpecimen {
    package func observeCapturingSelf(_ body: @escaping PostHandler, whenReleased: @escaping @Sendable () -> Void) {
        _ = idiom.add(Listener(body, whenReleased: whenReleased))
    }

    package func observeHeldWeakly(whenReleased: @escaping @Sendable () -> Void) -> Subscription? {
        _ = idiom.add(Listener({ _ in }, whenReleased: whenReleased))
        return Subscription {}
    }
}

/// Direct calls: each observer makes a new poster, since a poster's observers are fixed.
final class DirectSpecimen: Specimen {
    private var listeners: [Listener] = []

    func observe(_ body: @escaping PostHandler) -> Subscription {
        listeners.append(Listener(body))
        return Subscription { [self] in listeners = [] }
    }

    func post(_ number: UInt64) { DirectCalls(listeners).post(Sale(order: number)) }

    func makeAnotherPoster() -> any Specimen { DirectSpecimen() }

    func observersListed() -> [String]? { listeners.map { "\(type(of: $0))" } }
}

final class DelegateSpecimen: DelegatingSpecimen {
    let idiom = WeakDelegate<Listener>()
    var capacity: Int { 1 }

    func makeAnotherPoster() -> any Specimen { DelegateSpecimen() }

    func observersListed() -> [String]? { idiom.listed }

    func postUnheard() -> String? { idiom.listed.isEmpty ? "the poster, whose delegate is nil," : nil }
}

final class DelegatesSpecimen: DelegatingSpecimen {
    let idiom = WeakDelegates<Listener>()

    func makeAnotherPoster() -> any Specimen { DelegatesSpecimen() }

    func observersListed() -> [String]? { idiom.listed }

    func postUnheard() -> String? { idiom.listed.isEmpty ? "the poster, whose list is empty," : nil }
}

/// Lists of closures, whose poster can see whether they are empty.
final class ListSpecimen<Way: ListIdiom>: IdiomSpecimen where Way.Observer == Listener {
    let idiom = Way()

    func makeAnotherPoster() -> any Specimen { ListSpecimen() }

    func postUnheard() -> String? { idiom.isEmpty ? "the poster, whose list is empty," : nil }
}
