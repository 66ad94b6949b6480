import JuiceStand
import Reports
import StandExperiments
import TextFormats

/// The closing summary of `run`: what became of the stand in at most 24 lines of 80 columns, most important first.
struct RunSummary {
    static let width = 80
    /// The columns of the levels, about two lines.
    private static let widthOfStock = 120

    let stand: Stand
    let metrics: [Estimate]

    func report(_ verdicts: [Verdict]) -> Report {
        let settings = stand.settings
        var report = Report(
            title: "\(settings.stand), seed \(settings.seed), \(stand.isClosed ? "closed" : "suspended") at "
                + stand.clock.present)
        report.verdicts = verdicts
        report.add(
            "",
            [
                .figures(
                    StandSummary(metrics, currency: settings.currency).figures + [
                        ("stock", stock), ("lateness", lateness),
                    ])
            ])
        report.add("", for: .curious, [.table(StandSummary.table(of: metrics, currency: settings.currency))])
        return report
    }

    /// The levels at the end, as many as there is room for.
    private var stock: String {
        let menu = stand.settings.menu
        let levels = menu.allFruits.map { fruit in
            "\(menu.name(of: fruit)) \(stand.maker.stock(of: fruit).map(Columns.grouped) ?? "unlimited")"
        }
        var shown: [String] = []
        for level in levels {
            guard Columns.width(of: (shown + [level]).joined(separator: ", ")) <= Self.widthOfStock else { break }
            shown.append(level)
        }
        let more = levels.count - shown.count
        return shown.joined(separator: ", ") + (more > 0 ? ", and \(Columns.counted(more, "more fruit"))" : "")
    }

    private var lateness: String {
        func value(_ name: String) -> Double? { metrics.first { $0.name == name }?.mean }
        guard let most = value("lateness.p99"), let longest = value("lateness.max") else { return "no events" }
        return "99% of events within \(milliseconds(most)) of their time, longest \(milliseconds(longest))"
    }

    private func milliseconds(_ seconds: Double) -> String {
        seconds < 0.001 ? "1 ms" : Columns.fixed(seconds * 1000, decimals: seconds < 0.01 ? 1 : 0) + " ms"
    }
}
