import Dispatch
import NotificationBus
import Synchronization

final class CenterTill: Sendable {
    let center: TypedNotificationCenter
    init(_ center: TypedNotificationCenter = TypedNotificationCenter()) { self.center = center }

    func post(_ sale: Sale) { center.post(sale) }
    func observe(_ handle: @escaping @Sendable (Sale) -> Void) -> ObservationToken {
        center.observe(Sale.self, using: handle)
    }
    func cancel(_ token: ObservationToken) { token.cancel() }
}

extension Sale: TypedNotification {}

// MARK: - In the comparison

/// The sale as a type whose latest value the center keeps.
private struct LatestSale: KeptNotification {
    var sale: Sale
}

private struct NumberOfSale: TypedQuestion {
    typealias Answer = UInt64
    var sale: Sale
}

extension CenterTill: Idiom {
    func observe(_ display: Display) -> ObservationToken { observe { display.note($0) } }
    func makeAnother() -> any Idiom { CenterTill(center) }
    var observersListed: [String]? { center.observations().map { "\($0.place)" } }

    /// Whether the center tells of a post that nobody hears.
    var isHeard: Bool? {
        let unheard = Atomic(0)
        center.onDelivery = { observation, _, _ in
            if observation == nil { unheard.add(1, ordering: .relaxed) }
        }
        defer { center.onDelivery = nil }
        post(Sale(order: 0))
        return unheard.load(ordering: .relaxed) == 0
    }

    private func form(_ token: ObservationToken, _ name: String) -> Form {
        Form(Subscription { token.cancel() }, name)
    }

    func observeFromNow(_ display: Display) -> Form? {
        center.post(LatestSale(sale: Sale(order: 7)))
        return form(
            center.observe(LatestSale.self, replayingLatest: true) { display.note($0.sale) }, "a KeptNotification")
    }

    func observe(on queue: DispatchQueue, _ body: @escaping PostHandler) -> Form? {
        form(center.observe(Sale.self, on: queue) { body($0.order) }, "observe(on:)")
    }

    func observeWeakly(_ display: Display) -> Form? {
        form(center.observe(Sale.self, with: display) { $0.note($1) }, "observe(with:)")
    }

    func observeWithWaitingCancel(_ display: Display) -> Form? {
        let token = observe(display)
        return Form(Subscription { token.cancelAndWait() }, "cancelAndWait()")
    }
}

extension Profile {
    static let notification = Profile(
        choice: .notification, file: "CenterTill.swift", configuration: "observe and post, without any option",
        standWiring: "a center, with a type for each fact",
        advice: Advice(
            "parts that share nothing", (.anyPosterReachesTheObserver, true), (.safeFromTwoThreads, true),
            (.everyObserverHandlesEveryEvent, false)),
        make: { CenterTill() }, exceptions: [.noThrowing],
        grounds: [
            .loop, .removes, .copy, .lock,
            Reason(
                "the guide of the center promises it", .releasedObserverIsForgotten, .observerCanBeHeldWeakly,
                .noCallAfterCancel, .postUnderWayHeedsCancelElsewhere, .cancelWaitsForARunningCall,
                .lateObserverSeesCurrentValue, .deliversOnAQueue, .oneCallOfAnObserverAtATime,
                .anyPosterReachesTheObserver, .observersCanBeListed, .unheardPostIsNoticed),
        ],
        refuted: [.mixed], options: options)

    private static var options: [Option] {
        /// - Parameter observe: Returns what keeps the observation.
        func option(
            _ name: String, _ properties: Property..., isConcurrent: Bool = false,
            post: @escaping @Sendable (TypedNotificationCenter, UInt64) -> Void = { $0.post(Sale(order: $1)) },
            observe: @escaping @Sendable (TypedNotificationCenter, Display) -> Any
        ) -> Option {
            var option = Option(name) { display in
                let center = TypedNotificationCenter()
                let token = observe(center, display)
                return { count in
                    withExtendedLifetime(token) { for order in 1...UInt64(count) { post(center, order) } }
                }
            }
            option.properties = properties
            option.isConcurrent = isConcurrent
            return option
        }
        let sender = Display()
        let postLatest = { @Sendable (center: TypedNotificationCenter, order: UInt64) in
            center.post(LatestSale(sale: Sale(order: order)))
        }
        let ask = { @Sendable (center: TypedNotificationCenter, order: UInt64) in
            do { _ = try center.ask(NumberOfSale(sale: Sale(order: order))) } catch { preconditionFailure("\(error)") }
        }
        let postFromSender = { @Sendable (center: TypedNotificationCenter, order: UInt64) in
            center.post(Sale(order: order), from: sender)
        }
        return [
            option("a KeptNotification", .lateObserverSeesCurrentValue, post: postLatest) { center, display in
                center.observe(LatestSale.self) { display.note($0.sale) }
            },
            option("ask", .answersBack, post: ask) { center, display in
                center.answer(NumberOfSale.self) { question -> UInt64 in
                    display.note(question.sale)
                    return question.sale.order
                }
            },
            option("observe(with:)", .observerCanBeHeldWeakly) { center, display in
                center.observe(Sale.self, with: display) { $0.note($1) }
            },
            option("from: a sender", post: postFromSender) { center, display in
                center.observe(Sale.self, from: sender) { display.note($0) }
            },
            option("onDelivery", .unheardPostIsNoticed) { center, display in
                center.onDelivery = { _, _, _ in }
                return center.observe(Sale.self) { display.note($0) }
            },
            // `observeOnMainActor` is this form with the main queue.
            option(
                "observe(on:)", .deliversOnAQueue, .oneCallOfAnObserverAtATime, .keepsTheMainActor,
                isConcurrent: true
            ) { center, display in
                center.observe(Sale.self, on: DispatchQueue(label: "observer")) { display.note($0) }
            },
            option("observe(isolation:)", .callersIsolationIsKept, isConcurrent: true) { center, display in
                center.observe(Sale.self, isolation: nil) { display.note($0) }
            },
        ]
    }
}
