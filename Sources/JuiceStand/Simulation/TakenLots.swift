/// The lots that unstarted orders took, so that pieces that are returned keep their age.
///
/// Each slot of the orders has a list, and all lists lie in one table: arrays in an array would ask the runtime twice
/// at every change whether their memory is shared. See ``HotArray``.
struct TakenLots: Sendable {
    /// Pieces of one fruit that an order took from one lot.
    struct TakenLot: BitwiseCopyable, Codable {
        var fruit: Fruit
        var lot: FruitStore.Lot
    }

    /// A lot in a list, or a free place in the table.
    private struct Node: BitwiseCopyable {
        var taken: TakenLot
        /// The place of the next node; below 0 at the end.
        var next: Int32
    }

    private struct List: BitwiseCopyable {
        /// The place of the first lot; below 0 for an empty list.
        var first: Int32 = -1
        /// The place of the last lot, unless the list is empty.
        var last: Int32 = -1
    }

    /// The lists of the orders, by slot.
    private var lists = HotArray<List>()
    private var nodes = HotArray<Node>()
    /// The first of the free places, which form a list, too.
    private var free: Int32 = -1

    /// Makes an empty list for a slot that is used for the first time. Call it before anything else.
    mutating func makeRoom(for slot: Int32) { if Int(slot) == lists.count { lists.append(List()) } }

    /// Adds a lot at the end of the list of a slot.
    ///
    /// - Complexity: O(1) amortized.
    mutating func append(_ lot: FruitStore.Lot, of fruit: Fruit, to slot: Int32) {
        let node = Node(taken: TakenLot(fruit: fruit, lot: lot), next: -1)
        let place = free
        if place < 0 {
            nodes.append(node)
        } else {
            free = nodes[Int(place)].next
            nodes[Int(place)] = node
        }
        let added = place < 0 ? Int32(nodes.count - 1) : place
        let list = lists[Int(slot)]
        if list.first < 0 {
            lists[Int(slot)].first = added
        } else {
            nodes[Int(list.last)].next = added
        }
        lists[Int(slot)].last = added
    }

    /// Empties the list of a slot.
    ///
    /// - Complexity: O(1)
    mutating func removeAll(of slot: Int32) {
        let list = lists[Int(slot)]
        guard list.first >= 0 else { return }
        nodes[Int(list.last)].next = free
        free = list.first
        lists[Int(slot)] = List()
    }

    /// The lots of a slot, in the order in which they were taken.
    subscript(slot: Int32) -> some Sequence<TakenLot> {
        sequence(state: lists[Int(slot)].first) { [nodes] place -> TakenLot? in
            guard place >= 0 else { return nil }
            let node = nodes[Int(place)]
            place = node.next
            return node.taken
        }
    }

    /// See ``HotArray/own()``.
    mutating func own() {
        lists.own()
        nodes.own()
    }
}

extension TakenLots: Codable {
    /// Reads a list for each slot.
    init(from decoder: any Decoder) throws {
        for (slot, lots) in try [[TakenLot]](from: decoder).enumerated() {
            makeRoom(for: Int32(slot))
            for taken in lots { append(taken.lot, of: taken.fruit, to: Int32(slot)) }
        }
    }

    func encode(to encoder: any Encoder) throws {
        try lists.indices.map { Array(self[Int32($0)]) }.encode(to: encoder)
    }
}
