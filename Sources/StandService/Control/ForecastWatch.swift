import Dispatch
import JuiceStand
import Platform
import StandExperiments
import TextFormats

/// Forecasts a running stand, and warns before fruit becomes short.
///
/// The latest forecast is at most ``step`` of stand time old, or what the stand does in two and a half real seconds,
/// and about a minute of real time.
package final class ForecastWatch: Sendable {
    /// Warns if a fruit is short within the hour with a probability above this.
    static let warningProbability = 0.9
    /// In seconds of stand time.
    package static let step = 900.0
    /// The most intervals between two forecasts.
    private static let mostIntervals = 30

    private struct State {
        var timer: (any DispatchSourceTimer)?
        /// Whether a forecast is being computed.
        var isAsking = false
        /// The stand time at which it was asked for, and the intervals since; nil before the first one.
        var asked: (at: SimulationTime, intervals: Int)?
        /// The fruits of which the last forecast warned.
        var warned: Set<String> = []
        /// The number of futures of the next forecast; nil for all.
        var futures: Int?
        /// When the computation began, in nanoseconds of a monotonic clock.
        var beganAt: UInt64 = 0
        /// Whether the log says that the forecast is too large. It is then asked for as rarely as possible.
        var hasRefused = false
    }

    /// Takes a warning, with the stand times of the forecast and of the shortage, on any thread.
    typealias Log = @Sendable (_ at: SimulationTime?, JSONValue, _ times: KeyValuePairs<String, Double?>) -> Void

    private let desk: ForecastDesk
    private let span: Forecast.Span
    private let interval: Duration
    /// The present stand time and the speed.
    private let clock: @Sendable () -> (time: SimulationTime, speed: Double)
    private let show: @Sendable (Outlook) -> Void
    private let log: Log
    private let queue = DispatchQueue(label: "forecasts", qos: .utility)
    private let state = Guarded(State())

    /// - Parameters:
    ///   - span: How far to look.
    ///   - interval: The least wall time between two forecasts.
    ///   - clock: The present stand time and the speed.
    ///   - show: Takes each forecast, on any thread.
    ///   - log: Takes the warnings.
    init(
        _ desk: ForecastDesk, _ span: Forecast.Span, every interval: Duration,
        clock: @escaping @Sendable () -> (time: SimulationTime, speed: Double),
        show: @escaping @Sendable (Outlook) -> Void,
        log: @escaping Log
    ) {
        self.desk = desk
        self.span = span
        self.interval = interval
        self.clock = clock
        self.show = show
        self.log = log
    }

    func begin() {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let nanoseconds = interval.components.seconds * 1_000_000_000 + interval.components.attoseconds / 1_000_000_000
        timer.schedule(deadline: .now(), repeating: .nanoseconds(Int(nanoseconds)), leeway: .milliseconds(10))
        timer.setEventHandler { [weak self] in self?.ask() }
        state.withLock { $0.timer = timer }
        timer.activate()
    }

    func end() {
        state.withLock { $0.timer }?.cancel()
    }

    /// Whether the next forecast is due, because it could be too old an interval later.
    ///
    /// - Parameters:
    ///   - intervals: Since the last one, whose age is in seconds of stand time.
    ///   - interval: The stand time of an interval, in seconds.
    package static func isDue(after intervals: Int, age: Double, interval: Double) -> Bool {
        // A third of the step is left for computing.
        intervals >= mostIntervals || age + interval > step * 2 / 3
    }

    /// The number of futures of the next forecast: fewer if the last one took so long that it was old when it was shown.
    ///
    /// - Parameters:
    ///   - futures: The number of the last forecast, which took some seconds of real time.
    ///   - interval: In seconds of real time.
    ///   - speed: Seconds of the stand in a second of real time.
    package static func futures(after futures: Int, took: Double, interval: Double, speed: Double) -> Int {
        if took > interval / 4, took * speed > step / 3 { return max(min(futures, 50), futures / 2) }
        return took < interval / 16 ? futures * 2 : futures
    }

    /// Asks for a forecast if it is due, unless the last one is still being computed.
    private func ask() {
        let (now, speed) = clock()
        let isDue = state.withLock { state in
            if let (at, intervals) = state.asked {
                state.asked?.intervals = intervals + 1
                let (age, interval) = ((now - at).seconds, interval / .seconds(1) * speed)
                let isDue = Self.isDue(
                    after: intervals + 1, age: state.hasRefused ? -.infinity : age, interval: interval)
                guard !state.isAsking, isDue else { return false }
            }
            (state.isAsking, state.asked, state.beganAt) = (true, (now, 0), monotonicNanoseconds())
            return true
        }
        guard isDue else { return }
        let futures = state.withLock { $0.futures } ?? span.replications
        let span = Forecast.Span(length: span.length, every: span.every, replications: futures)
        desk.ask(.init(span: span), for: .stand) { [weak self] result in self?.take(result) }
    }

    private func take(_ result: Result<Forecast.Answer, ForecastDesk.Refusal>) {
        state.withLock { $0.isAsking = false }
        switch result {
        case .success(let answer):
            let (speed, most) = (clock().speed, span.replications)
            state.withLock { state in
                state.hasRefused = false
                let futures = Self.futures(
                    after: answer.result.replications, took: Double(monotonicNanoseconds() - state.beganAt) / 1e9,
                    interval: interval / .seconds(1), speed: speed)
                state.futures = min(most, futures)
            }
            let outlook = Outlook(answer)
            show(outlook)
            warn(outlook)
        case .failure(.impossible(.tooLarge(let reason))):
            if !state.exchange(\.hasRefused, for: true) { log(nil, ["refused": .string(reason)], [:]) }
        // A stand that has ended has no forecast, and a crowded desk is asked again later.
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
                ], ["p05": fruit.short.at?.p05, "p50": fruit.short.at?.p50, "p95": fruit.short.at?.p95])
        }
    }
}
