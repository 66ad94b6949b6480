import JuiceStand
import Platform
import StandService
import TerminalView
import TextFormats

/// `juicestand order`: one order at a running stand, with the words of its screens.
enum OrderCommand: Command {
    static let name = "order"
    static let summary = "orders juice at a running stand"
    static let operands = "JUICE [CUPS]"
    static let discussion = """
        Says whether the order was taken, or which fruit is short and what could be made instead: then the exit status
        is 1. With --wait it says how the order ended. JUICE may be any of the names that the juice has.
        """
    static let options =
        [Option("--wait", nil, "waits until the juice is ready")] + StandConversation.changing
    static let examples = [
        Example("juicestand order 'banana juice'", "a cup of it"),
        Example("juicestand order 'mango juice' 3 --wait", "three cups; back when they are ready"),
    ]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        guard (1...2).contains(options.operands.count) else {
            throw CommandFailure(
                .usage, "order needs JUICE [CUPS], the juice in quotes where it has spaces, found \(options.found)")
        }
        let juice = options.operands[0]
        let cups = try options.operands.dropFirst().first.map { text throws(CommandFailure) in
            try Options.whole("CUPS", text, 1...Stand.mostCups)
        }
        let conversation = try StandConversation(options, output)
        let answer = try conversation.ask(
            .post, "orders", ["juice": .string(juice), "cups": .integer(Int64(cups ?? 1))])
        if answer.status == 409, let problem = answer.json, problem["reason"] != nil {
            conversation.show(problem, lost(problem))
            return .failed
        }
        if options.has("--wait"), answer.isSuccess, let order = answer.json?["order"]?.whole {
            return try end(of: order, answer.json?["juice"]?.text ?? juice, conversation)
        }
        return try conversation.show(answer, taken)
    }

    private static func taken(_ answer: JSONValue) -> [String] {
        let juice = capitalized(answer["juice"]?.text ?? "")
        let waiting = answer["cupsWaitingForFruit"]?.whole ?? 0
        let next =
            if waiting > 0 {
                "\(Columns.counted(waiting, "cup")) \(waiting == 1 ? "waits" : "wait") for fruit"
            } else if answer["isStarted"]?.isTrue == true {
                "a maker is at work"
            } else {
                "it is in line"
            }
        let taken = "\(juice) is on its way, enjoy! (Order \(answer["order"]?.whole ?? 0): \(next).)"
        return answer["isSubstitute"]?.isTrue == true ? ["Sold out; instead:", taken] : [taken]
    }

    private static func lost(_ problem: JSONValue) -> [String] {
        guard problem["reason"]?.text == "soldOut" else { return ["The line is full. Come back later."] }
        let missing = Columns.grouped(problem["missing"]?.whole ?? 0)
        let instead = problem["instead"]?.elements.compactMap(\.text) ?? []
        return [
            "Not enough fruit: \(missing) more \(problem["fruit"]?.text ?? "") needed.",
            instead.isEmpty
                ? "Nothing can be made in its place; juicestand restock changes that."
                : "Instead there could be \(instead.joined(separator: ", ")).",
        ]
    }

    /// Waits until the order has left the stand, and says how it did.
    private static func end(
        of order: Int, _ juice: String, _ conversation: StandConversation
    ) throws(CommandFailure) -> ExitStatus {
        let end = try wait(for: order, conversation)
        let isLost = end["state"]?.text == "lost"
        conversation.show(
            end,
            [
                isLost
                    ? "Order \(order) was lost: \(EventSentence.words(forReason: end["reason"]?.text))."
                    // By hand nobody runs out of patience: whoever has left was served, even where that is forgotten.
                    : "\(capitalized(juice)) is ready, enjoy!"
            ])
        return isLost ? .failed : .done
    }

    /// What the stand says of an order that has left it, asking a few times a second.
    private static func wait(for order: Int, _ conversation: StandConversation) throws(CommandFailure) -> JSONValue {
        while true {
            let answer: StandClient.Answer
            do throws(CommandFailure) { answer = try conversation.ask(.get, "orders/\(order)") } catch {
                throw CommandFailure(
                    .inputOutput,
                    "order \(order) was taken, but the stand went away before it was ready: \(error.messages.joined(separator: "; "))"
                )
            }
            guard answer.isSuccess, let json = answer.json, let state = json["state"]?.text else {
                throw CommandFailure(.inputOutput, "order \(order) is not known any more")
            }
            if !["waiting", "started"].contains(state) { return json }
            usleep(200_000)
        }
    }

    private static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
}
