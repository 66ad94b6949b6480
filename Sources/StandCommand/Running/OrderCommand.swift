import JuiceStand
import Platform
import StandService
import TerminalView
import Terms
import TextFormats

/// `juicestand order JUICE [CUPS]`: places an order at a running stand.
enum OrderCommand: Command {
    static let name = "order"
    static let summary = "orders juice at a running stand"
    static let operands = "JUICE [CUPS]"
    static let discussion = """
        Prints whether the order was accepted. If fruit is short, it names the fruit and the juices that can be made
        instead, and the exit status is 1. With --wait it waits for the result. JUICE is any name of the juice, also in
        another language, in upper or lower case. An unknown juice is refused with status 64 and not counted as a
        customer. A paused stand takes the order and makes the juice after juicestand resume.
        """
    private static let wait = Option("--wait", "waits until the juice is ready")
    static let options = [wait] + StandSession.changeOptions
    static let examples = [
        Example("juicestand order 'banana juice'", "one cup"),
        Example("juicestand order 'mango juice' 3 --wait", "three cups; returns when they are ready"),
    ]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        guard (1...2).contains(options.operands.count) else {
            throw CommandFailure(
                .usage,
                "order needs JUICE [CUPS], found \(options.found) (quote a name with spaces; juicestand menu lists "
                    + "the juices)")
        }
        let wished = options.operands[0]
        let cups = try options.operands.dropFirst().first.map { text throws(CommandFailure) in
            if Int(wished) != nil, Double(decimal: text) == nil {
                throw CommandFailure(.usage, "the juice comes before the cups: order '\(text)' \(wished)")
            }
            // A name with a space was quoted.
            guard wished.contains(" ") || Double(decimal: text) != nil else {
                let name = options.operands.joined(separator: " ")
                throw CommandFailure(
                    .usage,
                    "CUPS must be a whole number, found \"\(text)\"; a name with spaces needs quotes: order '\(name)'")
            }
            return try OptionForm.whole(1...Stand.mostCups).read("CUPS", text)
        }
        let session = try StandSession(options, output, words: .user)
        let juice = try name(of: wished, session)
        let isPaused = try session.request(.get, "status").json?["phase"]?.text == "paused"
        let answer = try session.request(
            .post, "orders", ["juice": .string(juice), "cups": .integer(Int64(cups ?? 1))])
        if answer.status == 409, let problem = answer.json, problem["reason"] != nil {
            session.print(problem, lost(problem, try session.names()))
            return .failed
        }
        if options[wait], answer.isSuccess, let order = answer.json?["order"]?.whole {
            if isPaused { output.warn(Words.user(.orderPaused)) }
            return try end(of: order, answer.json?["juice"]?.text ?? juice, session)
        }
        let names = answer.isSuccess ? try session.names() : [:]
        return try session.print(answer) {
            taken($0, names) + (isPaused ? [capitalized(Words.user(.orderPaused)) + "."] : [])
        }
    }

    /// The name on the stand's menu, in upper and lower case as there.
    ///
    /// - Throws: ``CommandFailure`` for an unknown juice. The stand would count such an order as a lost customer.
    private static func name(of juice: String, _ session: StandSession) throws(CommandFailure) -> String {
        // A stand that does not give its menu, such as a closed one, explains itself when it gets the order.
        guard let menu = try session.request(.get, "menu").json?["juices"]?.elements else { return juice }
        let named = menu.map { entry in
            [entry["juice"]?.text].compactMap { $0 } + (entry["names"]?.members ?? []).compactMap(\.value.text)
        }
        let names = named.flatMap { $0 }
        if names.contains(juice) { return juice }
        func folded(_ name: String) -> String { name.lowercased().spelledAlike }
        let alike = named.compactMap { names in names.first { folded($0) == folded(juice) } }
        if alike.count == 1 { return alike[0] }
        throw unknown(juice, among: names)
    }

    /// The error for an unknown juice; suggests names like it.
    static func unknown(_ juice: String, among names: [String]) -> CommandFailure {
        CommandFailure(
            .usage, "unknown juice \"\(juice)\"\(hint(juice, among: names)) (juicestand menu lists them)")
    }

    /// - Parameter names: Names of juices in the user's language.
    private static func taken(_ answer: JSONValue, _ names: [String: String]) -> [String] {
        let words = Words.user
        let ordered = answer["juice"]?.text ?? ""
        let juice = capitalized(names[ordered] ?? ordered)
        let waiting = answer["cupsWaitingForFruit"]?.whole ?? 0
        let next =
            if waiting > 0 {
                words.counted(waiting, .orderShort)
            } else if answer["isStarted"]?.isTrue == true {
                words(.orderStarted)
            } else {
                words(.orderQueued)
            }
        let taken = words(.orderTaken, juice, "\(answer["order"]?.whole ?? 0)", next)
        return answer["isSubstitute"]?.isTrue == true ? [words(.insteadOf), taken] : [taken]
    }

    /// - Parameter names: Names of fruits and juices in the user's language.
    private static func lost(_ problem: JSONValue, _ names: [String: String]) -> [String] {
        guard problem["reason"]?.text == "soldOut" else { return [Words.user(.tryLater)] }
        let missing = Columns.grouped(problem["missing"]?.whole ?? 0)
        let fruit = problem["fruit"]?.text ?? ""
        let instead = (problem["instead"]?.elements ?? []).compactMap(\.text).map { names[$0] ?? $0 }
        return [
            Words.user(.shortOf, missing, names[fruit] ?? fruit),
            instead.isEmpty
                ? Words.user(.nothingInstead)
                : Words.user(.haveInstead, instead.joined(separator: ", ")),
        ]
    }

    /// Waits until the order has left the stand, and prints the result.
    private static func end(
        of order: Int, _ juice: String, _ session: StandSession
    ) throws(CommandFailure) -> ExitStatus {
        let end = try wait(for: order, session)
        let name = try session.names()[juice] ?? juice
        let isLost = end["state"]?.text == "lost"
        let reason = end["reason"]?.text.flatMap(LossReason.init(name:)).map { Words.user($0) } ?? "?"
        // An order by command has no patience limit. So `left` means served, even if its record is no longer kept.
        session.print(
            end,
            [
                isLost
                    ? Words.user(.orderWasLost, "\(order)", reason)
                    : Words.user.text("ready") { _ in capitalized(name) }
            ])
        return isLost ? .failed : .done
    }

    /// Polls the order until it has left the stand.
    private static func wait(for order: Int, _ session: StandSession) throws(CommandFailure) -> JSONValue {
        while true {
            let answer: StandClient.Answer
            do throws(CommandFailure) { answer = try session.request(.get, "orders/\(order)") } catch {
                throw CommandFailure(
                    .inputOutput,
                    "order \(order) was accepted, but the stand stopped before it was ready: "
                        + "\(error.problems.map(\.description).joined(separator: "; "))")
            }
            guard answer.isSuccess, let json = answer.json, let state = json["state"]?.text else {
                throw CommandFailure(.inputOutput, "the stand no longer knows order \(order)")
            }
            if !["waiting", "started"].contains(state) { return json }
            usleep(200_000)
        }
    }

    private static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
}
