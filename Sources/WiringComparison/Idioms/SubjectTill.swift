import Foundation
import Synchronization

final class Subject<Output>: @unchecked Sendable {
    private let lock = NSLock()
    private var sinks: [Sink<Output>] = []

    func send(_ output: Output) { for sink in lock.withLock({ sinks }) { sink.pass(output) } }
    func sink(_ receive: @escaping (Output) -> Void) -> AnyCancellable {
        let sink = Sink(receive)
        lock.withLock { sinks.append(sink) }
        return AnyCancellable { [weak self] in
            sink.isCancelled.store(true, ordering: .releasing)
            self?.lock.withLock { self?.sinks.removeAll { $0 === sink } }
        }
    }
}

// MARK: - What it needs

final class Sink<Output> {
    private let receive: (Output) -> Void
    let isCancelled = Atomic(false)

    init(_ receive: @escaping (Output) -> Void) { self.receive = receive }

    func pass(_ output: Output) { if !isCancelled.load(ordering: .acquiring) { receive(output) } }
}

/// Cancels when it is released.
final class AnyCancellable {
    private var end: (() -> Void)?

    init(_ end: @escaping () -> Void) { self.end = end }
    deinit { cancel() }

    func cancel() {
        end?()
        end = nil
    }
}

// MARK: - In the comparison

extension Subject<Sale>: Idiom {
    func observe(_ display: Display) -> AnyCancellable { sink { display.note($0) } }
    func cancel(_ cancellable: AnyCancellable) { cancellable.cancel() }
    func post(_ sale: Sale) { send(sale) }
}

extension Profile {
    static let subject = Profile(
        choice: .subject, file: "SubjectTill.swift",
        configuration: "a subject with the signatures of Combine's, written by hand, without demand",
        advice: Advice(
            "observers come and go", (.releasedObserverIsForgotten, true),
            (.postUnderWayHeedsCancelElsewhere, true)),
        plain: Form { _ in Subject<Sale>() }, exceptions: [.noThrowing],
        grounds: [
            .loop, .removes, .copy, .lock,
            Reason(
                "a subscription that is cancelled passes nothing on", .noCallAfterCancel,
                .postUnderWayHeedsCancelElsewhere),
            Reason("the token cancels when it is released, as Combine's does", .releasedObserverIsForgotten),
        ],
        refuted: [.mixed])
}
