import JuiceStand
import Reports
import TextFormats

/// Customers who wished a juice and left, in one hour of the day, for one reason.
package struct Loss: Equatable, Sendable {
    package var juice: String
    /// From 0 to 23.
    package var hour: Int
    package var reason: LossReason
    /// Customers in 24 hours of the measured period.
    package var perDay: Estimate
}

extension SimulationResult.Run {
    /// The losses whose mean is above 0, in menu order, then by hour, then by reason.
    package var losses: [Loss] {
        var found: [LossTable.Place: [(outcome: Int, perDay: Double)]] = [:]
        for (index, outcome) in outcomes.enumerated() where outcome.days > 0 {
            for row in outcome.losses.rows where row.place.juice.index < juices.count {
                found[row.place, default: []].append((index, Double(row.customers) / outcome.days))
            }
        }
        let places = found.keys.sorted { $0.order < $1.order }
        var values = outcomes.map { $0.days > 0 ? 0 : nil as Double? }
        return places.map { place in
            let rows = found[place] ?? []
            for row in rows { values[row.outcome] = row.perDay }
            defer { for row in rows { values[row.outcome] = 0 } }
            return Loss(
                juice: juices[place.juice.index], hour: place.hour, reason: place.reason,
                perDay: Estimate(name: "", of: values))
        }
    }
}

// MARK: - In reports

extension SimulationResult {
    private static let mostLosses = 3

    /// Adds the worst losses in words, and on pages a heat map of all losses, with the reasons as tooltips.
    func addLosses(of run: Run, to report: inout Report) {
        let losses = run.losses
        guard !losses.isEmpty else { return }
        let title = "Why customers left" + (isSweep ? ", with \(shortName(of: run))" : "")
        let worst = losses.sorted { $0.perDay.mean ?? 0 > $1.perDay.mean ?? 0 }.prefix(Self.mostLosses)
        let sentences = worst.map { loss in
            "\(loss.juice), \(Self.hours(loss.hour)), \(loss.reason.inWords): \(loss.perDay.rounded()) a day"
        }
        report.add(title, [.list(sentences)])
        report.add("", for: .page, [.table(heatMap(losses))])
    }

    private static func hours(_ hour: Int) -> String {
        "\(Columns.zeroPadded(hour, 2)):00–\(Columns.zeroPadded(hour + 1, 2)):00"
    }

    /// A row for each juice that anybody missed and a column for each hour from the first loss to the last.
    private func heatMap(_ losses: [Loss]) -> Report.Table {
        let hours = losses.map(\.hour)
        let shown = (hours.min() ?? 0)...(hours.max() ?? 0)
        var juices: [String] = []
        for loss in losses where juices.last != loss.juice { juices.append(loss.juice) }
        func sum(_ losses: [Loss]) -> Double { losses.reduce(0) { $0 + ($1.perDay.mean ?? 0) } }
        let byPlace = Dictionary(grouping: losses) { "\($0.hour) \($0.juice)" }
        let most = byPlace.values.map(sum).max() ?? 1
        var table = Report.Table(
            "Customers who left, a day, by the juice they wished and the hour of the day",
            columns: ["juice"] + shown.map { Columns.zeroPadded($0, 2) })
        for juice in juices {
            let cells = shown.map { hour -> Report.Cell in
                guard let losses = byPlace["\(hour) \(juice)"] else { return .init("", heat: 0) }
                let reasons = losses.map { "\($0.reason.inWords) \($0.perDay.rounded())" }
                return .init(
                    Columns.factor((sum(losses) * 10).rounded() / 10), heat: sum(losses) / most,
                    hint: "\(juice), \(Self.hours(hour)): \(reasons.joined(separator: ", ")) a day")
            }
            table.rows.append(.init([.init(juice)] + cells))
        }
        return table
    }
}
