import JuiceStand
import Platform
import StandExperiments
import StandService
import TerminalView
import TextFormats
import WiringComparison

/// `juicestand compare`: measures and probes the wirings on this machine.
enum CompareCommand: Command {
    static let name = "compare"
    static let summary = "compares the wirings: speed, allocations, latency, properties"
    static let discussion = """
        A probe, the compiler (swiftc, if there is one) or a measurement establishes each cell of the matrix now;
        --verbose prints the evidence. Times are processor time, so other load changes them little.
        Ctrl-C prints the results so far, marked as partial, and exits with status 130.
        """
    static let options =
        StandOptions.configuration + [
            StandOptions.seed,
            Option("--wirings", "A,B", "only these wirings (default: all; see --list)"),
            Option("--observers", "N,M", "observer counts of the speed table (default: 1,3,10,100)"),
            Option("--quick", nil, "fewer and shorter passes, at most a minute"),
            Option("--probe", "NAME", "probes one property and prints the evidence"),
            Option("--list", nil, "lists the wirings; with --verbose also their mechanisms"),
            Option("--verbose", nil, "prints the evidence for every cell"),
            Format.option,
        ]
    static let examples = [
        Example("juicestand compare --quick", "a first look"),
        Example(
            "juicestand compare --wirings delegate,closure,notification --verbose", "the usual three, with evidence"),
        Example("juicestand compare --probe noCallAfterCancel", "is an observer called after it cancelled?"),
        Example("juicestand compare --config config/rush-hour.json", "another stand"),
        Example("juicestand compare --format json | jq '.wirings[] | {name, speed}'", "for scripts"),
    ]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try ThreadReserve.check()
        try options.refuseOperands()
        let format: Format = try options.choice("--format", default: .text)
        if options.has("--list") {
            let names = JSONValue.array(WiringChoice.allCases.map { .string($0.rawValue) })
            output.print(format == .json ? names.pretty() + "\n" : list(isVerbose: options.has("--verbose")))
            return .done
        }
        let plan = try plan(options, output)
        let interrupt = InterruptFlag(output)
        defer { withExtendedLifetime(interrupt) {} }
        let progress = ProgressLine(name)
        if !Machine().isOptimized {
            output.warn("warning: this is a debug build; its speed figures mean little (use swift run -c release)")
        }
        let isRaised = interrupt.isRaised
        var comparison = ComparisonRun(plan, progress: { progress.show($0) }, while: { !isRaised() })
        let found = comparison.run()
        progress.end()
        switch format {
        case .json: output.print(found.json().pretty() + "\n")
        case .text:
            output.printColored(
                ComparisonText(found, isVerbose: options.has("--verbose") || plan.property != nil, isColored: isColored)
                    .text())
        }
        return found.isPartial ? .interrupted : .done
    }

    private static var isColored: Bool { isTerminal(1) && TerminalAbilities.hasColor }

    private static func list(isVerbose: Bool) -> String {
        let rows = WiringChoice.allCases.map { choice in
            let refusal = choice.refusal.map { "; cannot run a stand: \($0)" } ?? ""
            return [choice.rawValue] + (isVerbose ? [choice.mechanism + refusal] : [])
        }
        return Columns.table(rows, texts: nil).map { $0 + "\n" }.joined()
    }

    private static func plan(_ options: Options, _ output: Output) throws(CommandFailure) -> ComparisonPlan {
        let property = try options.value("--probe").map { name throws(CommandFailure) in try Self.property(name) }
        return ComparisonPlan(
            settings: try StandOptions.readSettings(options, output), wirings: try wirings(options),
            observers: try numbers("--observers", options, in: 1...10_000) ?? [1, 3, 10, 100], rates: [1000, 10_000],
            isQuick: options.has("--quick"), property: property)
    }

    private static func property(_ name: String) throws(CommandFailure) -> Property {
        if let property = Property(rawValue: name) { return property }
        throw Options.unknown("property", name, in: "--probe", among: Property.allCases.map(\.rawValue))
    }

    private static func wirings(_ options: Options) throws(CommandFailure) -> [WiringChoice] {
        guard let names = try options.list("--wirings") else { return WiringChoice.compared }
        var chosen: [WiringChoice] = []
        for name in names {
            guard let choice = WiringChoice.compared.first(where: { $0.rawValue == name }) else {
                throw Options.unknown("wiring", name, in: "--wirings", among: WiringChoice.compared.map(\.rawValue))
            }
            chosen.append(choice)
        }
        return WiringChoice.compared.filter(chosen.contains)
    }

    /// Comma-separated whole numbers in the order given, without duplicates; nil if the option is absent.
    private static func numbers(
        _ name: String, _ options: Options, in range: ClosedRange<Int>
    ) throws(CommandFailure) -> [Int]? {
        guard let parts = try options.list(name) else { return nil }
        let numbers = parts.compactMap { Int($0) }.filter(range.contains)
        guard numbers.count == parts.count else {
            throw CommandFailure(
                .usage,
                "\(name) must be comma-separated whole numbers from \(range.lowerBound) to \(range.upperBound), "
                    + "found \"\(parts.joined(separator: ","))\"")
        }
        return numbers.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
