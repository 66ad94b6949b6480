/// The fruit on hand: whole pieces of each, never negative, taken all or none.
///
/// A value: whoever holds it owns it, and nobody else's copy changes. Levels are read from outside and changed only by
/// the operations here, which report nothing; what changed follows from what was asked, since an operation happens
/// whole or not at all.
public struct FruitStore: Equatable, Codable, Sendable {
    /// Pieces that came together and spoil together.
    public struct Lot: Equatable, Codable, Sendable {
        public var pieces: Int
        /// The stand time, in nanoseconds, at which the pieces have reached their shelf life.
        public var spoilsAt: Int64
    }

    /// Pieces of each fruit; those of unlimited fruits are meaningless and stay as they are.
    private var levels: Table<Int>
    private var unlimited: FruitSet
    /// Oldest first; empty for fruits that keep.
    private var lots: [[Lot]]
    private var perishable: FruitSet

    /// The same quantity of each of the five standard fruits, all of which keep.
    ///
    /// - Precondition: `stockQuantity` is not negative.
    public init(stockQuantity: Int) {
        self.init(levels: Array(repeating: stockQuantity, count: StandardFruit.allCases.count))
    }

    /// - Parameters:
    ///   - levels: Pieces of each fruit in menu order; nil is without limit.
    ///   - perishable: Fruits whose pieces come with a time at which they spoil; each is empty until it is put in with
    ///     ``add(_:of:spoilsAt:)``.
    /// - Precondition: no level is negative.
    public init(levels: [Int?], perishable: [Fruit] = []) {
        precondition(levels.allSatisfy { $0 ?? 0 >= 0 }, "a negative level in \(levels)")
        self.levels = Table(levels.map { $0 ?? 0 })
        unlimited = FruitSet(levels.indices.filter { levels[$0] == nil }.map(Fruit.init(index:)))
        lots = Array(repeating: [], count: levels.count)
        self.perishable = FruitSet(perishable)
        for fruit in perishable { self.levels[fruit.index] = 0 }
    }

    /// Pieces of `fruit` on hand; nil where there is no limit.
    @inline(__always)
    public func level(of fruit: Fruit) -> Int? { unlimited.contains(fruit) ? nil : levels[fruit.index] }

    /// Pieces left of a fruit that can run out; meaningless for an unlimited one.
    @inline(__always)
    func remaining(of fruit: Fruit) -> Int { levels[fruit.index] }

    /// All levels in menu order; nil where there is no limit.
    public var allLevels: [Int?] { levels.indices.map { level(of: Fruit(index: $0)) } }

    @inline(__always)
    package func isUnlimited(_ fruit: Fruit) -> Bool { unlimited.contains(fruit) }

    @inline(__always)
    package func isPerishable(_ fruit: Fruit) -> Bool { perishable.contains(fruit) }

    /// How many pieces of `ingredient` are missing for `cups` cups; 0 or less where there are enough.
    @inline(__always)
    package func missing(_ ingredient: Ingredient, cups: Int) -> Int {
        unlimited.contains(ingredient.fruit) ? 0 : ingredient.pieces * cups - levels[ingredient.fruit.index]
    }

    /// Whether there is too little of an ingredient that can run out.
    @inline(__always)
    func lacks(_ ingredient: Ingredient, cups: Int) -> Bool {
        levels[ingredient.fruit.index] < ingredient.pieces &* cups
    }

    /// How many cups there is enough of `ingredient` for; `Int.max` where there is no limit.
    @inline(__always)
    package func cups(of ingredient: Ingredient) -> Int {
        unlimited.contains(ingredient.fruit) ? .max : levels[ingredient.fruit.index] / ingredient.pieces
    }

    /// The first of the ingredients that lacks the most pieces for `cups` cups; nil where there is enough of all.
    ///
    /// - Complexity: O(*n*) for *n* ingredients
    public func shortage(of recipe: some Collection<Ingredient>, cups: Int = 1) -> FruitShortage? {
        var shortage: FruitShortage?
        for ingredient in recipe {
            let missing = missing(ingredient, cups: cups)
            if missing > shortage?.missing ?? 0 { shortage = FruitShortage(fruit: ingredient.fruit, missing: missing) }
        }
        return shortage
    }
}

