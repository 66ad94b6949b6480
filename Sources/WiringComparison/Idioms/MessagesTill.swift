import Foundation

final class MessagesTill: Sendable {
    let center: NotificationCenter
    init(_ center: NotificationCenter = NotificationCenter()) { self.center = center }

    func post(_ sale: Sale) { center.post(SaleMessage(sale: sale)) }
    func observe(_ handle: @escaping @Sendable (Sale) async -> Void) -> Task<Void, Never> {
        // The center keeps messages for an iterator, and a task begins in its own time. So the task is handed one.
        let iterator = center.messages(for: SaleMessage.self).makeAsyncIterator()
        return Task {
            var messages = iterator
            while let message = await messages.next(isolation: nil) { await handle(message.sale) }
        }
    }
}

// MARK: - What it needs

struct SaleMessage: NotificationCenter.AsyncMessage {
    typealias Subject = NotificationCenter
    let sale: Sale
}

// MARK: - In the comparison

extension MessagesTill: SequenceIdiom {
    func observe(_ display: Display) -> Task<Void, Never> { observe { display.note($0) } }
    func cancel(_ task: Task<Void, Never>) { task.cancel() }
    func makeAnother() -> (any Idiom)? { MessagesTill(center) }

    func observe(asynchronously handle: @escaping @Sendable (Sale) async -> Void) -> Task<Void, Never>? {
        observe(handle)
    }
}

extension Profile {
    static let foundationMessages = Profile(
        choice: .foundationMessages, file: "MessagesTill.swift",
        configuration: "for await in messages(of:for:), with its buffer of 10",
        advice: Advice(
            "signals; some get lost", (.deliversEachNotificationOnce, false), (.deliversOnAQueue, true)),
        plain: Form(window: 10) { _ in MessagesTill() }, exceptions: [.later], grounds: [.center, .task],
        refuted: [
            .mixed,
            Reason("the sequence keeps the newest 10 messages", .deliversEachNotificationOnce, .slowObserverIsNoticed),
        ])
}
