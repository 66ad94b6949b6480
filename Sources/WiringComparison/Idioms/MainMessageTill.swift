import Foundation

final class MainMessageTill: Sendable {
    let center: NotificationCenter
    init(_ center: NotificationCenter = NotificationCenter()) { self.center = center }

    @MainActor func sell(_ sale: Sale) { center.post(JuiceSoldOnMain(sale: sale)) }
    func observe(_ handle: @escaping @MainActor (Sale) -> Void) -> NotificationCenter.ObservationToken {
        center.addObserver(for: JuiceSoldOnMain.self) { handle($0.sale) }
    }
    func cancel(_ token: NotificationCenter.ObservationToken) { center.removeObserver(token) }
}
struct JuiceSoldOnMain: NotificationCenter.MainActorMessage {
    typealias Subject = NotificationCenter
    let sale: Sale
}

// MARK: - In the comparison

extension MainMessageTill: Idiom {
    func observe(_ display: Display) -> NotificationCenter.ObservationToken { observe { display.note($0) } }
    func makeAnother() -> (any Idiom)? { MainMessageTill(center) }

    /// Posts must come from the main actor, and the program measures on the main thread.
    func post(_ sale: Sale) { MainActor.assumeIsolated { sell(sale) } }
}

extension Profile {
    static let foundationMessageMain = Profile(
        choice: .foundationMessageMain, file: "MainMessageTill.swift",
        configuration: "a MainActorMessage, posted on the main actor",
        advice: Advice("posts on the main actor", (.keepsTheMainActor, true), (.callersIsolationIsKept, false)),
        plain: Form { _ in MainMessageTill() },
        exceptions: [
            .noThrowing, .oneThread,
            Reason("only the main actor may post", .safeFromTwoThreads, .twoPostersDoNotSlowEachOther),
        ],
        grounds: [.center, .atOnce, .token])
}
