import StandExperiments

/// The figures that a running stand shows of its latest forecast.
extension Forecast.Answer {
    /// The fruits that can become short.
    var fruits: [ForecastResult.Fruit] { result.runs[0].fruits }

    /// The spans for which probabilities are given, in seconds from the forecast: some usual ones, and the whole.
    var spans: [Double] {
        let whole = result.horizon - result.at
        return [900, 3600, 14_400, 43_200, 86_400].filter { $0 < whole } + [whole]
    }

    /// The longest of the ``spans`` that is at most an hour, or the whole.
    var hour: Double { spans.last { $0 <= 3600 } ?? spans[0] }

    /// A span as text, such as `15m` or `4h`.
    static func name(ofSpan seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        return whole % 3600 == 0 ? "\(whole / 3600)h" : whole % 60 == 0 ? "\(whole / 60)m" : "\(whole)s"
    }

    /// The share of the futures in which a fruit is short within `span`.
    ///
    /// - Parameter index: The index of the fruit in ``fruits``.
    func probability(_ index: Int, within span: Double) -> Double {
        Double(shorts[index].count { $0 <= span }) / Double(result.replications)
    }

    /// Whether a fruit is short at the time of the forecast.
    func isShort(_ index: Int) -> Bool { shorts[index].first == 0 }
}
