/// The lots of one perishable fruit, the next to spoil first.
///
/// Lots that are used up leave room at the front. Most of it goes when it is two thirds of the whole. Fruit that an
/// order returns is among the oldest, so it takes that room.
struct Lots: Sendable {
    typealias Lot = FruitStore.Lot

    private var lots: [Lot] = []
    /// The place of the first lot that is left.
    private var start = 0

    private var count: Int { lots.count - start }

    /// Adds a lot, or its pieces to the lot that spoils at the same time.
    ///
    /// - Complexity: O(log *n* + *m*) amortized for *n* lots of which *m* lie between the new one and the nearer end.
    mutating func add(_ lot: Lot) {
        let place = place(after: lot.spoilsAt)
        if place > start, lots[place - 1].spoilsAt == lot.spoilsAt {
            lots[place - 1].pieces += lot.pieces
        } else if place - start >= lots.count - place {
            lots.insert(lot, at: place)
        } else {
            insertAtFront(lot, before: place - start)
        }
    }

    /// Takes pieces, the oldest first. Calls `taken` with each lot, or part of a lot.
    ///
    /// - Precondition: There are enough.
    /// - Complexity: O(*n*) amortized for the *n* lots taken.
    mutating func take(_ pieces: Int, _ taken: (Lot) -> Void) {
        var wanted = pieces
        while wanted > 0 {
            var lot = lots[start]
            if lot.pieces > wanted {
                lots[start].pieces -= wanted
                lot.pieces = wanted
            } else {
                start += 1
            }
            wanted -= lot.pieces
            taken(lot)
        }
        guard start >= 64, start > 2 * count else { return }
        lots.removeFirst(start)
        start = 0
    }

    /// Pieces that have reached their shelf life at `time`, in nanoseconds of stand time.
    ///
    /// - Complexity: O(*n*) for the *n* lots that have.
    func spoiled(at time: Int64) -> Int {
        var pieces = 0
        var place = start
        while place < lots.count, lots[place].spoilsAt <= time {
            pieces += lots[place].pieces
            place += 1
        }
        return pieces
    }

    /// The place of the first lot that spoils after `time`.
    private func place(after time: Int64) -> Int {
        guard let last = lots.last, last.spoilsAt > time else { return lots.count }
        var places = start..<lots.count
        while !places.isEmpty {
            let middle = places.lowerBound + places.count / 2
            if lots[middle].spoilsAt > time {
                places = places.lowerBound..<middle
            } else {
                places = (middle + 1)..<places.upperBound
            }
        }
        return places.lowerBound
    }

    /// Moves the first `older` lots one place towards the front, and puts `lot` behind them.
    private mutating func insertAtFront(_ lot: Lot, before older: Int) {
        if start == 0 {
            start = max(16, count / 2)
            lots.insert(contentsOf: repeatElement(lot, count: start), at: 0)
        }
        start -= 1
        for place in start..<start + older { lots[place] = lots[place + 1] }
        lots[start + older] = lot
    }
}

// MARK: - Without the room at the front

extension Lots: Equatable {
    static func == (a: Self, b: Self) -> Bool { a.lots[a.start...].elementsEqual(b.lots[b.start...]) }
}

extension Lots: Codable {
    init(from decoder: any Decoder) throws { lots = try [Lot](from: decoder) }

    func encode(to encoder: any Encoder) throws { try Array(lots[start...]).encode(to: encoder) }
}
