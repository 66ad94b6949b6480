import JuiceStand
import Platform
import StandService
import StandState
import TerminalView
import TextFormats

/// Follows stands and prints one line for each event.
struct EventPrinter {
    /// The first printed event of each stand comes after this number; nil starts with the next event.
    let after: UInt64?
    let only: Set<String>?
    let isJSON: Bool

    /// Follows one stand until it closes.
    func run(_ target: StandTarget, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try run([(target, nil)], nil, output)
    }

    /// Follows several stands until all have closed. Each line carries the name of its stand.
    func run(_ targets: StandTargets, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try run(targets.targets, targets, output)
    }

    private func run(
        _ first: [StandTargets.Target], _ targets: StandTargets?, _ output: Output
    ) throws(CommandFailure) -> ExitStatus {
        let stop = StopSignal()
        let sink = FileLineSink(descriptor: 1, name: "standard output")
        let watch = SignalWatch(SignalWatch.ending, on: .global()) { _ in
            stop.stop()
            // Ends a write to a reader that does not read.
            sink.end()
        }
        defer { withExtendedLifetime(watch) {} }
        var targets = targets
        var follower = StandsFollower(.events(after: after), output: 1, stop: stop)
        follower.follow(first)
        defer { follower.close() }
        var page = Page(isJSON: isJSON, only: only, hasNames: targets != nil, to: sink)
        var lastLook = monotonicNanoseconds()
        while follower.advance({ page.take($1, of: $0, output) }) {
            page.write()
            // A closed pipe or a stop request ends the watch.
            if let failure = sink.failure {
                if follower.isOver { break }
                throw CommandFailure(.inputOutput, failure)
            }
            guard targets != nil, monotonicNanoseconds() - lastLook > 1_000_000_000 else { continue }
            lastLook = monotonicNanoseconds()
            do throws(StandTargets.Problem) {
                if try targets?.refresh() == true { follower.follow(targets?.targets ?? []) }
            } catch {
                for var problem in CommandFailure(error).problems {
                    problem.message += "; the stands stay as they were"
                    output.warn(problem)
                }
            }
        }
        page.write()
        return .done
    }

}

/// The lines that are written next.
private struct Page {
    private let isJSON: Bool
    private let only: Set<String>?
    /// What a line says of its stand, by target; nil for a single stand, whose lines have no name.
    private var marks: [StandTarget: Mark]?
    private let hasColor: Bool
    private let sink: FileLineSink
    private var bytes: [UInt8] = []

    /// The name of a stand as a line has it.
    private struct Mark {
        /// `{"stand":"corner",`
        let json: [UInt8]
        /// `stand=corner `
        let text: String
    }

    /// Bytes that are written together.
    private static let mostBytes = 64 << 10
    private static let colors = [36, 33, 35, 32, 34, 31, 96, 93, 95, 92, 94, 91]

    init(isJSON: Bool, only: Set<String>?, hasNames: Bool, to sink: FileLineSink) {
        (self.isJSON, self.only, self.sink) = (isJSON, only, sink)
        marks = hasNames ? [:] : nil
        hasColor = isTerminal(1) && TerminalAbilities.hasColor
    }

    mutating func write() {
        if !bytes.isEmpty { unsafe sink.write(bytes.span.bytes) }
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func take(_ news: StandsFollower.News, of stand: FollowedStand, _ output: Output) {
        let who = marks == nil ? "" : "\(stand): "
        switch news {
        case .event(let line, _): add(line, of: stand)
        case .gap(let after, let first) where marks == nil:
            let missing = after + 2 == first ? "event \(after + 1)" : "events \(after + 1) to \(first - 1)"
            output.warn("the stand no longer has \(missing); continuing with event \(first)")
        case .gap(let after, let first): addGap(from: after + 1, to: first - 1, of: stand)
        case .otherStand(let after, let first):
            output.warn(
                "\(who)a different stand answers; the previous one was at event \(after); continuing with event "
                    + "\(first)")
        case .away(let reason) where marks == nil:
            output.warn("\(stand.target): lost the connection to the stand: \(reason); reconnecting")
        case .away(let reason): output.warn("\(who)\(reason); trying again")
        case .back: output.warn("\(who)reconnected; continuing after event \(stand.place ?? 0)")
        case .status: break
        }
    }

    /// Adds an event, if it is selected.
    private mutating func add(_ line: ArraySlice<UInt8>, of stand: FollowedStand) {
        if let only {
            guard let event = LedgerLine.head(line)?.event, only.contains(event) else { return }
        }
        let mark = mark(of: stand)
        if !isJSON {
            guard let text = LedgerEvent(line)?.logLine(stand.clock, mark?.text ?? "") else { return }
            bytes += text.utf8
        } else if let mark {
            bytes += mark.json
            bytes += line.dropFirst()
        } else {
            bytes += line
        }
        endLine()
    }

    private mutating func addGap(from first: UInt64, to last: UInt64, of stand: FollowedStand) {
        guard let mark = mark(of: stand) else { return }
        let why = "the stand no longer has them"
        if isJSON {
            let rest: JSONValue = [
                "event": "missed", "from": .whole(first), "to": .whole(last), "why": .string(why),
            ]
            bytes += mark.json + rest.compact().utf8.dropFirst()
        } else {
            let (time, text) = (stand.clock.presentValue, mark.text)
            bytes += "at=\(time) \(text)level=warning event=missed from=\(first) to=\(last) why=\"\(why)\"".utf8
        }
        endLine()
    }

    private mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= Self.mostBytes { write() }
    }

    private mutating func mark(of stand: FollowedStand) -> Mark? {
        guard let marks else { return nil }
        if let known = marks[stand.target] { return known }
        let name = stand.name ?? "\(stand.target)"
        let json = JSONValue.string(name).compact()
        let isWord = name.allSatisfy { ($0.isLetter || $0.isNumber || "-_.:@/".contains($0)) }
        var text = "stand=\(isWord ? name : json)"
        if hasColor { text = "\u{1b}[\(Self.colors[marks.count % Self.colors.count])m\(text)\u{1b}[0m" }
        let mark = Mark(json: Array("{\"stand\":\(json),".utf8), text: text + " ")
        self.marks?[stand.target] = mark
        return mark
    }
}

extension CommandFailure {
    /// What is wrong with a list of stands.
    init(_ problem: StandTargets.Problem) {
        switch problem {
        case .unreadable(let error): self.init(.noInput, error)
        case .malformed(let problems): self.init(.badInput, problems)
        }
    }
}
