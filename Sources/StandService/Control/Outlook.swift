import JuiceStand
import StandExperiments

/// The latest forecast of a stand that keeps forecasting.
package struct Outlook: Sendable {
    /// A span of stand time from the forecast on.
    struct Span: Equatable, Sendable {
        /// Such as `15m` or `4h`.
        var name: String
        var seconds: Double

        init(_ seconds: Double) {
            self.seconds = seconds
            let whole = Int(seconds.rounded())
            name = whole % 3600 == 0 ? "\(whole / 3600)h" : whole % 60 == 0 ? "\(whole / 60)m" : "\(whole)s"
        }
    }

    let result: ForecastResult
    /// See ``Forecast/Answer/shorts``.
    private let shorts: [[Double]]

    init(_ answer: Forecast.Answer) {
        result = answer.result
        shorts = answer.shorts
    }

    /// The fruits that can become short.
    var fruits: [ForecastResult.Fruit] { result.runs[0].fruits }

    /// The spans whose probabilities are given: some usual ones, and the whole.
    var spans: [Span] {
        let whole = result.horizon - result.at
        return [900, 3600, 14_400, 43_200, 86_400].filter { $0 < whole }.map(Span.init) + [Span(whole)]
    }

    /// The longest of the ``spans`` that is at most an hour, or the whole.
    var hour: Span { spans.last { $0.seconds <= 3600 } ?? spans[0] }

    /// The share of the futures in which a fruit is short within `span`.
    ///
    /// - Parameter index: Of the fruit in ``fruits``.
    func probability(_ index: Int, within span: Span) -> Double {
        Double(shorts[index].count { $0 <= span.seconds }) / Double(result.replications)
    }

    /// Whether a fruit is short at the time of the forecast.
    func isShort(_ index: Int) -> Bool { shorts[index].first == 0 }
}
