import Dispatch
import NotificationBus
import Synchronization

final class CenterTill: Sendable {
    let center: TypedNotificationCenter
    init(_ center: TypedNotificationCenter = TypedNotificationCenter()) { self.center = center }

    @inline(__always) func post(_ sale: Sale) { center.post(sale) }
    func observe(_ display: Display) -> ObservationToken { center.observe(Sale.self) { display.note($0) } }
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
    func makeAnother() -> (any Idiom)? { CenterTill(center) }

    /// Equals the default, which is not specialized for this class: each post would go through the protocol.
    func post(_ count: Int, from first: UInt64, by step: UInt64) {
        for place in 0..<UInt64(count) { post(Sale(order: first &+ place &* step)) }
    }

    var observersListed: [String]? { center.observations().map { "\($0.place)" } }

    /// Whether somebody hears a post, from the center's reports of posts that nobody hears.
    var isHeard: Bool? {
        let unheard = Atomic(0)
        center.onDelivery = { observation, _, _ in
            if observation == nil { unheard.add(1, ordering: .relaxed) }
        }
        defer { center.onDelivery = nil }
        post(Sale(order: 0))
        return unheard.load(ordering: .relaxed) == 0
    }
}

/// A till with an option of the center: another way to observe, cancel or post.
///
/// `send` takes an order and not a sale, because handing on a sale would copy it once more than other posters do.
private final class OptionTill: Idiom {
    private let center = TypedNotificationCenter()
    let isConcurrent: Bool
    private let end: @Sendable (ObservationToken) -> Void
    private let send: @Sendable (TypedNotificationCenter, _ order: UInt64) -> Void
    private let begin: @Sendable (TypedNotificationCenter, Display) -> ObservationToken

    init(
        isConcurrent: Bool = false, cancel: @escaping @Sendable (ObservationToken) -> Void = { $0.cancel() },
        post: @escaping @Sendable (TypedNotificationCenter, _ order: UInt64) -> Void = { $0.post(Sale(order: $1)) },
        observe: @escaping @Sendable (TypedNotificationCenter, Display) -> ObservationToken
    ) {
        self.isConcurrent = isConcurrent
        end = cancel
        send = post
        begin = observe
    }

    func observe(_ display: Display) -> ObservationToken { begin(center, display) }
    func observeFromNow(_ display: Display) -> ObservationToken? { observe(display) }
    func cancel(_ token: ObservationToken) { end(token) }
    func post(_ sale: Sale) { send(center, sale.order) }
}

extension Profile {
    static let notification = Profile(
        choice: .notification, file: "CenterTill.swift", configuration: "observe and post, without any option",
        advice: Advice(
            "parts that share nothing", (.anyPosterReachesTheObserver, true), (.safeFromTwoThreads, true),
            (.everyObserverHandlesEveryEvent, false)),
        plain: Form { _ in CenterTill() }, exceptions: [.noThrowing],
        grounds: [
            .loop, .removes,
            Reason(
                "the guide of the center promises it", .releasedObserverIsForgotten, .observerCanBeHeldWeakly,
                .noCallAfterCancel, .postUnderWayHeedsCancelElsewhere, .cancelWaitsForARunningCall,
                .lateObserverSeesCurrentValue, .deliversOnAQueue, .oneCallOfAnObserverAtATime,
                .anyPosterReachesTheObserver, .observersCanBeListed, .unheardPostIsNoticed, .safeFromTwoThreads,
                .observeCancelAndPostInsideAnObserver, .cancelInADeinit),
        ],
        refuted: [.mixed], options: options)

    private static var options: [Form] {
        let sender = Display()
        return [
            Form("a KeptNotification", .lateObserverSeesCurrentValue) { _ in
                OptionTill(post: { $0.post(LatestSale(sale: Sale(order: $1))) }) { center, display in
                    center.observe(LatestSale.self, replayingLatest: true) { display.note($0.sale) }
                }
            },
            Form("ask", .answersBack) { _ in
                OptionTill(post: ask) { center, display in
                    center.answer(NumberOfSale.self) { question -> UInt64 in
                        display.note(question.sale)
                        return question.sale.order
                    }
                }
            },
            Form("observe(with:)", .observerCanBeHeldWeakly) { _ in
                OptionTill { $0.observe(Sale.self, with: $1) { $0.note($1) } }
            },
            Form("cancelAndWait()", .cancelWaitsForARunningCall) { _ in
                OptionTill(cancel: { $0.cancelAndWait() }) { center, display in
                    center.observe(Sale.self) { display.note($0) }
                }
            },
            Form("from: a sender") { _ in
                OptionTill(post: { $0.post(Sale(order: $1), from: sender) }) { center, display in
                    center.observe(Sale.self, from: sender) { display.note($0) }
                }
            },
            Form("onDelivery", .unheardPostIsNoticed) { _ in
                OptionTill { center, display in
                    center.onDelivery = { _, _, _ in }
                    return center.observe(Sale.self) { display.note($0) }
                }
            },
            // `observeOnMainActor` is this form with the main queue.
            Form("observe(on:)", .deliversOnAQueue, .oneCallOfAnObserverAtATime, .keepsTheMainActor) { _ in
                OptionTill(isConcurrent: true) { center, display in
                    center.observe(Sale.self, on: .ofObservers) { display.note($0) }
                }
            },
            Form("observe(isolation:)", .callersIsolationIsKept) { _ in
                OptionTill(isConcurrent: true) { center, display in
                    center.observe(Sale.self, isolation: nil) { display.note($0) }
                }
            },
        ]
    }

    @Sendable private static func ask(_ center: TypedNotificationCenter, _ order: UInt64) {
        do { _ = try center.ask(NumberOfSale(sale: Sale(order: order))) } catch { preconditionFailure("\(error)") }
    }
}
