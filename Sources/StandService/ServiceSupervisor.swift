import Dispatch
import JuiceStand
import Platform
import StandState
import TextFormats

/// Supervises a running stand: handles signals, checks the stand every second, and reports its state to the operator
/// and the service manager.
final class ServiceSupervisor: Sendable {
    /// The signals that end the program, and those that an operator sends.
    static let signals = [SIGINT, SIGTERM, SIGHUP, SIGUSR1]

    let log: ServiceLog
    private let control: StandControl
    private let notifier = ServiceNotifier()
    private let isOnTerminal: Bool
    private let state = Guarded(State())

    private struct State {
        var timers: [any DispatchSourceTimer] = []
        var causes: [String] = []
    }

    init(_ control: StandControl, log: ServiceLog) {
        self.control = control
        self.log = log
        isOnTerminal = (0...2).contains { isTerminal($0) }
    }

    /// Starts once the stand is open.
    func begin() {
        control.queue.async {
            self.notifier.ready(self.statusText)
            // Saves a snapshot if one is due, so that the next start does not repeat a long replay.
            self.control.maintain()
            var timers = [self.timer(every: 1_000_000_000) { self.check() }]
            if let interval = self.notifier.watchdogInterval {
                timers.append(self.timer(every: interval) { self.notifier.alive(self.statusText) })
            }
            self.state.withLock { $0.timers = timers }
        }
    }

    func end() {
        notifier.stopping()
        for timer in state.withLock({ $0.timers }) { timer.cancel() }
    }

    /// Makes a timer on the stand's queue, so that the watchdog proves that the stand itself is alive.
    private func timer(every nanoseconds: UInt64, _ body: @escaping @Sendable () -> Void) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: control.queue)
        let interval = DispatchTimeInterval.nanoseconds(Int(clamping: nanoseconds))
        timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(10))
        timer.setEventHandler(handler: body)
        timer.activate()
        return timer
    }

    private func check() {
        control.maintain()
        let causes = control.causes
        let before = state.exchange(\.causes, for: causes)
        for cause in causes where !before.contains(cause) {
            // The same cause with another number of lines or minutes is not logged again.
            if before.contains(where: { $0.prefix(8) == cause.prefix(8) }) { continue }
            log.write(.error, "failing", ["cause": .string(cause)])
        }
        if causes.isEmpty, !before.isEmpty { log.write(.notice, "recovered") }
    }

    private var statusText: String {
        let status = control.status
        return "\(status.settings.stand): \(status.phase.rawValue) at \(status.clock.present), "
            + "\(Columns.grouped(status.served)) served, \(status.present) in the stand"
            + (status.causes.first.map { "; \($0)" } ?? "")
    }
}

// MARK: - Signals

extension ServiceSupervisor {
    func hear(_ signal: Int32) {
        switch signal {
        case SIGHUP where !isHungUp: reload()
        case SIGUSR1: reopen()
        default: control.end()
        }
    }

    /// Whether the controlling terminal is gone. SIGHUP then ends the program instead of reloading.
    private var isHungUp: Bool {
        guard isOnTerminal else { return false }
        let terminal = unsafe open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return true }
        close(terminal)
        return false
    }

    private func reload() {
        notifier.reloading()
        control.reload { result in
            self.logReload(result, "reload")
            self.notifier.ready(self.statusText)
        }
    }

    func logReload(_ result: Result<[SettingChange], ControlError>, _ why: String) {
        switch result {
        case .success(let changes):
            log.write(.notice, why, ["changed": .whole(changes.count)])
            for change in changes {
                log.write(
                    .notice, "configurationChanged",
                    ["key": .string(change.key), "from": .string(change.from), "to": .string(change.to)])
            }
        case .failure(let error):
            for line in "\(error)".split(separator: "\n") {
                log.write(.error, why, ["refused": .string(String(line))])
            }
        }
    }

    private func reopen() {
        guard let ledger = control.ledger else {
            return log.write(.warning, "reopen", ["refused": "the stand has no ledger"])
        }
        control.reopenLedger { failure in
            if let failure {
                self.log.write(.error, "reopen", ["refused": .string("\(failure.path): \(failure.reason)")])
            } else {
                self.log.write(.info, "reopen", ["ledger": .string(ledger.path)])
            }
        }
    }
}
