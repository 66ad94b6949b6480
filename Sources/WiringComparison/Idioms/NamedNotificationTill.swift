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
    func makeAnother() -> (any Idiom)? { NamedNotificationTill(center) }
}

/// A till whose observers name a serial queue.
private final class QueuedNotificationTill: Idiom {
    private let till = NamedNotificationTill()
    // The center does not keep the queue alive.
    private let operations = OperationQueue()
    var isConcurrent: Bool { true }

    init() { unsafe operations.underlyingQueue = .ofObservers }

    func observe(_ display: Display) -> any NSObjectProtocol {
        till.center.addObserver(forName: .juiceSold, object: nil, queue: operations) {
            if let sale = $0.userInfo?["sale"] as? Sale { display.note(sale) }
        }
    }

    func cancel(_ token: any NSObjectProtocol) { till.cancel(token) }
    func post(_ sale: Sale) { till.post(sale) }
}

extension Profile.Reason {
    /// For the class NotificationCenter, of which one object handles both names and messages.
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
        advice: Advice(
            "what the system posts", (.anyPosterReachesTheObserver, true),
            (.nameAndPayloadCheckedByCompiler, false)),
        plain: Form { _ in NamedNotificationTill() }, exceptions: [.noThrowing],
        grounds: [
            .center, .atOnce,
            Reason("the documentation says that removing an observer releases its block", .capturesReleasedOnCancel),
            Reason(
                "the documentation says that the block runs on the queue that is given, which is serial",
                .deliversOnAQueue, .oneCallOfAnObserverAtATime),
        ],
        refuted: [.mixed],
        options: [
            Form("queue: a serial queue", .deliversOnAQueue, .oneCallOfAnObserverAtATime) { _ in
                QueuedNotificationTill()
            }
        ])
}
