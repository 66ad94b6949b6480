/// The fruit on hand, in whole pieces. Levels are never negative.
///
/// A value: changing one copy leaves the others unchanged. Every operation takes effect completely or not at all.
///
/// ```swift
/// var store = FruitStore(stockQuantity: 10)
/// store.add(5, of: Fruit(.kiwi))
/// try store.withdraw([Ingredient(Fruit(.kiwi), 3)], cups: 2)
/// ```
public struct FruitStore: Equatable, Codable, Sendable {
    /// Pieces of one delivery, which spoil at the same time.
    public struct Lot: Equatable, BitwiseCopyable, Codable, Sendable {
        /// How many are left of the delivery, at least 1.
        public var pieces: Int
        /// When the pieces spoil, in nanoseconds of stand time.
        public var spoilsAt: Int64
    }

    /// Pieces of each fruit; meaningless for unlimited fruits.
    private var levels: HotArray<Int>
    private var unlimited: FruitSet
    /// Empty for fruits that keep.
    private var lots: [Lots]
    private var perishable: FruitSet

    /// Creates a store with the same quantity of each of the five standard fruits, none of which spoils.
    ///
    /// - Precondition: `stockQuantity` is not negative.
    public init(stockQuantity: Int) {
        self.init(levels: Array(repeating: stockQuantity, count: StandardFruit.allCases.count))
    }

    /// Creates a store with the given levels.
    ///
    /// - Parameters:
    ///   - levels: Pieces of each fruit in menu order; nil means unlimited.
    ///   - perishable: Fruits that spoil. Their shelves start empty, whatever `levels` says; fill them with
    ///     ``add(_:of:spoilsAt:)``.
    /// - Precondition: no level is negative.
    public init(levels: [Int?], perishable: [Fruit] = []) {
        precondition(levels.allSatisfy { $0 ?? 0 >= 0 }, "a negative level in \(levels)")
        self.levels = HotArray(levels.map { $0 ?? 0 })
        unlimited = FruitSet(levels.indices.filter { levels[$0] == nil }.map(Fruit.init(index:)))
        lots = Array(repeating: Lots(), count: levels.count)
        self.perishable = FruitSet(perishable)
        for fruit in perishable { self.levels[fruit.index] = 0 }
    }

    /// Pieces of `fruit` on hand; nil if the fruit is unlimited.
    @inline(__always)
    public func level(of fruit: Fruit) -> Int? { unlimited.contains(fruit) ? nil : levels[fruit.index] }

    /// Pieces left of a fruit that can run out; meaningless for an unlimited one.
    @inline(__always)
    func remaining(of fruit: Fruit) -> Int { levels[fruit.index] }

    /// Pieces of every fruit in menu order; nil for an unlimited fruit.
    public var allLevels: [Int?] { levels.indices.map { level(of: Fruit(index: $0)) } }

    @inline(__always)
    package func isUnlimited(_ fruit: Fruit) -> Bool { unlimited.contains(fruit) }

    @inline(__always)
    package func isPerishable(_ fruit: Fruit) -> Bool { perishable.contains(fruit) }

    /// How many more pieces of `ingredient` are needed for `cups` cups; 0 or less if there are enough.
    @inline(__always)
    package func missing(_ ingredient: Ingredient, cups: Int) -> Int {
        unlimited.contains(ingredient.fruit) ? 0 : ingredient.pieces * cups - levels[ingredient.fruit.index]
    }

    /// Whether there are too few pieces for `cups` cups; meaningless for an unlimited fruit.
    @inline(__always)
    func lacks(_ ingredient: Ingredient, cups: Int) -> Bool {
        levels[ingredient.fruit.index] < ingredient.pieces &* cups
    }

    /// How many cups the stock of `ingredient` is enough for; `Int.max` if the fruit is unlimited.
    @inline(__always)
    package func cups(of ingredient: Ingredient) -> Int {
        unlimited.contains(ingredient.fruit) ? .max : levels[ingredient.fruit.index] / ingredient.pieces
    }

    /// The ingredient that lacks the most pieces for `cups` cups, the first of equals; nil if nothing is missing.
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

/// The stock of a fruit is too low for a request.
///
/// ```swift
/// let store = FruitStore(stockQuantity: 1)
/// if let shortage = store.shortage(of: [Ingredient(Fruit(.kiwi), 3)]) { print("\(shortage.missing) are missing") }
/// ```
public struct FruitShortage: Error, Equatable, Sendable {
    /// The ingredient that lacks the most pieces.
    public let fruit: Fruit
    /// How many more pieces are needed, at least 1.
    public let missing: Int
}

// MARK: - Changing the stock

extension FruitStore {
    /// Takes the fruit for `cups` cups of a recipe: all of it or nothing.
    ///
    /// - Precondition: `cups` is at least 1.
    /// - Throws: ``FruitShortage`` with the ingredient that lacks the most pieces; the store is then unchanged.
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

    /// Takes pieces, the oldest first. Calls `taken` with each lot, or part of a lot, of a perishable fruit, so that
    /// the lot can be returned with its age.
    ///
    /// - Precondition: there are enough, and the store ``own()``s its memory.
    /// - Complexity: O(1), or O(*n*) for the *n* lots taken of a perishable fruit
    /// - Returns: the pieces left; 0 for an unlimited fruit.
    @inline(__always)
    @discardableResult
    package mutating func remove(_ pieces: Int, of fruit: Fruit, taken: (Lot) -> Void = { _ in }) -> Int {
        guard !unlimited.contains(fruit) else { return 0 }
        levels[fruit.index] -= pieces
        precondition(levels[fruit.index] >= 0, "\(pieces) pieces, \(-levels[fruit.index]) too many")
        if perishable.contains(fruit) { lots[fruit.index].take(pieces, taken) }
        return levels[fruit.index]
    }

    /// Adds pieces, in the order of their age if the fruit is perishable. Does nothing for an unlimited fruit.
    ///
    /// `spoilsAt` is in nanoseconds of stand time. It is ignored unless the fruit is perishable.
    ///
    /// - Complexity: O(1), or O(log *n*) for the newest or oldest of *n* lots of a perishable fruit
    public mutating func add(_ pieces: Int, of fruit: Fruit, spoilsAt: Int64 = .max) {
        guard !unlimited.contains(fruit), pieces > 0 else { return }
        own()
        levels[fruit.index] += pieces
        if perishable.contains(fruit) { lots[fruit.index].add(Lot(pieces: pieces, spoilsAt: spoilsAt)) }
    }

    /// Gives the store memory that no copy shares; see ``HotArray/own()``.
    package mutating func own() { levels.own() }

    /// Pieces of `fruit` that have reached their shelf life at `time`, in nanoseconds of stand time.
    package func spoiled(of fruit: Fruit, at time: Int64) -> Int { lots[fruit.index].spoiled(at: time) }
}
