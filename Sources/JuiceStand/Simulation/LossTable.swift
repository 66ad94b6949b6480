/// The customers who left without juice in the measured period, by the juice they wished, the hour and the reason.
///
/// It takes no memory as long as no customer is lost.
package struct LossTable: Equatable, Sendable {
    package struct Place: Hashable, Sendable {
        package var juice: Juice
        /// The hour of the day, from 0 to 23, by the calendar of the opening.
        package var hour: Int
        package var reason: LossReason

        /// - Precondition: `hour` is from 0 to 23.
        package init(_ juice: Juice, hour: Int, _ reason: LossReason) {
            precondition((0..<24).contains(hour), "hour \(hour)")
            self.juice = juice
            self.hour = hour
            self.reason = reason
        }

        /// The place with that ``order``; nil if there is none.
        package init?(order: Int) {
            let (hours, reason) = order.quotientAndRemainder(dividingBy: LossReason.allCases.count)
            guard order >= 0, hours / 24 < Juice.limit else { return nil }
            self.init(Juice(index: hours / 24), hour: hours % 24, LossReason.allCases[reason])
        }

        /// The rank of the place: in menu order, then by hour, then by reason.
        package var order: Int { (juice.index * 24 + hour) * LossReason.allCases.count + reason.rawValue }
    }

    package struct Row: Equatable, Sendable {
        package var place: Place
        package var customers: Int
    }

    /// Counts of customers by ``Place/order``, up to the last juice with a lost customer.
    private var counts: [Int] = []

    package init() {}

    package mutating func add(_ customers: Int, at place: Place) {
        let end = (place.juice.index + 1) * 24 * LossReason.allCases.count
        if counts.count < end { counts += repeatElement(0, count: end - counts.count) }
        counts[place.order] += customers
    }

    /// The counts above 0, in the order of their places.
    package var rows: [Row] {
        counts.indices.compactMap { order in
            counts[order] > 0 ? Place(order: order).map { Row(place: $0, customers: counts[order]) } : nil
        }
    }
}

// MARK: - Codable

extension LossTable: Codable {
    /// A row as it is saved.
    private struct SavedRow: Codable {
        var juice: Juice
        var hour: Int
        var reason: String
        var customers: Int
    }

    package init(from decoder: any Decoder) throws {
        for row in try [SavedRow](from: decoder) {
            guard let reason = LossReason(name: row.reason), (0..<24).contains(row.hour) else { continue }
            add(row.customers, at: Place(row.juice, hour: row.hour, reason))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try rows.map { row in
            SavedRow(
                juice: row.place.juice, hour: row.place.hour, reason: row.place.reason.name, customers: row.customers)
        }.encode(to: encoder)
    }
}
