import JuiceStand
import TextFormats

/// Metrics in a text format that Prometheus reads.
struct MetricsText {
    enum Kind: String {
        /// Its name ends in `_total`.
        case counter
        case gauge
    }

    private let format: MetricsFormat
    private var lines = ""

    init(_ format: MetricsFormat) {
        self.format = format
    }

    /// What has been added, as a complete document.
    var text: String { format == .openMetrics ? lines + "# EOF\n" : lines }

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
        begin(kind, name, help)
        for value in values { sample(name, value.labels, value.value) }
    }

    /// Labels that describe the whole, with the value 1. The name ends in `_info`.
    mutating func add(info name: String, _ help: String, _ labels: [(name: String, value: String)]) {
        switch format {
        case .prometheus: begin(Kind.gauge.rawValue, name, help)
        case .openMetrics: begin("info", String(name.dropLast("_info".count)), help)
        }
        sample(name, labels, 1)
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

    /// OpenMetrics names a counter without the `_total` of its samples.
    private mutating func begin(_ kind: Kind, _ name: String, _ help: String) {
        let isShort = kind == .counter && format == .openMetrics
        begin(kind.rawValue, isShort ? String(name.dropLast("_total".count)) : name, help)
    }

    private mutating func begin(_ type: String, _ name: String, _ help: String) {
        lines += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private mutating func sample(_ name: String, _ labels: [(name: String, value: String)], _ value: Double) {
        lines += name
        if !labels.isEmpty {
            lines += "{" + labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",") + "}"
        }
        lines += value == value.rounded() && value.magnitude < 0x1p53 ? " \(Int64(value))\n" : " \(value)\n"
    }

    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.visible.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
