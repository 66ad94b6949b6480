/// An event of the calendar. It is data, so that a running stand can be saved, compared and replayed.
enum StandEvent: Codable, Sendable {
    case arrival
    /// A further order of a party, at the instant of its ``arrival``.
    case companion
    case cupDone(OrderTicket)
    /// Has no effect after the order has been started.
    case patienceOver(OrderTicket)
    case delivery(Delivery)
    case review(Fruit)
    /// Pieces that arrived together reach their shelf life.
    case shelfLifeOver(Fruit)
    /// The next shift of makers begins.
    case shift
}

/// Fruit on order, in one word, so that events remain small.
struct Delivery: Codable, Sendable {
    private var word: UInt64

    /// The most pieces of one delivery.
    static let mostPieces = 1 << 55

    /// - Precondition: `pieces` is from 0 to ``mostPieces``.
    init(of fruit: Fruit, pieces: Int) {
        precondition((0...Self.mostPieces).contains(pieces), "a delivery of \(pieces) pieces")
        word = UInt64(pieces) << 8 | UInt64(fruit.index)
    }

    var fruit: Fruit { Fruit(index: Int(word & 0xff)) }
    /// Fruit and pieces.
    var bits: UInt64 { word }
    var pieces: Int { Int(word >> 8) }
}
