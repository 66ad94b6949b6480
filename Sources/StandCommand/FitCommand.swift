import JuiceStand
import Platform
import StandFitting
import TextFormats
import Tills

/// `juicestand fit FILE`: turns a till's lines into a configuration.
enum FitCommand: Command {
    static let name = "fit"
    static let summary = "turns a till's lines into a configuration"
    static let operands = "FILE"
    static let discussion = """
        FILE is a till's export: CSV with commas, semicolons or tabs, JSON Lines, or a stand's own ledger. Columns are
        found by their names and contents; the options name them. Lines with one order number come at one instant, as a
        party. Lines that cannot be used are listed with their numbers, and so are lines that are void, refunded or
        cancelled. Times are the shop's own clock: an offset such as +09:00 is kept as written, unless --time-zone turns
        the times.

        The result is a law of arrivals by weekday and time of day, with opening hours and, if days differ by more than
        chance, a level. --write writes it as a configuration for run, simulate and forecast. `juicestand help
        fitting` explains the method.
        """
    static let options = [
        Option("--time", "COLUMN[+COLUMN]", "the time of an order: one column, or a date and a time of day"),
        Option("--time-format", "F", "format of the times, such as '%d/%m/%Y %H:%M'; needed if dates are ambiguous"),
        Option("--time-zone", "OFFSET", "the shop's clock, such as +09:00, for Unix times and times with an offset"),
        Option("--order", "COLUMN", "the order number"),
        Option("--item", "COLUMN", "the item"),
        Option("--quantity", "COLUMN", "the quantity"),
        Option("--started", "COLUMN", "when preparation started; needs --ended"),
        Option("--ended", "COLUMN", "when preparation ended; needs --started"),
        Option("--where", "COLUMN=VALUE", "takes only these lines; COLUMN!=VALUE leaves them out; repeatable"),
        Option("--menu", "FILE", "a configuration whose menu has the items (default: standard menu, or a new one)"),
        Option("--hold-out", "30%", "forecasts the last days, each from the days before it, and reports how well"),
        Option("--write", "OUT.json", "writes the configuration, with comments"),
        Option("--report", "FILE.html", "writes a page that compares the till with simulated days"),
        Format.option,
    ]
    static let examples = [
        Example("juicestand fit bakery.csv --write shop.json", "turn a till into a stand"),
        Example("juicestand simulate --config shop.json --for 7d --replications 100", "simulate the fitted stand"),
        Example("juicestand fit bakery.csv --hold-out 30% --report shop.html", "are the last days forecast well?"),
        Example("juicestand fit till.csv --time Date+Time --time-format '%d/%m/%Y %H:%M'", "say what the columns are"),
    ]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        guard options.operands.count == 1, let file = options.operands.first else {
            throw CommandFailure(.usage, "fit needs one FILE, found \(options.found)")
        }
        try ThreadReserve.check()
        let format: Format = try options.choice("--format", default: .text)
        let request = try request(file, options)
        let share = try share(options)
        let settings: StandSettings? =
            if let menu = try options.value("--menu") { try StandOptions.read(menu, []).settings } else { nil }
        let line = ProgressLine(name)
        let till: Till
        do throws(TillError) {
            till = try TillReader(request) { line.show("\(Columns.grouped($0)) lines read") }.till()
        } catch {
            line.end()
            throw CommandFailure(error)
        }
        line.end()
        var configuration = try ResultOptions.open(try options.value("--write"))
        var report = try ResultOptions.open(try options.value("--report"))
        line.show("fitting \(Columns.counted(till.orders.count, "order"))")
        let fitted: FittedStand
        do throws(TillError) { fitted = try FittedStand(till, menu: settings, holdOut: share) } catch {
            line.end()
            throw CommandFailure(error)
        }
        line.end()
        try ResultOptions.write(&configuration, fitted.configurationText)
        if report != nil {
            let page: FitReport
            do { page = try FitReport(fitted) } catch { throw CommandFailure(error) }
            try ResultOptions.write(&report, page.html())
        }
        output.print(format == .json ? fitted.json().pretty() + "\n" : fitted.text())
        return .done
    }

    private static func request(_ file: String, _ options: Options) throws(CommandFailure) -> TillRequest {
        var request = TillRequest(file: file)
        request.columns = try columns(options)
        request.timeFormat = try options.value("--time-format")
        if let zone = try options.value("--time-zone") {
            guard let offset = TimeFormat.offset(zone) else {
                throw CommandFailure(.usage, "--time-zone must be an offset from UTC such as +09:00, found \"\(zone)\"")
            }
            request.timeZone = offset
        }
        for text in options.all("--where") {
            guard let condition = TillCondition(text) else {
                throw CommandFailure(.usage, "--where must be \(TillCondition.expectation), found \"\(text)\"")
            }
            request.conditions.append(condition)
        }
        return request
    }

    private static func columns(_ options: Options) throws(CommandFailure) -> TillColumns {
        var columns = TillColumns()
        columns[.time] = try options.value("--time")?.split(separator: "+").map(String.init) ?? []
        for role in [TillColumns.Role.order, .item, .quantity, .started, .ended] {
            if let column = try options.value("--\(role)") { columns[role] = [column] }
        }
        guard columns[.started].isEmpty == columns[.ended].isEmpty else {
            throw CommandFailure(.usage, "--started and --ended must be given together")
        }
        return columns
    }

    /// The share of `--hold-out`: `30%` or `0.3`.
    private static func share(_ options: Options) throws(CommandFailure) -> Double? {
        guard let text = try options.value("--hold-out") else { return nil }
        guard let share = Options.share(text)?.value, share > 0, share < 1 else {
            throw CommandFailure(.usage, "--hold-out must be a share such as 30%, found \"\(text)\"")
        }
        return share
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
