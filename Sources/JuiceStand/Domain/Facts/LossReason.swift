/// Why a customer left without juice.
///
/// To add a reason, add a case and its ``traits``, and let ``Stand`` announce it. Counts, metrics, reports, the
/// service, the terminal and the page follow from the traits.
///
/// ```swift
/// let token = center.observe(OrderLost.self) { if $0.reason == .soldOut { print("sold out") } }
/// ```
public enum LossReason: Int, CaseIterable, Sendable {
    /// Balked: no maker was free and every waiting place was taken.
    case queueFull
    /// There was too little fruit.
    case soldOut
    /// Reneged: no cup was started before the patience ran out.
    case ranOutOfPatience
    /// The stand does not offer the juice.
    case notOnMenu

    /// The properties of a reason, for the rest of the program.
    package struct Traits: Sendable {
        /// The name in the ledger and in JSON.
        package let name: StaticString
        /// The metric that counts these customers.
        package let metric: String
        /// The reason in an English sentence.
        let words: String
        /// Whether the order was placed first, and so leaves the queue.
        package var wasPlaced = false
        /// Whether the cups count as lost.
        var losesCups = false
        /// Whether only orders by command are lost for this reason. Simulations don't report it.
        package var isByCommand = false
    }

    package var traits: Traits {
        switch self {
        case .queueFull: Traits(name: "queueFull", metric: "customers.balked", words: "queue full")
        case .soldOut: Traits(name: "soldOut", metric: "customers.soldOut", words: "sold out", losesCups: true)
        case .ranOutOfPatience:
            Traits(
                name: "ranOutOfPatience", metric: "customers.reneged", words: "out of patience", wasPlaced: true,
                losesCups: true)
        case .notOnMenu:
            Traits(name: "notOnMenu", metric: "customers.notOnMenu", words: "not on the menu", isByCommand: true)
        }
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    /// All reasons in the order of reports: by metric, reasons that only commands cause last.
    package static let reported =
        allCases.filter { !$0.traits.isByCommand }.sorted { $0.traits.metric < $1.traits.metric }
        + allCases.filter(\.traits.isByCommand)

    /// The reason in the ledger and in JSON.
    public var name: String { "\(traits.name)" }

    /// The reason in an English sentence.
    package var inWords: String { traits.words }

    /// The reason with that name in the ledger; nil if there is none.
    public init?(name: String) {
        guard let reason = Self.byName[name] else { return nil }
        self = reason
    }
}

/// Lost orders by reason.
package struct LossCounts: Equatable, Sendable {
    private var counts = Array(repeating: 0, count: LossReason.allCases.count)

    package init() {}

    @inline(__always)
    package subscript(reason: LossReason) -> Int {
        get { counts[reason.rawValue] }
        set { counts[reason.rawValue] = newValue }
    }

    package var total: Int { counts.reduce(0, +) }
}

// MARK: - Codable

extension LossCounts: Codable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// A reason that the saved counts don't name has the count 0.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        for reason in LossReason.allCases {
            let name = Name(stringValue: reason.name)
            if container.contains(name) { self[reason] = try container.decode(Int.self, forKey: name) }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for reason in LossReason.allCases {
            try container.encode(self[reason], forKey: Name(stringValue: reason.name))
        }
    }
}
