import Dispatch

final class DelegatingTill {
    weak var delegate: (any TillDelegate)?

    func post(_ sale: Sale) { delegate?.sold(sale) }
}

// MARK: - In the comparison

extension DelegatingTill: Idiom {
    func observe(_ display: Display) { delegate = display }
    func cancel(_ key: Void) { delegate = nil }

    var capacity: Int { 1 }
    var holdsWeakly: Bool { true }
    var isHeard: Bool? { delegate != nil }
    var observersListed: [String]? { delegate.map { ["\(type(of: $0))"] } ?? [] }
}

/// A poster whose delegate outlives it and is handed over at init.
private final class UnownedTill: FixedIdiom {
    private unowned let delegate: any TillDelegate
    init(_ delegate: any TillDelegate) { self.delegate = delegate }
    func post(_ sale: Sale) { delegate.sold(sale) }
}

/// A delegate with an asynchronous requirement, to which an actor can conform.
private protocol AsyncTillDelegate: AnyObject, Sendable {
    func sold(_ sale: Sale) async
}

private actor AsyncDisplay: AsyncTillDelegate {
    private let display: Display
    init(_ display: Display) { self.display = display }
    func sold(_ sale: Sale) { display.note(sale) }
}

private final class AwaitingTill: FixedIdiom {
    private let delegate: any AsyncTillDelegate
    init(_ delegate: any AsyncTillDelegate) { self.delegate = delegate }
    func post(_ sale: Sale) { post(1, from: sale.order, by: 1) }

    func post(_ count: Int, from first: UInt64, by step: UInt64) {
        let isDone = DispatchSemaphore(value: 0)
        Task { [delegate] in
            for number in 0..<UInt64(count) { await delegate.sold(Sale(order: first + number * step)) }
            isDone.signal()
        }
        isDone.wait()
    }
}

extension Profile {
    static let delegate = Profile(
        choice: .delegate, file: "DelegatingTill.swift", configuration: "one weak delegate, so one observer",
        advice: Advice(
            "one that must answer", (.everyObserverHandlesEveryEvent, true), (.answersBack, true),
            (.reachesManyObservers, false)),
        plain: Form { _ in DelegatingTill() },
        exceptions: [
            Reason(
                "there is one observer", .keepsOrderOfObservers, .keepsOrderUnderChurn,
                .failingObserverDoesNotStopTheOthers, .anyObserverCanVeto, .cancelInADeinit),
            .oneThread, .noMemory,
        ],
        grounds: [
            .call, .throwing, .weak,
            Reason("the poster has the delegate", .unheardPostIsNoticed, .observersCanBeListed),
            Reason("cancel and observe set one property", .observeCancelAndPostInsideAnObserver),
        ],
        refuted: [Reason("two threads set and read its weak delegate at once", .safeFromTwoThreads)],
        options: [
            Form("an unowned let, handed over at init", .forgottenWiringIsAnError) { UnownedTill($0[0]) },
            Form("an async requirement", .callersIsolationIsKept, .handlersCanBeAwaited) {
                AwaitingTill(AsyncDisplay($0[0]))
            },
        ])
}
