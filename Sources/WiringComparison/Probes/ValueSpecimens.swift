import Dispatch

final class TrackedPropertySpecimen: IdiomSpecimen {
    let idiom = TrackedProperty<Listener>()

    func observeFromNow(_ body: @escaping PostHandler) -> LateSubscription? {
        body(idiom.till.sale.order)
        return (observe(body), "it read the property")
    }

    func makeAnotherPoster() -> any Specimen { TrackedPropertySpecimen() }
}

final class StreamsSpecimen: IdiomSpecimen {
    let idiom = Streams<Listener>()
    var isConcurrent: Bool { true }
    /// Elements that were yielded and not yet handled.
    private let underWay = DispatchGroup()
    private(set) var latest: UInt64? = 0

    func post(_ number: UInt64) {
        latest = number
        idiom.post(Streams<Listener>.Element(sale: Sale(order: number), receipt: Receipt(underWay)))
    }

    func settle() { underWay.wait() }

    func observe(asynchronously body: @escaping AsyncPostHandler) -> Subscription? {
        let key = idiom.add { stream in
            for await element in stream {
                await body(element.sale.order)
                withExtendedLifetime(element) {}
            }
        }
        return Subscription { [idiom] in idiom.remove(key) }
    }

    func postToThrowing(_ observers: [@Sendable () throws -> Void]) -> String? {
        for observer in observers {
            _ = idiom.add { stream in
                do { for await _ in stream { try observer() } } catch {}
            }
        }
        post(1)
        settle()
        return "it ended that observer's task, and nobody waits for the task"
    }

    func makeAnotherPoster() -> any Specimen { StreamsSpecimen() }
}
