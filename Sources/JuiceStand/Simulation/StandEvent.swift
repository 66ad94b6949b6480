/// An event of the calendar. It is data, so that a running stand can be saved, compared and replayed.
enum StandEvent: HotArrayElement {
    case arrival
    /// A further order of a party, at the instant of its ``arrival``.
    case companion
    case cupDone(OrderTicket)
    /// The customer's patience is over. No effect if the order has been started.
    case patienceOver(OrderTicket)
    case delivery(Delivery)
    case review(Fruit)
    /// Pieces that arrived together reach their shelf life.
    case shelfLifeOver(Fruit)
    /// The next shift of makers begins.
    case shift

    static var blank: StandEvent? { .arrival }

    mutating func pass(_ row: inout HotArrayRow) {
        var (kind, subject) = words
        row.pass(&kind)
        row.pass(&subject)
        switch kind {
        case 0: self = .arrival
        case 1: self = .companion
        case 2: self = .cupDone(OrderTicket(bits: subject))
        case 3: self = .patienceOver(OrderTicket(bits: subject))
        case 4: self = .delivery(Delivery(bits: subject))
        case 5: self = .review(Fruit(index: Int(subject & 63)))
        case 6: self = .shelfLifeOver(Fruit(index: Int(subject & 63)))
        case 7: self = .shift
        default: row.refuse()
        }
    }

    /// The number of the kind of event, and the bits of its subject.
    private var words: (kind: UInt8, subject: UInt64) {
        switch self {
        case .arrival: (0, 0)
        case .companion: (1, 0)
        case .cupDone(let ticket): (2, ticket.bits)
        case .patienceOver(let ticket): (3, ticket.bits)
        case .delivery(let delivery): (4, delivery.bits)
        case .review(let fruit): (5, UInt64(fruit.index))
        case .shelfLifeOver(let fruit): (6, UInt64(fruit.index))
        case .shift: (7, 0)
        }
    }
}

/// Fruit on order, in one word, so that events remain small.
struct Delivery: Codable, Sendable {
    private let word: UInt64

    /// The most pieces of one delivery.
    static let mostPieces = 1 << 55

    /// - Precondition: `pieces` is from 0 to ``mostPieces``.
    init(of fruit: Fruit, pieces: Int) {
        precondition((0...Self.mostPieces).contains(pieces), "a delivery of \(pieces) pieces")
        word = UInt64(pieces) << 8 | UInt64(fruit.index)
    }

    init(bits: UInt64) { word = bits }

    var fruit: Fruit { Fruit(index: Int(word & 0xff)) }
    /// Fruit and pieces.
    var bits: UInt64 { word }
    var pieces: Int { Int(word >> 8) }
}
