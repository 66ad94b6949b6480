import JuiceStand
import Platform
import StandClient
import Terms
import TextFormats

/// `juicestand order JUICE [CUPS]`: places an order at a running stand.
enum OrderCommand {
    private static let wait = Option("--wait", "waits until the juice is ready")
    static let command = Command("order", [wait] + StandSession.changeOptions, run: run)

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
        let isPaused = try session.get("status", StatusDocument.self)?.phase == "paused"
        let answer = try session.request(
            .post, "orders", ["juice": .string(juice), "cups": .integer(Int64(cups ?? 1))])
        if answer.status == 409, answer.refusal.reason != nil, let json = answer.json {
            session.print(json, lost(answer.refusal, try session.names()))
            return .failed
        }
        if options[wait], let accepted = answer.document(AcceptedOrder.self) {
            if isPaused { output.warn(Words.user(.orderPaused)) }
            return try end(of: accepted, session)
        }
        let names = answer.isSuccess ? try session.names() : [:]
        return try session.print(answer) { (order: AcceptedOrder) in
            taken(order, names) + (isPaused ? [capitalized(Words.user(.orderPaused)) + "."] : [])
        }
    }

    /// The name on the stand's menu, in upper and lower case as there.
    ///
    /// - Throws: ``CommandFailure`` for an unknown juice. The stand would count such an order as a lost customer.
    private static func name(of juice: String, _ session: StandSession) throws(CommandFailure) -> String {
        // A stand that does not give its menu, such as a closed one, explains itself when it gets the order.
        let menu = try session.get("menu", MenuDocument.self)
        guard let menu, !menu.juices.isEmpty else { return juice }
        let named = menu.juices.map { [$0.juice] + $0.names.members.map(\.value) }
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
    private static func taken(_ order: AcceptedOrder, _ names: [String: String]) -> [String] {
        let words = Words.user
        let juice = capitalized(names[order.juice] ?? order.juice)
        let next =
            if order.cupsWaitingForFruit > 0 {
                words.counted(order.cupsWaitingForFruit, .orderShort)
            } else {
                words(order.isStarted ? .orderStarted : .orderQueued)
            }
        let taken = words(.orderTaken, juice, "\(order.order)", next)
        return order.isSubstitute ? [words(.insteadOf), taken] : [taken]
    }

    /// - Parameter names: Names of fruits and juices in the user's language.
    private static func lost(_ problem: ProblemDocument, _ names: [String: String]) -> [String] {
        guard problem.reason == "soldOut" else { return [Words.user(.tryLater)] }
        let missing = Columns.grouped(problem.missing ?? 0)
        let fruit = problem.fruit ?? ""
        let instead = (problem.instead ?? []).map { names[$0] ?? $0 }
        return [
            Words.user(.shortOf, missing, names[fruit] ?? fruit),
            instead.isEmpty
                ? Words.user(.nothingInstead)
                : Words.user(.haveInstead, instead.joined(separator: ", ")),
        ]
    }

    /// Polls the order until it has left the stand, and prints the result.
    private static func end(
        of accepted: AcceptedOrder, _ session: StandSession
    ) throws(CommandFailure) -> ExitStatus {
        let order = accepted.order
        while true {
            let answer: StandClient.Answer
            do throws(CommandFailure) { answer = try session.request(.get, "orders/\(order)") } catch {
                throw CommandFailure(
                    .inputOutput,
                    "order \(order) was accepted, but the stand stopped before it was ready: "
                        + "\(error.problems.map(\.description).joined(separator: "; "))")
            }
            guard let json = answer.json, let found = answer.document(OrderDocument.self), !found.state.isEmpty else {
                throw CommandFailure(.inputOutput, "the stand no longer knows order \(order)")
            }
            guard ["waiting", "started"].contains(found.state) else {
                let name = try session.names()[accepted.juice] ?? accepted.juice
                let reason = found.reason.flatMap(LossReason.init(name:)).map { Words.user($0) } ?? "?"
                // An order by command has no patience limit. So `left` means served, even if its record is no longer
                // kept.
                let isLost = found.state == "lost"
                let lost = Words.user(.orderWasLost, "\(order)", reason)
                session.print(json, [isLost ? lost : Words.user.text("ready") { _ in capitalized(name) }])
                return isLost ? .failed : .done
            }
            usleep(200_000)
        }
    }

    private static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
}
