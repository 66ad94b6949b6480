import JuiceStand
import StandClient
import TextFormats

/// The commands that change how a running stand goes on, each a row.
enum ControlCommands {
    static let pause = change("pause", done: "paused") {
        $1 ? "The stand is already paused, at \($0)." : "Paused at \($0)."
    }

    static let resume = change("resume", done: "open") {
        $1 ? "The stand is not paused. It is \($0)." : "Resumed at \($0)."
    }

    static let stop = change("stop") { time, _ in "Closed at \(time)." }

    static let rate = Command("rate", StandSession.changeOptions) { options, output throws(CommandFailure) in
        guard options.operands.count == 1, let factor = Double(decimal: options.operands[0]),
            Stand.allows(rate: factor)
        else {
            let most = Columns.readable(Stand.rates.upperBound)
            throw CommandFailure(
                .usage,
                "rate needs one FACTOR, 0 or from \(Stand.rates.lowerBound) to \(most), found \(options.found)"
            )
        }
        let session = try StandSession(options, output)
        return try session.print(try session.request(.put, "rate", ["factor": .number(factor)])) {
            (change: ChangeTime) in ["Arrival rate × \(Columns.readable(factor)) from \(change.clock.present) on."]
        }
    }

    static let reload = Command("reload", StandSession.changeOptions) { options, output throws(CommandFailure) in
        let session = try StandSession(options, output)
        return try session.print(try session.request(.post, "reload")) { (changed: ChangedSettings) in
            let lines = changed.changes.map { "\($0.key): \($0.from) → \($0.to)" }
            return lines.isEmpty ? ["Nothing changed."] : lines
        }
    }

    /// A command that sends a request of its name and prints the time at which it took effect.
    ///
    /// - Parameters:
    ///   - phase: The phase of a stand that the command does not change; nil if it changes every stand.
    ///   - line: Makes the text of the time and of whether the stand was in that phase.
    private static func change(
        _ name: String, done phase: String? = nil, _ line: @escaping @Sendable (String, Bool) -> String
    ) -> Command {
        Command(name, StandSession.changeOptions) { options, output throws(CommandFailure) in
            let session = try StandSession(options, output)
            // The answer to the change does not tell whether it changed anything.
            let isDone = phase == nil ? false : try session.get("status", StatusDocument.self)?.phase == phase
            return try session.print(try session.request(.post, name)) { (change: ChangeTime) in
                [line(change.clock.present, isDone)]
            }
        }
    }
}
