import JuiceStand
import Platform
import StandService
import TerminalView
import TextFormats

/// `juicestand rate FACTOR`: multiplies the arrival rate.
enum RateCommand: Command {
    static let name = "rate"
    static let summary = "multiplies the arrival rate of a running stand"
    static let operands = "FACTOR"
    static let options = StandSession.changeOptions
    static let examples = [
        Example("juicestand rate 2", "twice as many customers"),
        Example("juicestand rate 0", "no new customers until the rate changes again"),
    ]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        guard options.operands.count == 1, let factor = Double(decimal: options.operands[0]), Stand.allows(rate: factor)
        else {
            let most = Columns.readable(Stand.rates.upperBound)
            throw CommandFailure(
                .usage, "rate needs one FACTOR, 0 or from \(Stand.rates.lowerBound) to \(most), found \(options.found)")
        }
        let session = try StandSession(options, output)
        return try session.print(try session.request(.put, "rate", ["factor": .number(factor)])) {
            ["Arrival rate × \(Columns.readable(factor)) from \(time(of: $0)) on."]
        }
    }
}

/// `juicestand pause`.
enum PauseCommand: Command {
    static let name = "pause"
    static let summary = "pauses a running stand: its clock stops"
    static let options = StandSession.changeOptions
    static let examples = [Example("juicestand pause", "no arrivals, no preparation")]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try send("pause", options, output, done: "paused") {
            $1 ? "The stand is already paused, at \($0)." : "Paused at \($0)."
        }
    }
}

/// `juicestand resume`.
enum ResumeCommand: Command {
    static let name = "resume"
    static let summary = "resumes a paused stand"
    static let options = StandSession.changeOptions
    static let examples = [Example("juicestand resume", "continue after a pause")]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try send("resume", options, output, done: "open") {
            $1 ? "The stand is not paused. It is \($0)." : "Resumed at \($0)."
        }
    }
}

/// `juicestand stop`.
enum StopCommand: Command {
    static let name = "stop"
    static let summary = "closes a running stand for good"
    static let discussion = "The ledger ends with `closed`. SIGTERM only suspends a stand that runs with --state."
    static let options = StandSession.changeOptions
    static let examples = [Example("juicestand stop", "close the stand")]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try send("stop", options, output) { time, _ in "Closed at \(time)." }
    }
}

/// `juicestand reload`.
enum ReloadCommand: Command {
    static let name = "reload"
    static let summary = "makes a running stand read its configuration again"
    static let discussion = """
        All changes are applied, or none. A change that is not possible while the stand is open is named, and the exit
        status is 78.
        """
    static let options = StandSession.changeOptions
    static let examples = [Example("juicestand reload", "after editing the file")]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try options.refuseOperands()
        let session = try StandSession(options, output)
        return try session.print(try session.request(.post, "reload")) { json in
            let changes = json["changes"]?.elements ?? []
            guard !changes.isEmpty else { return ["Nothing changed."] }
            return changes.map { change in
                "\(change["key"]?.text ?? ""): \(change["from"]?.text ?? "") → \(change["to"]?.text ?? "")"
            }
        }
    }
}

/// Sends a command without operands and prints the time at which it took effect.
///
/// - Parameters:
///   - phase: The phase of a stand that the command does not change; nil if it changes every stand.
///   - line: Makes the text of the time and of whether the stand was in that phase.
private func send(
    _ path: String, _ options: Options, _ output: Output, done phase: String? = nil, _ line: (String, Bool) -> String
) throws(CommandFailure) -> ExitStatus {
    try options.refuseOperands()
    let session = try StandSession(options, output)
    // The answer does not tell.
    let isDone = phase == nil ? false : try session.request(.get, "status").json?["phase"]?.text == phase
    return try session.print(try session.request(.post, path)) { [line(time(of: $0), isDone)] }
}

/// The time of day at which a change took effect.
private func time(of answer: JSONValue) -> String {
    let at = answer["at"]?.seconds.flatMap { DurationText.nanoseconds(seconds: $0) }
    return StandClock(opens: answer["opens"]?.text ?? "", now: at ?? 0).present
}
