import StandExperiments

// The metrics of the latest forecast.

extension MetricsText {
    mutating func add(_ outlook: Forecast.Answer) {
        let result = outlook.result
        add(.gauge, "juicestand_forecast_stand_time_seconds", "Stand time of the latest forecast.", result.at)
        add(
            .gauge, "juicestand_forecast_short_probability",
            "Probability that the fruit is short of a cup of some juice within this stand time of the forecast.",
            labelled: outlook.fruits.enumerated().flatMap { index, fruit in
                outlook.spans.map { span in
                    (
                        [("fruit", fruit.name), ("within", Forecast.Answer.name(ofSpan: span))],
                        outlook.probability(index, within: span)
                    )
                }
            })
        add(
            .gauge, "juicestand_forecast_short_seconds",
            "Stand time from the forecast until the fruit is first short, over the futures in which it is.",
            labelled: outlook.fruits.flatMap { fruit in
                fruit.short.at.map { Self.samples($0, [("fruit", fruit.name)], less: result.at) } ?? []
            })
        add(
            .gauge, "juicestand_forecast_stock_pieces", "Pieces on hand at the end of the forecast.",
            labelled: outlook.fruits.flatMap { fruit in
                fruit.levels.last.map { Self.samples($0.quantiles, [("fruit", fruit.name)]) } ?? []
            })
        add(
            .gauge, "juicestand_forecast_queue_orders", "Orders with no cup started at the end of the forecast.",
            labelled: result.runs[0].queue.last.map { Self.samples($0.quantiles, []) } ?? [])
    }

    private static func samples(
        _ quantiles: ForecastResult.Quantiles, _ labels: [(name: String, value: String)], less start: Double = 0
    ) -> [(labels: [(name: String, value: String)], value: Double)] {
        [
            ("5", quantiles.p05), ("25", quantiles.p25), ("50", quantiles.p50), ("75", quantiles.p75),
            ("95", quantiles.p95),
        ].map { (labels + [("percentile", $0.0)], $0.1 - start) }
    }
}
