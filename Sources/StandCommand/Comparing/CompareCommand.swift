import JuiceStand
import Platform
import StandExperiments
import TerminalView
import TextFormats
import WiringComparison

/// `juicestand compare`: measures and probes the wirings on this machine.
enum CompareCommand {
    private static let wiring = OptionForm.choice(WiringChoice.self, "wiring")
    private static let wirings = Option(
        "--wirings", "A,B", .list(wiring), without: "all; see --list", "only these wirings")
    private static let observers = Option(
        "--observers", "N,M", .numbers(1...10_000), without: "1,3,10,100; of A and B 1,3",
        "observer counts of the speed table")
    private static let quick = Option("--quick", "fewer and shorter passes, about a minute")
    private static let table = Option(
        "--table", "A,B", .list(.choice(ComparisonPart.self)),
        "prints tables: \(ComparisonPart.allCases.map(\.rawValue).joined(separator: ", "))")
    private static let code = Option(
        "--code", "A,B", .list(wiring), "prints the code that is measured, which begins with the poster")
    private static let probe = Option(
        "--probe", "NAME", .choice(Property.self, "property"), "probes one property; prints the evidence")
    private static let list = Option("--list", "lists the wirings; with --verbose also their mechanisms")
    private static let verbose = Option("--verbose", "prints every table, and the evidence for every cell")

    static let command = Command(
        "compare",
        StandOptions.configuration + [
            StandOptions.seed, wirings, observers, quick, table, code, ResultOptions.report, probe, list, verbose,
            Format.option,
        ], run: run)

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try ThreadReserve.check()
        let format = options[Format.option]
        if options[list] {
            let names = JSONValue.array(WiringChoice.allCases.map { .string($0.rawValue) })
            output.print(format == .json ? names.pretty() + "\n" : text(isVerbose: options[verbose]))
            return .done
        }
        if let choices = options[code] {
            for choice in inUsualOrder(choices) {
                output.print("// \(choice): \(choice.profile.configuration)\n\n\(choice.profile.code)\n")
            }
            output.print("// What each of them needs\n\n\(Profile.commonCode)")
            return .done
        }
        let pair = try pair(options)
        let parts = options[table]
        var report = try ResultOptions.open(options[ResultOptions.report])
        let settings = try StandOptions.readSettings(options, output)
        let interrupt = InterruptFlag(output)
        defer { withExtendedLifetime(interrupt) {} }
        let progress = ProgressLine(command.name)
        if !Machine().isOptimized {
            output.warn("warning: this is a debug build; its speed figures mean little (use swift run -c release)")
        }
        let isRaised = interrupt.isRaised
        let property = options[probe]
        var comparison = ComparisonRun(
            settings, pair ?? options[wirings].map(inUsualOrder) ?? WiringChoice.allCases,
            observers: options[observers] ?? (pair == nil ? [1, 3, 10, 100] : [1, 3]),
            isQuick: options[quick] || pair != nil, property: property, progress: { progress.show($0) },
            while: { !isRaised() })
        let found = comparison.run()
        progress.end()
        try ResultOptions.write(&report, found.report().html())
        let isVerbose = options[verbose] || property != nil
        switch format {
        case .json: output.print(found.json().pretty() + "\n")
        case .text where pair != nil: output.print(found.differences)
        case .text where parts != nil || isVerbose:
            let told = found.report(parts ?? ComparisonPart.allCases, showsEvidence: isVerbose)
            output.printColored(told.text(isVerbose: true, isColored: isColored))
        case .text: output.print(found.firstScreen)
        }
        if found.isInterrupted { return .interrupted }
        return found.isPartial ? .failed : .done
    }

    private static var isColored: Bool { isTerminal(1) && TerminalAbilities.hasColor }

    private static func text(isVerbose: Bool) -> String {
        let rows = WiringChoice.allCases.map { choice in
            let what = choice.refusal.map { "\(choice.mechanism); cannot run a stand: \($0)" } ?? choice.mechanism
            return [choice.rawValue] + (isVerbose ? [what] : [])
        }
        return Columns.table(rows, texts: nil).map { $0 + "\n" }.joined()
    }

    /// The wirings A and B; nil without operands.
    private static func pair(_ options: Options) throws(CommandFailure) -> [WiringChoice]? {
        guard !options.operands.isEmpty else { return nil }
        let pair = try options.operands.map { name throws(CommandFailure) in try wiring.read(command.name, name) }
        guard pair.count == 2, pair[0] != pair[1] else {
            throw CommandFailure(.usage, "compare takes two different wirings, found \(pair.count)")
        }
        return pair
    }

    private static func inUsualOrder(_ chosen: [WiringChoice]) -> [WiringChoice] {
        WiringChoice.allCases.filter(chosen.contains)
    }
}

extension OptionForm where Value == [Int] {
    /// Comma-separated whole numbers in the order given, without duplicates.
    fileprivate static func numbers(_ range: ClosedRange<Int>) -> OptionForm {
        OptionForm { name, text throws(CommandFailure) in
            let numbers = text.commaSeparated.map { Int($0) ?? range.lowerBound - 1 }
            guard numbers.allSatisfy(range.contains) else {
                throw CommandFailure(
                    .usage,
                    "\(name) must be comma-separated whole numbers from \(range.lowerBound) to \(range.upperBound), "
                        + "found \"\(text)\"")
            }
            return numbers.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
    }
}
