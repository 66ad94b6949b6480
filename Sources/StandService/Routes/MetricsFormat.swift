/// A text format for metrics.
enum MetricsFormat: Sendable {
    /// The text format 0.0.4 of Prometheus, also for clients that do not say what they accept.
    case prometheus
    /// OpenMetrics 1.0.0.
    case openMetrics

    var mediaType: String {
        switch self {
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// The format that suits a client (RFC 9110, 12.5.1): OpenMetrics if the client names it and does not prefer plain
    /// text.
    ///
    /// - Parameter accept: The value of `Accept`; nil if the client sent none.
    init(accept: String?) {
        var (openMetrics, plain, rank) = (0.0, 0.0, -1)
        for element in (accept ?? "").utf8.lowercasedASCII().split(separator: ",") {
            let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let range = parts.first else { continue }
            func parameter(_ name: String) -> Substring? {
                parts.first { $0.hasPrefix(name + "=") }.map { $0.dropFirst(name.count + 1) }
            }
            let version = parameter("version")
            let quality = parameter("q").map { Double($0) ?? 0 } ?? 1
            if range == "application/openmetrics-text", version == nil || version == "1.0.0" {
                openMetrics = max(openMetrics, quality)
            }
            // The most specific range counts.
            guard let place = ["*/*", "text/*", "text/plain"].firstIndex(of: range), place >= rank else { continue }
            plain = place > rank ? quality : max(plain, quality)
            rank = place
        }
        self = openMetrics > 0 && openMetrics >= plain ? .openMetrics : .prometheus
    }
}