/// There is less of a fruit than was asked for.
public struct FruitShortage: Error, Equatable, Sendable {
    public let fruit: Fruit
    /// Pieces, at least 1.
    public let missing: Int
}

// MARK: - Changing the stock

extension FruitStore {
    /// Takes what `cups` cups of a recipe need, or nothing.
    ///
    /// - Precondition: `cups` is at least 1.
    /// - Throws: ``FruitShortage`` with the ingredient that lacks the most pieces; the store is then as it was.
    /// - Complexity: O(*n*) for *n* ingredients
    public mutating func withdraw(_ recipe: some Collection<Ingredient>, cups: Int = 1) throws(FruitShortage) {
        precondition(cups >= 1, "\(cups) cups")
        if let shortage = shortage(of: recipe, cups: cups) { throw shortage }
        own()
        for ingredient in recipe { remove(ingredient.pieces * cups, of: ingredient.fruit) }
    }

    /// Takes pieces of a fruit that keeps and is not unlimited.
    ///
    /// - Precondition: there are enough, and the store ``own()``s its memory.
    @inline(__always)
    mutating func take(_ pieces: Int, of fruit: Fruit) {
        assert(!unlimited.contains(fruit) && !perishable.contains(fruit), "fruit \(fruit.index) is taken as if it kept")
        levels[fruit.index] &-= pieces
        precondition(levels[fruit.index] >= 0, "\(pieces) pieces, \(-levels[fruit.index]) too many")
    }

    /// Takes pieces, the oldest first.
    ///
    /// `taken` is called with each lot, or part of one, of a fruit that spoils, so that it can come back with its age.
    ///
    /// - Precondition: so many are there, and the store has been made to ``own()`` its memory.
    /// - Complexity: O(1) for a fruit that keeps, O(*n*) for *n* lots of one that spoils
    /// - Returns: what is left.
    @inline(__always)
    @discardableResult
    package mutating func remove(_ pieces: Int, of fruit: Fruit, taken: (Lot) -> Void = { _ in }) -> Int {
        guard !unlimited.contains(fruit) else { return 0 }
        levels[fruit.index] -= pieces
        precondition(levels[fruit.index] >= 0, "\(pieces) pieces, \(-levels[fruit.index]) too many")
        if perishable.contains(fruit) { takeLots(pieces, of: fruit, taken) }
        return levels[fruit.index]
    }

    /// Puts pieces in; those of a fruit that spoils keep the order of their age.
    ///
    /// `spoilsAt` is in nanoseconds of stand time; only for a fruit that spoils.
    ///
    /// - Complexity: O(1) for a fruit that keeps, O(*n*) for *n* lots of one that spoils
    public mutating func add(_ pieces: Int, of fruit: Fruit, spoilsAt: Int64 = .max) {
        guard !unlimited.contains(fruit), pieces > 0 else { return }
        own()
        levels[fruit.index] += pieces
        guard perishable.contains(fruit) else { return }
        let place = lots[fruit.index].firstIndex { $0.spoilsAt > spoilsAt } ?? lots[fruit.index].count
        if place > 0, lots[fruit.index][place - 1].spoilsAt == spoilsAt {
            lots[fruit.index][place - 1].pieces += pieces
        } else {
            lots[fruit.index].insert(Lot(pieces: pieces, spoilsAt: spoilsAt), at: place)
        }
    }

    /// As ``Table/own()``, for ``remove(_:of:taken:)``.
    package mutating func own() { levels.own() }

    /// Pieces of `fruit` that have reached their shelf life at `time`, in nanoseconds of stand time.
    package func spoiled(of fruit: Fruit, at time: Int64) -> Int {
        lots[fruit.index].prefix { $0.spoilsAt <= time }.reduce(0) { $0 + $1.pieces }
    }

    private mutating func takeLots(_ pieces: Int, of fruit: Fruit, _ taken: (Lot) -> Void) {
        var wanted = pieces
        var emptied = 0
        while wanted > 0 {
            var lot = lots[fruit.index][emptied]
            if lot.pieces > wanted {
                lots[fruit.index][emptied].pieces -= wanted
                lot.pieces = wanted
            } else {
                emptied += 1
            }
            wanted -= lot.pieces
            taken(lot)
        }
        if emptied > 0 { lots[fruit.index].removeFirst(emptied) }
    }
}
