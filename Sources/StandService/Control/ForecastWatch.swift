import Dispatch
import JuiceStand
import Platform
import StandExperiments
import TextFormats

/// Forecasts a running stand every minute, and warns before fruit becomes short.
final class ForecastWatch: Sendable {
    /// Warns if a fruit is short within the hour with a probability above this.
    static let warningProbability = 0.9

    private struct State {
        var timer: (any DispatchSourceTimer)?
        /// Whether a forecast is being computed.
        var isAsking = false
        /// The fruits of which the last forecast warned.
        var warned: Set<String> = []
        /// Whether the log says that the forecast is too large.
        var hasRefused = false
    }

    private let desk: ForecastDesk
    private let span: Forecast.Span
    private let interval: Duration
    private let show: @Sendable (Outlook) -> Void
    private let log: @Sendable (_ at: SimulationTime?, JSONValue) -> Void
    private let queue = DispatchQueue(label: "forecasts", qos: .utility)
    private let state = Guarded(State())

    /// - Parameters:
    ///   - span: How far to look.
    ///   - interval: Wall time between two forecasts.
    ///   - show: Takes each forecast, on any thread.
    ///   - log: Takes the warnings, with the stand time of the forecast, on any thread.
    init(
        _ desk: ForecastDesk, _ span: Forecast.Span, every interval: Duration,
        show: @escaping @Sendable (Outlook) -> Void,
        log: @escaping @Sendable (_ at: SimulationTime?, JSONValue) -> Void
    ) {
        self.desk = desk
        self.span = span
        self.interval = interval
        self.show = show
        self.log = log
    }

    func begin() {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let nanoseconds = interval.components.seconds * 1_000_000_000 + interval.components.attoseconds / 1_000_000_000
        timer.schedule(deadline: .now(), repeating: .nanoseconds(Int(nanoseconds)), leeway: .milliseconds(100))
        timer.setEventHandler { [weak self] in self?.ask() }
        state.withLock { $0.timer = timer }
        timer.activate()
    }

    func end() {
        state.withLock { $0.timer }?.cancel()
    }

    /// Asks for a forecast, unless the last one is still being computed.
    private func ask() {
        guard !state.exchange(\.isAsking, for: true) else { return }
        desk.ask(.init(span: span), for: .stand) { [weak self] result in self?.take(result) }
    }

    private func take(_ result: Result<Forecast.Answer, ForecastDesk.Refusal>) {
        state.withLock { $0.isAsking = false }
        switch result {
        case .success(let answer):
            let outlook = Outlook(answer)
            show(outlook)
            warn(outlook)
        case .failure(.impossible(.tooLarge(let reason))):
            if !state.exchange(\.hasRefused, for: true) { log(nil, ["refused": .string(reason)]) }
        // A stand that has ended has no forecast, and a crowded desk is asked again in a minute.
        case .failure: break
        }
    }

    private func warn(_ outlook: Outlook) {
        let span = outlook.hour
        let places = outlook.fruits.indices.filter {
            outlook.probability($0, within: span) > Self.warningProbability && !outlook.isShort($0)
        }
        let names = Set(places.map { outlook.fruits[$0].name })
        let known = state.exchange(\.warned, for: names)
        for place in places where !known.contains(outlook.fruits[place].name) {
            let fruit = outlook.fruits[place]
            log(
                SimulationTime(seconds: outlook.result.at),
                [
                    "fruit": .string(fruit.name), "within": .string(span.name),
                    "probability": .number(outlook.probability(place, within: span)),
                    "p05": fruit.short.at.map { .number($0.p05) },
                    "p50": fruit.short.at.map { .number($0.p50) },
                    "p95": fruit.short.at.map { .number($0.p95) },
                ])
        }
    }
}
