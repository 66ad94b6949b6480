import Foundation

final class NamedNotificationTill: Sendable {
    let center: NotificationCenter
    init(_ center: NotificationCenter = NotificationCenter()) { self.center = center }

    func post(_ sale: Sale) { center.post(name: .juiceSold, object: nil, userInfo: ["sale": sale]) }
    func observe(_ handle: @escaping @Sendable (Sale) -> Void) -> any NSObjectProtocol {
        center.addObserver(forName: .juiceSold, object: nil, queue: nil) {
            if let sale = $0.userInfo?["sale"] as? Sale { handle(sale) }
        }
    }
    func cancel(_ token: any NSObjectProtocol) { center.removeObserver(token) }
}
extension Notification.Name { static let juiceSold = Notification.Name("juice.sold") }

// MARK: - In the comparison

extension NamedNotificationTill: Idiom {
    func observe(_ display: Display) -> any NSObjectProtocol { observe { display.note($0) } }
    func makeAnother() -> any Idiom { NamedNotificationTill(center) }

    func observe(on queue: DispatchQueue, _ body: @escaping PostHandler) -> Form? {
        let operations = OperationQueue()
        unsafe operations.underlyingQueue = queue
        let token = center.addObserver(forName: .juiceSold, object: nil, queue: operations) {
            if let sale = $0.userInfo?["sale"] as? Sale { body(sale.order) }
        }
        // The center does not keep the queue alive.
        return Form(
            Subscription { [center] in withExtendedLifetime(operations) { center.removeObserver(token) } },
            "queue: a serial queue")
    }
}

extension Profile.Reason {
    /// Of the class NotificationCenter, which is the same object for its names and its messages.
    static let center = Self(
        "the documentation of NotificationCenter says so", .reachesManyObservers, .safeFromTwoThreads,
        .anyPosterReachesTheObserver)
    static let atOnce = Self(
        "the documentation says that a post returns when all observers have handled it", .deliversEachNotificationOnce,
        .keepsOrderOfPosts, .finishedWhenPosterGoesOn, .slowObserverIsNoticed, .hearsWhatWasPostedBeforeCancel)
    static let token = Self(
        "the documentation says that the observation ends when its token is released", .releasedObserverIsForgotten,
        .capturesReleasedOnCancel)
}

extension Profile {
    static let foundationNotification = Profile(
        choice: .foundationNotification, file: "NamedNotificationTill.swift",
        configuration: "a name, no object, no queue, and a value in userInfo",
        standWiring: "a center, with a name for each fact",
        advice: Advice(
            "what the system posts", (.anyPosterReachesTheObserver, true),
            (.nameAndPayloadCheckedByCompiler, false)),
        make: { NamedNotificationTill() }, exceptions: [.noThrowing],
        grounds: [
            .center, .atOnce,
            Reason("the documentation says that removing an observer releases its block", .capturesReleasedOnCancel),
            Reason(
                "the documentation says that the block runs on the queue that is given, which is serial",
                .deliversOnAQueue, .oneCallOfAnObserverAtATime),
        ],
        refuted: [.mixed],
        options: [
            Option("queue: a serial queue", .deliversOnAQueue, .oneCallOfAnObserverAtATime) { display in
                let till = NamedNotificationTill()
                let form = till.observe(on: DispatchQueue(label: "observer")) { display.note(Sale(order: $0)) }
                return { count in withExtendedLifetime(form) { till.post(count, from: 1, by: 1) } }
            }
        ])
}
