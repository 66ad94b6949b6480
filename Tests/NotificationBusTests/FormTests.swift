import Dispatch
import NotificationBus
import TestSupport
import Testing

/// What every form of observing has in common.
@Suite(.timeLimit(.minutes(60)))
struct FormTests {
    enum Form: CaseIterable {
        case plain, withObject, onQueue, onMainActor, onMainActorWithObject, withActor, inIsolation
        case withoutIsolation, sequence
    }

    let center = TypedNotificationCenter()
    private let corner = Captive {}

    @MainActor
    @Test(arguments: Form.allCases)
    func `sender, latest value and place are passed on`(form: Form) async throws {
        let record = Record<Int>()
        center.post(StockLevels(level: 1), from: corner)
        let observation = observe(form, record)
        let report = try #require(center.observations().first)
        #expect(report.place == "Stand/A.swift:12")
        center.post(StockLevels(level: 2), from: Captive {})
        center.post(StockLevels(level: 3), from: corner)
        try await eventually("two calls") { record.entries.count >= 2 }
        #expect(record.entries == [1, 3])
        withExtendedLifetime(observation) {}
    }

    @MainActor
    private func observe(_ form: Form, _ record: Record<Int>) -> any Sendable {
        let file: StaticString = "Stand/A.swift"
        let note: @Sendable (StockLevels) -> Void = { record.note($0.level) }
        switch form {
        case .plain:
            return center.observe(
                StockLevels.self, from: corner, replayingLatest: true, fileID: file, line: 12, using: note)
        case .withObject:
            return center.observe(
                StockLevels.self, with: record, from: corner, replayingLatest: true, fileID: file, line: 12
            ) { $0.note($1.level) }
        case .onQueue:
            return center.observe(
                StockLevels.self, on: DispatchQueue(label: "observers"), from: corner, replayingLatest: true,
                fileID: file, line: 12, using: note)
        case .onMainActor:
            return center.observeOnMainActor(
                StockLevels.self, from: corner, replayingLatest: true, fileID: file, line: 12, using: note)
        case .onMainActorWithObject:
            return center.observeOnMainActor(
                StockLevels.self, with: record, from: corner, replayingLatest: true, fileID: file, line: 12
            ) { $0.note($1.level) }
        case .withActor:
            return center.observe(
                StockLevels.self, with: MainActor.shared, from: corner, replayingLatest: true, fileID: file, line: 12
            ) { record.note($1.level) }
        case .inIsolation:
            return center.observe(
                StockLevels.self, isolation: MainActor.shared, from: corner, replayingLatest: true,
                fileID: file, line: 12
            ) { record.note($0.level) }
        case .withoutIsolation:
            return center.observe(
                StockLevels.self, isolation: nil, from: corner, replayingLatest: true, fileID: file,
                line: 12
            ) { record.note($0.level) }
        case .sequence:
            let begun = center.notifications(
                of: StockLevels.self, from: corner, replayingLatest: true, fileID: file, line: 12
            ).makeAsyncIterator()
            return Task {
                var iterator = begun
                while let note = await iterator.next() { record.note(note.level) }
            }
        }
    }
}
