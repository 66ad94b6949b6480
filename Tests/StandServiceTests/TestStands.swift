import Dispatch
import JuiceStand
import Platform
import StandService
import StandState
import TestSupport
import Testing

extension StandControl {
    /// What the stand answers to a change.
    func answer<Answer: Sendable>(to change: Change<Answer>, key: String? = nil) async throws -> Answer {
        try await withCheckedContinuation { continuation in
            submit(change, key: key) { continuation.resume(returning: $0) }
        }.get()
    }

    func order(_ juice: String, cups: Int = 1, key: String? = nil) async throws -> OrderAnswer {
        try await answer(to: .order(juice, cups: cups), key: key)
    }

    func reload() async throws -> [SettingChange] {
        try await withCheckedContinuation { continuation in reload { continuation.resume(returning: $0) } }.get()
    }
}

extension StandSettings {
    /// - Parameter text: A configuration in JSON5.
    init(parsing text: String) throws(ConfigurationError) {
        self = try StandConfiguration(Array(text.utf8), source: "test").settings
    }
}

extension RunningStand.Options {
    /// A stand without a display that stays open.
    ///
    /// - Parameter configuration: In JSON5.
    init(
        _ configuration: String, wiring: WiringChoice = .closure, speed: Double = 1, ledger: String? = nil,
        state: String? = nil
    ) throws {
        self.init(
            settings: try StandSettings(parsing: configuration), wiring: wiring, speed: speed, horizon: .never,
            duration: nil, ledger: ledger, display: .none, logsAsJSON: false)
        self.state = state
    }
}

/// The standard menu, ten of each fruit, and no customer for a day.
let nobodyComes = #"{"customers": {"arrivals": {"renewal": "1d"}}}"#

// MARK: - Stands with a state

/// A stand with a state and without arrivals.
func stand(
    _ folder: String, ledger: String? = nil, configuration: String = nobodyComes
) throws -> RunningStand {
    var options = try RunningStand.Options(configuration, ledger: ledger, state: folder)
    // However long a busy machine takes, the changes stay in the first journal.
    options.saving = .never
    return try RunningStand(options)
}

/// Runs a stand while `body` talks to it, and suspends it.
func withSuspended(_ running: RunningStand, _ body: (StandControl) async throws -> Void) async throws {
    let queue = DispatchQueue(label: "run")
    let group = DispatchGroup()
    queue.async(group: group) { _ = running.run { _ in } }
    try await body(running.control)
    running.control.suspend()
    await withCheckedContinuation { continuation in group.notify(queue: queue) { continuation.resume() } }
}

/// Calls `body` with a folder that is removed afterwards.
func withTemporaryFolder(_ body: (String) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    try await body(folder.path)
    withExtendedLifetime(folder) {}
}

/// Expects the ledger to have every line that the replay of the state writes, and no contradiction.
func expectWholeLedger(
    in folder: String, files: [String]? = nil, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let files = files ?? ["\(folder)/ledger.jsonl"]
    let difference = try StateAudit(folder: "\(folder)/state", files: files).difference
    #expect(difference == nil, sourceLocation: sourceLocation)
    var audit = LedgerAudit()
    for file in files { try audit.read(file: file) }
    #expect(audit.finding.problems == [], sourceLocation: sourceLocation)
}
