import JuiceStand
import Platform
import StandService
import TerminalView
import TextFormats

/// `juicestand rate`: how often customers come.
enum RateCommand: Command {
    static let name = "rate"
    static let summary = "customers of a running stand come so many times as often as configured"
    static let operands = "FACTOR"
    static let options = StandConversation.changing
    static let examples = [
        Example("juicestand rate 2", "twice as many"), Example("juicestand rate 0", "nobody, until another rate"),
    ]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        guard options.operands.count == 1, let factor = Double(decimal: options.operands[0]), Stand.allows(rate: factor)
        else {
            let most = Columns.readable(Stand.rates.upperBound)
            throw CommandFailure(
                .usage, "rate needs one FACTOR, 0 or from \(Stand.rates.lowerBound) to \(most), found \(options.found)")
        }
        let conversation = try StandConversation(options, output)
        return try conversation.show(try conversation.ask(.put, "rate", ["factor": .number(factor)])) {
            ["Customers × \(Columns.readable(factor)) from stand time \(SpanText.clock($0["at"]?.seconds ?? 0)) on."]
        }
    }
}

/// `juicestand pause`.
enum PauseCommand: Command {
    static let name = "pause"
    static let summary = "stops the stand time of a running stand"
    static let options = StandConversation.changing
    static let examples = [Example("juicestand pause", "nobody comes, nothing is made")]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try tell("pause", options, output) { "Paused at stand time \($0)." }
    }
}

/// `juicestand resume`.
enum ResumeCommand: Command {
    static let name = "resume"
    static let summary = "lets the stand time of a running stand go on"
    static let options = StandConversation.changing
    static let examples = [Example("juicestand resume", "after a pause")]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try tell("resume", options, output) { "Open again at stand time \($0)." }
    }
}

/// `juicestand stop`.
enum StopCommand: Command {
    static let name = "stop"
    static let summary = "closes a running stand for good"
    static let discussion = "Unlike SIGTERM, which only suspends a stand that has a state folder."
    static let options = StandConversation.changing
    static let examples = [Example("juicestand stop", "the ledger ends with `closed`")]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try tell("stop", options, output) { "Closed at stand time \($0)." }
    }
}

/// `juicestand reload`.
enum ReloadCommand: Command {
    static let name = "reload"
    static let summary = "lets a running stand read its configuration again"
    static let discussion = "All of it is applied, or nothing. What can't change while the stand is open is named."
    static let options = StandConversation.changing
    static let examples = [Example("juicestand reload", "after a change of the file")]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try options.refuseOperands()
        let conversation = try StandConversation(options, output)
        return try conversation.show(try conversation.ask(.post, "reload")) { json in
            let changes = json["changes"]?.elements ?? []
            guard !changes.isEmpty else { return ["Nothing has changed."] }
            return changes.map { change in
                "\(change["key"]?.text ?? ""): \(change["from"]?.text ?? "") → \(change["to"]?.text ?? "")"
            }
        }
    }
}

/// A command without operands whose answer is the stand time at which it was done.
private func tell(
    _ path: String, _ options: Options, _ output: Output, _ line: (String) -> String
) throws(CommandFailure) -> ExitStatus {
    try options.refuseOperands()
    let conversation = try StandConversation(options, output)
    return try conversation.show(try conversation.ask(.post, path)) { [line(SpanText.clock($0["at"]?.seconds ?? 0))] }
}
