/// The starts of spans in progress: of cups being made, deliveries on their way, and the gap to the next customer.
///
/// No event depends on them. ``Futures`` need them, because the rest of a span depends on how much of it has passed.
struct Beginnings: Codable, Sendable {
    /// The cups being made, without the first cup of each order, whose start is ``Order/firstStart``.
    var laterCups = Spans()
    var deliveries = Spans()
    /// The part of the present gap that had passed at ``gapSince``, in seconds of the arrival law.
    private(set) var gapPassed = 0.0
    private(set) var gapSince = SimulationTime.zero

    /// A gap between customers begins.
    @inline(__always)
    mutating func beginGap(at time: SimulationTime) {
        gapPassed = 0
        gapSince = time
    }

    /// The factor on the arrival rate changes at `time`.
    mutating func changeRate(from factor: Double, at time: SimulationTime) {
        gapPassed = gap(at: time, factor: factor)
        gapSince = time
    }

    /// The part of the present gap that has passed at `time`, in seconds of the arrival law.
    func gap(at time: SimulationTime, factor: Double) -> Double { gapPassed + (time - gapSince).seconds * factor }
}

/// Spans of stand time, each with the event that ends it.
///
/// Spans that are over are removed whenever their number has doubled.
struct Spans: Codable, Sendable {
    /// The event at the end of a span: its time, and the bits of its subject.
    struct End: Codable, Hashable, Sendable {
        var subject: UInt64
        var time: SimulationTime
    }

    private struct Span: Codable {
        var start: SimulationTime
        var end: End
    }

    private var spans: [Span] = []
    private var sweepAt = 16

    /// - Complexity: O(1) amortized.
    mutating func begin(at start: SimulationTime, until end: End) {
        if spans.count >= sweepAt {
            spans.removeAll { $0.end.time < start }
            sweepAt = max(16, 2 * spans.count)
        }
        spans.append(Span(start: start, end: end))
    }

    /// The start of each span by its end.
    ///
    /// - Complexity: O(*n*) for *n* spans.
    var starts: [End: SimulationTime] { Dictionary(spans.map { ($0.end, $0.start) }) { first, _ in first } }
}
