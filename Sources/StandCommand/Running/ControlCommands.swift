import JuiceStand
import Platform
import StandClient
import TerminalView
import TextFormats

/// The commands that change how a running stand goes on, each a row.
enum ControlCommands {
    static let pause = CommandRow(
        name: "pause", summary: "pauses a running stand: its clock stops",
        options: StandSession.changeOptions,
        examples: [Example("juicestand pause", "no arrivals, no preparation")]
    ) { options, output throws(CommandFailure) in
        try send("pause", options, output, done: "paused") {
            $1 ? "The stand is already paused, at \($0)." : "Paused at \($0)."
        }
    }

    static let resume = CommandRow(
        name: "resume", summary: "resumes a paused stand", options: StandSession.changeOptions,
        examples: [Example("juicestand resume", "continue after a pause")]
    ) { options, output throws(CommandFailure) in
        try send("resume", options, output, done: "open") {
            $1 ? "The stand is not paused. It is \($0)." : "Resumed at \($0)."
        }
    }

    static let stop = CommandRow(
        name: "stop", summary: "closes a running stand for good",
        discussion:
            "The ledger ends with `closed`. SIGTERM only suspends a stand that runs with --state.",
        options: StandSession.changeOptions, examples: [Example("juicestand stop", "close the stand")]
    ) { options, output throws(CommandFailure) in
        try send("stop", options, output) { time, _ in "Closed at \(time)." }
    }

    static let rate = CommandRow(
        name: "rate", summary: "multiplies the arrival rate of a running stand", operands: "FACTOR",
        options: StandSession.changeOptions,
        examples: [
            Example("juicestand rate 2", "twice as many customers"),
            Example("juicestand rate 0", "no new customers until the rate changes again"),
        ]
    ) { options, output throws(CommandFailure) in
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

    static let reload = CommandRow(
        name: "reload", summary: "makes a running stand read its configuration again",
        discussion: """
            All changes are applied, or none. A change that is not possible while the stand is open is named, and the exit
            status is 78.
            """,
        options: StandSession.changeOptions,
        examples: [Example("juicestand reload", "after editing the file")]
    ) { options, output throws(CommandFailure) in
        try options.refuseOperands()
        let session = try StandSession(options, output)
        return try session.print(try session.request(.post, "reload")) { (changed: ChangedSettings) in
            let lines = changed.changes.map { "\($0.key): \($0.from) → \($0.to)" }
            return lines.isEmpty ? ["Nothing changed."] : lines
        }
    }

    /// Sends a command without operands and prints the time at which it took effect.
    ///
    /// - Parameters:
    ///   - phase: The phase of a stand that the command does not change; nil if it changes every stand.
    ///   - line: Makes the text of the time and of whether the stand was in that phase.
    private static func send(
        _ path: String, _ options: Options, _ output: Output, done phase: String? = nil,
        _ line: (String, Bool) -> String
    ) throws(CommandFailure) -> ExitStatus {
        try options.refuseOperands()
        let session = try StandSession(options, output)
        // The answer does not tell.
        let isDone =
            phase == nil ? false : try session.request(.get, "status").document(StatusDocument.self)?.phase == phase
        return try session.print(try session.request(.post, path)) { (change: ChangeTime) in
            [line(change.clock.present, isDone)]
        }
    }
}
