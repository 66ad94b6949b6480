import JuiceStand
import Platform
import StandClient
import TerminalView
import TextFormats

/// Follows stands and prints one line for each event.
struct EventPrinter {
    /// The first printed event of each stand comes after this number; nil starts with the next event.
    let after: UInt64?
    let only: Set<String>?
    let isJSON: Bool

    /// Follows stands until all have closed.
    ///
    /// - Parameter hasNames: Whether each line carries the name of its stand.
    func run(_ targets: StandTargets, hasNames: Bool, _ output: Output) throws(CommandFailure) -> ExitStatus {
        let stop = StopSignal()
        let sink = FileLineSink(descriptor: 1, name: "standard output")
        let handler = SignalHandler(SignalHandler.ending, on: .global()) { _ in
            stop.stop()
            // Ends a write to a stalled reader.
            sink.end()
        }
        defer { withExtendedLifetime(handler) {} }
        var follower = StandsFollower(targets, .events { [after] _ in after }, output: 1, stop: stop)
        defer { follower.close() }
        var page = Page(isJSON: isJSON, only: only, marks: hasNames ? [:] : nil, sink: sink)
        while follower.advance({ page.take($1, of: $0, output) }) {
            page.write()
            // A closed pipe or a stop request ends the watch.
            if let failure = sink.failure {
                if follower.isOver { break }
                throw CommandFailure(.inputOutput, failure)
            }
            do throws(StandTargetsError) {
                _ = try follower.refresh()
            } catch {
                for var problem in CommandFailure(error).problems {
                    problem.message = "\(problem.message); the stands stay as they were"
                    output.warn(problem)
                }
            }
        }
        page.write()
        return .done
    }
}

/// Collects the lines that are written together.
private struct Page {
    let isJSON: Bool
    let only: Set<String>?
    /// The part of a line that names its stand, by the stand's name; nil for a single stand, whose lines have no name.
    var marks: [String: (json: [UInt8], text: String)]?
    let sink: FileLineSink
    var bytes: [UInt8] = []
    var logLines = LogLines()
    private let hasColor = isTerminal(1) && TerminalAbilities.hasColor

    /// The number of bytes after which the lines are written.
    private static let mostBytes = 64 << 10
    private static let colors = [36, 33, 35, 32, 34, 31, 96, 93, 95, 92, 94, 91]

    mutating func write() {
        if !bytes.isEmpty { unsafe sink.write(bytes.span.bytes) }
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func take(_ news: StandsFollower.News, of stand: FollowedStand, _ output: Output) {
        let who = marks == nil ? "" : "\(stand): "
        switch news {
        case .event(let line, _): add(line, of: stand)
        case .gap(let after, let first) where marks == nil:
            let missing: String =
                after + 2 == first ? "event \(after + 1)" : "events \(after + 1) to \(first - 1)"
            output.warn("the stand no longer has \(missing); continuing with event \(first)")
        case .gap(let after, let first): addGap(after + 1...first - 1, of: stand)
        case .otherStand(let after, let first):
            output.warn(
                "\(who)a different stand answers; the previous one was at event \(after); continuing with event "
                    + "\(first)")
        case .away(let reason) where marks == nil:
            output.warn("\(stand.target): lost the connection to the stand: \(reason); reconnecting")
        case .away(let reason): output.warn("\(who)\(reason); trying again")
        case .back: output.warn("\(who)reconnected; continuing after event \(stand.last ?? 0)")
        case .status: break
        }
    }

    /// Adds an event, if it is selected.
    private mutating func add(_ line: ArraySlice<UInt8>, of stand: FollowedStand) {
        if let only, LedgerLine.head(line).map({ only.contains($0.event) }) != true { return }
        let mark = mark(of: stand)
        let line = mark == nil ? line : Self.withoutStandKey(line)
        if !isJSON {
            guard logLines.add(line, stand.clock, mark?.text ?? "", to: &bytes) else { return }
        } else if let mark {
            bytes += mark.json
            bytes += line.dropFirst()
        } else {
            bytes += line
        }
        endLine()
    }

    /// The beginning of the line `opened`, the first of a ledger.
    private static let opening = LedgerLine.beforeSequence + Array("1,".utf8)

    /// A line of a ledger in which the stand's own name has the key `name`.
    ///
    /// Only the line `opened` has that name, with the key `stand`. The mark uses that key, and an object has each key
    /// once.
    private static func withoutStandKey(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard line.starts(with: opening), LedgerLine.head(line)?.event == FactKind.opened.name,
            let key = line.firstRange(of: Array(",\"stand\":".utf8))
        else { return line }
        return line[..<key.lowerBound] + Array(",\"name\":".utf8) + line[key.upperBound...]
    }

    private mutating func addGap(_ missed: ClosedRange<UInt64>, of stand: FollowedStand) {
        guard let mark = mark(of: stand) else { return }
        let why = "the stand no longer has them"
        if isJSON {
            let gap: JSONValue = [
                "event": "missed", "from": .whole(missed.lowerBound), "to": .whole(missed.upperBound),
                "why": .string(why),
            ]
            bytes += mark.json
            bytes += gap.compact().utf8.dropFirst()
        } else {
            let numbers = "from=\(missed.lowerBound) to=\(missed.upperBound)"
            bytes += "at=\(stand.clock.presentValue) \(mark.text)level=warning event=missed ".utf8
            bytes += "\(numbers) why=\"\(why)\"".utf8
        }
        endLine()
    }

    private mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= Self.mostBytes { write() }
    }

    private mutating func mark(of stand: FollowedStand) -> (json: [UInt8], text: String)? {
        guard let marks else { return nil }
        let name = stand.nameOrTarget
        if let known = marks[name] { return known }
        // The ledger's own members follow.
        let mark = (Array("{\"stand\":\(JSONValue.string(name).compact()),".utf8), text(of: name))
        self.marks?[name] = mark
        return mark
    }

    /// `stand=corner ` in a colour of its own.
    private func text(of name: String) -> String {
        let text = "stand=\(name.word)"
        let color = Self.colors[Int(Fingerprint(name).value % UInt64(Self.colors.count))]
        return hasColor ? "\u{1b}[\(color)m\(text)\u{1b}[0m " : text + " "
    }
}

extension CommandFailure {
    /// The failure of a command because of its list of stands.
    init(_ problem: StandTargetsError) {
        switch problem {
        case .unreadable(let error): self.init(.noInput, error)
        case .malformed(let problems): self.init(.badInput, problems)
        }
    }
}
