import Dispatch
import JuiceStand
import Platform
import StandExperiments
import TextFormats

/// Forecasts a running stand again and again, and warns before fruit becomes short.
///
/// A forecast is asked for every ``spacing`` of stand time, or as soon as the last one is there if that takes longer.
final class LiveForecast: Sendable {
    /// Warns if a fruit is short within the hour with a probability above this.
    static let warningProbability = 0.9
    /// The futures of each forecast. A probability near that of a warning is known to within .03.
    static let futures = 400
    /// Stand time from one forecast to the next.
    static let spacing = SimulationTime(seconds: 300)

    private struct State {
        var timer: (any DispatchSourceTimer)?
        /// Whether a forecast is being computed.
        var isAsking = false
        /// The stand time at which the latest forecast was asked for; nil before the first one.
        var askedAt: SimulationTime?
        /// The fruits of which the last forecast warned.
        var warned: Set<String> = []
        /// Whether the log says that the forecast is too large.
        var hasRefused = false
    }

    private let desk: ForecastDesk
    private let control: StandControl
    private let span: Forecast.Span
    private let interval: DispatchTimeInterval
    private let log: ServiceLog
    private let queue = DispatchQueue(label: "forecasts", qos: .utility)
    private let state = Guarded(State())

    /// - Parameters:
    ///   - length: How far to look ahead, in stand time.
    ///   - interval: The poll interval for the stand's clock, in wall time.
    ///   - log: Gets the warnings.
    init(
        _ desk: ForecastDesk, _ control: StandControl, _ length: SimulationTime, every interval: DispatchTimeInterval,
        log: ServiceLog
    ) {
        self.desk = desk
        self.control = control
        span = Forecast.Span(length: length, replications: Self.futures)
        self.interval = interval
        self.log = log
    }

    func begin() {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now(), repeating: interval, leeway: .milliseconds(10))
        timer.setEventHandler { [weak self] in self?.ask() }
        state.withLock { $0.timer = timer }
        timer.activate()
    }

    func end() {
        state.withLock { $0.timer }?.cancel()
    }

    /// Asks for a forecast if it is due, unless the last one is still being computed.
    private func ask() {
        let now = control.status.time
        let isDue = state.withLock { state in
            if state.isAsking { return false }
            if let askedAt = state.askedAt, now - askedAt < Self.spacing { return false }
            state.isAsking = true
            state.askedAt = now
            return true
        }
        if isDue { desk.ask(.init(span: span), for: .stand) { [weak self] result in self?.take(result) } }
    }

    private func take(_ result: Result<Forecast.Answer, ForecastDeskError>) {
        state.withLock { $0.isAsking = false }
        switch result {
        case .success(let outlook):
            state.withLock { $0.hasRefused = false }
            control.show(outlook)
            warn(outlook)
        case .failure(.impossible(.tooLarge(let reason))):
            if !state.exchange(\.hasRefused, for: true) {
                log.write(.warning, "shortForecast", ["refused": .string(reason)])
            }
        // A stand that has ended has no forecast, and a crowded desk is asked again later.
        case .failure: break
        }
    }

    private func warn(_ outlook: Forecast.Answer) {
        let span = outlook.hour
        let indices = outlook.fruits.indices.filter {
            outlook.probability($0, within: span) > Self.warningProbability && !outlook.isShort($0)
        }
        let names = Set(indices.map { outlook.fruits[$0].name })
        let known = state.exchange(\.warned, for: names)
        for index in indices where !known.contains(outlook.fruits[index].name) {
            let fruit = outlook.fruits[index]
            log.write(
                .warning, at: SimulationTime(seconds: outlook.result.at), "shortForecast",
                [
                    "fruit": .string(fruit.name), "within": .string(Forecast.Answer.name(ofSpan: span)),
                    "probability": .number(outlook.probability(index, within: span)),
                ], times: ["p05": fruit.short.at?.p05, "p50": fruit.short.at?.p50, "p95": fruit.short.at?.p95])
        }
    }
}
