import JuiceStand
import StandFitting
import TextFormats
import Tills

/// `juicestand fit FILE`: turns a till's lines into a configuration.
enum FitCommand {
    private static let time = Option(
        "--time", "COLUMN[+COLUMN]", .text, "the time of an order: one column, or a date and a time of day")
    private static let timeFormat = Option(
        "--time-format", "F", .text,
        "format of the times, such as '%d/%m/%Y %H:%M'; needed if dates are ambiguous")
    private static let timeZone = Option(
        "--time-zone", "OFFSET", .reading("must be an offset from UTC such as +09:00") { TimeFormat.offset($0) },
        "the shop's clock, such as +09:00, for Unix times and times with an offset")
    private static let order = Option("--order", "COLUMN", .text, "the order number")
    private static let item = Option("--item", "COLUMN", .text, "the item")
    private static let quantity = Option("--quantity", "COLUMN", .text, "the quantity")
    private static let started = Option("--started", "COLUMN", .text, "when preparation started; needs --ended")
    private static let ended = Option("--ended", "COLUMN", .text, "when preparation ended; needs --started")
    private static let conditions = Option(
        repeatable: "--where", "COLUMN=VALUE",
        .reading("must be \(TillCondition.expectation)") { TillCondition($0) },
        "takes only these lines; COLUMN!=VALUE leaves them out; repeatable")
    private static let menu = Option(
        "--menu", "FILE", .text, without: "standard menu, or a new one",
        "a configuration whose menu has the items")
    private static let holdOut = Option(
        "--hold-out", "30%", .share("must be a share such as 30%") { $0 > 0 && $0 < 1 },
        "forecasts the last days, each from the days before it, and reports how well")
    private static let write = Option("--write", "OUT.json", .text, "writes the configuration, with comments")
    private static let report = Option(
        "--report", "FILE.html", .text, "writes a page that compares the till with simulated days")

    private static let verbose = Option("--verbose", "prints all estimates, tests, notes and skipped lines")

    static let command = Command(
        "fit",
        [
            time, timeFormat, timeZone, order, item, quantity, started, ended, conditions, menu, holdOut, write, report,
            Format.option, verbose,
        ], run: run)

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        guard options.operands.count == 1, let file = options.operands.first else {
            throw CommandFailure(.usage, "fit needs one FILE, found \(options.found)")
        }
        try ThreadReserve.check()
        let format = options[Format.option]
        var request = TillRequest(file: file)
        request.columns = try columns(options)
        request.timeFormat = options[timeFormat]
        request.timeZone = options[timeZone]
        request.conditions = options[conditions]
        let settings = try options[menu].map { menu throws(CommandFailure) in
            try StandOptions.read(menu, []).settings
        }
        let line = ProgressLine(command.name)
        let till: Till
        do throws(TillError) {
            till = try TillReader(request) { line.show("\(Columns.grouped($0)) lines read") }.till()
        } catch {
            line.end()
            throw CommandFailure(error)
        }
        line.end()
        var configuration = try ResultOptions.open(options[write])
        var report = try ResultOptions.open(options[report])
        line.show("fitting \(Columns.counted(till.orders.count, "order"))")
        let fitted: FittedStand
        do throws(TillError) { fitted = try FittedStand(till, menu: settings, holdOut: options[holdOut]) } catch {
            line.end()
            throw CommandFailure(error)
        }
        line.end()
        try ResultOptions.write(&configuration, fitted.configurationText)
        if report != nil {
            let days: DaysOfOrders
            do { days = try fitted.simulatedDays() } catch { throw CommandFailure(error) }
            try ResultOptions.write(&report, fitted.report(beside: days).html())
        }
        switch format {
        case .text: output.print(fitted.report(), isVerbose: options[verbose])
        case .json: output.print(fitted.json().pretty() + "\n")
        }
        return .done
    }

    private static func columns(_ options: Options) throws(CommandFailure) -> TillColumns {
        var columns = TillColumns()
        columns[.time] = options[time]?.split(separator: "+").map(String.init) ?? []
        let named: [(TillColumns.Role, Option<String?>)] = [
            (.order, order), (.item, item), (.quantity, quantity), (.started, started), (.ended, ended),
        ]
        for (role, option) in named {
            if let column = options[option] { columns[role] = [column] }
        }
        guard columns[.started].isEmpty == columns[.ended].isEmpty else {
            throw CommandFailure(.usage, "--started and --ended must be given together")
        }
        return columns
    }
}

extension CommandFailure {
    fileprivate init(_ error: TillError) {
        switch error {
        case .unreadable(let path, let reason): self.init(.noInput, "\(path): \(reason)")
        case .badTill(let problem): self.init(.badInput, [problem])
        case .badOption(let message): self.init(.usage, message)
        }
    }
}
