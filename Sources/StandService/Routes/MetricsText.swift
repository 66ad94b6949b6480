import JuiceStand
import TextFormats

/// Metrics in the text format 0.0.4 of Prometheus.
struct MetricsText {
    enum Kind: String {
        /// Its name ends in `_total`.
        case counter
        case gauge
    }

    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// What has been added, as a complete document.
    private(set) var text = ""

    /// One value without labels.
    mutating func add(_ kind: Kind, _ name: String, _ help: String, _ value: Double) {
        add(kind, name, help, labelled: [([], value)])
    }

    mutating func add(_ kind: Kind, _ name: String, _ help: String, _ value: some BinaryInteger) {
        add(kind, name, help, Double(value))
    }

    /// One value per value of a label.
    mutating func add(
        _ kind: Kind, _ name: String, _ help: String, by label: String, _ values: [(label: String, value: Double)]
    ) {
        add(kind, name, help, labelled: values.map { ([(label, $0.label)], $0.value) })
    }

    /// Values with several labels.
    mutating func add(
        _ kind: Kind, _ name: String, _ help: String,
        labelled values: [(labels: [(name: String, value: String)], value: Double)]
    ) {
        begin(kind.rawValue, name, help)
        for value in values { sample(name, value.labels, value.value) }
    }

    /// A histogram as cumulative counts up to each of some bounds, in seconds.
    mutating func add(_ name: String, _ help: String, _ histogram: Histogram, bounds: [Double]) {
        begin("histogram", name, help)
        for (bound, count) in zip(bounds, histogram.counts(atMost: bounds.map { SimulationTime(seconds: $0) })) {
            sample(name + "_bucket", [("le", "\(bound)")], Double(count))
        }
        sample(name + "_bucket", [("le", "+Inf")], Double(histogram.count))
        sample(name + "_sum", [], histogram.total)
        sample(name + "_count", [], Double(histogram.count))
    }

    private mutating func begin(_ type: String, _ name: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private mutating func sample(_ name: String, _ labels: [(name: String, value: String)], _ value: Double) {
        text += name
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",") + "}"
        }
        text += value == value.rounded() && value.magnitude < 0x1p53 ? " \(Int64(value))\n" : " \(value)\n"
    }

    private static func escaped(_ value: String) -> String {
        value.visible.unicodeScalars.map { ($0 == "\\" || $0 == "\"" ? "\\" : "") + String($0) }.joined()
    }
}
