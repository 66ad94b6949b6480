import Foundation

final class MessageTill: Sendable {
    let center: NotificationCenter
    init(_ center: NotificationCenter = NotificationCenter()) { self.center = center }

    func post(_ sale: Sale) { center.post(JuiceSold(sale: sale)) }
    func observe(_ handle: @escaping @Sendable (Sale) async -> Void) -> NotificationCenter.ObservationToken {
        center.addObserver(for: JuiceSold.self) { await handle($0.sale) }
    }
    func cancel(_ token: NotificationCenter.ObservationToken) { center.removeObserver(token) }
}
struct JuiceSold: NotificationCenter.AsyncMessage {
    typealias Subject = NotificationCenter
    let sale: Sale
}

// MARK: - In the comparison

extension MessageTill: Idiom {
    var isConcurrent: Bool { true }
    func observe(_ display: Display) -> NotificationCenter.ObservationToken { observe { display.note($0) } }
    func makeAnother() -> (any Idiom)? { MessageTill(center) }

    func observe(
        asynchronously handle: @escaping @Sendable (Sale) async -> Void
    ) -> NotificationCenter.ObservationToken? { observe(handle) }
}

extension Profile {
    static let foundationMessage = Profile(
        choice: .foundationMessage, file: "MessageTill.swift",
        configuration: "an AsyncMessage with an asynchronous handler",
        advice: Advice(
            "work in any order", (.nameAndPayloadCheckedByCompiler, true), (.keepsOrderOfPosts, false)),
        plain: Form { _ in MessageTill() }, exceptions: [.noThrowing, .later],
        grounds: [
            .center, .token,
            Reason("a handler is asynchronous, so it may wait for an actor on a queue", .deliversOnAQueue),
        ],
        refuted: [
            .mixed,
            Reason(
                "each message is handled in a task of its own, and tasks have no order", .keepsOrderOfPosts,
                .keepsOrderOfObservers, .keepsOrderUnderChurn, .oneCallOfAnObserverAtATime),
            Reason(
                "on Linux a center makes its queue of messages at the first one, without a lock: if two threads post "
                    + "then, some are lost, 1 to 38 of 160 in a few of 300 rounds", .safeFromTwoThreads),
            Reason("a cancelled observer drops the messages that wait for it", .hearsWhatWasPostedBeforeCancel),
        ])
}
