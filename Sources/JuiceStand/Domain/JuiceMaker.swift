/// Makes juice: knows the menu, owns the fruit store, and turns recipes into fruit taken.
///
/// The store is private. Everybody reads and changes the stock through the maker.
///
/// ```swift
/// var maker = JuiceMaker(store: FruitStore(stockQuantity: 20))
/// let juice = try maker.make("kiwi juice")
/// print(maker.cups(of: juice), "more can be made")
/// ```
public struct JuiceMaker: Sendable {
    /// The fruits and juices, fixed for the life of the maker.
    public let menu: Menu
    /// Recipes without the fruits that never run out.
    let limits: Recipes
    private var store: FruitStore

    /// Creates a maker that takes over `store`, which has a level for each fruit of `menu` in menu order.
    public init(menu: Menu = .standard, store: FruitStore) {
        self.menu = menu
        self.store = store
        limits = Recipes(menu.juices.map { $0.recipe.filter { !store.isUnlimited($0.fruit) } })
    }

    /// Takes over a store in which the same fruits are unlimited.
    mutating func replaceStore(_ store: FruitStore) { self.store = store }
}

// MARK: - Reading the stock

extension JuiceMaker {
    /// Pieces of `fruit` on hand; nil if the fruit is unlimited.
    @inline(__always)
    public func stock(of fruit: Fruit) -> Int? { store.level(of: fruit) }

    /// Pieces on hand in menu order; nil for an unlimited fruit.
    public var levels: [Int?] { store.allLevels }

    /// The store as a snapshot keeps it, in memory of its own.
    var savedStore: FruitStore {
        var saved = store
        saved.own()
        return saved
    }

    /// Pieces left of a fruit that can run out; meaningless for an unlimited one.
    @inline(__always)
    func remaining(of fruit: Fruit) -> Int { store.remaining(of: fruit) }

    @inline(__always)
    func isUnlimited(_ fruit: Fruit) -> Bool { store.isUnlimited(fruit) }

    @inline(__always)
    func isPerishable(_ fruit: Fruit) -> Bool { store.isPerishable(fruit) }

    /// How many more pieces of `ingredient` are needed for `cups` cups; 0 if there are enough.
    package func missing(_ ingredient: Ingredient, cups: Int = 1) -> Int {
        max(0, store.missing(ingredient, cups: cups))
    }

    /// The fruit that keeps `cups` cups of `juice` from being made; nil if they can be made.
    ///
    /// - Complexity: O(*n*) for *n* ingredients
    public func shortage(for juice: Juice, cups: Int = 1) -> FruitShortage? {
        store.shortage(of: menu.recipe(of: juice), cups: cups)
    }

    /// Whether the stock is enough for `cups` cups of `juice`.
    ///
    /// - Complexity: O(*n*) for *n* ingredients
    @inline(__always)
    public func canMake(_ juice: Juice, cups: Int = 1) -> Bool {
        for place in limits.places(of: juice) where store.lacks(limits[place], cups: cups) { return false }
        return true
    }

    /// How many cups of `juice` the stock is enough for; `Int.max` if every ingredient is unlimited.
    ///
    /// - Complexity: O(*n*) for *n* ingredients
    public func cups(of juice: Juice) -> Int { menu.recipe(of: juice).reduce(.max) { min($0, store.cups(of: $1)) } }
}

// MARK: - Making juice

extension JuiceMaker {
    /// Takes the fruit for `cups` cups of the juice called `name`: all of it or nothing.
    ///
    /// - Precondition: `cups` is at least 1.
    /// - Throws: ``OrderError``; the stock is then unchanged.
    /// - Returns: the juice.
    @discardableResult
    public mutating func make(_ name: String, cups: Int = 1) throws(OrderError) -> Juice {
        guard let juice = menu.juice(named: name) else { throw .notOnMenu(name: name) }
        do {
            try store.withdraw(menu.recipe(of: juice), cups: cups)
        } catch {
            throw .soldOut(juice: name, fruit: menu.name(of: error.fruit), missing: error.missing)
        }
        return juice
    }

    /// Takes the fruit for `cups` cups of `juice`, all of which keeps: the hot path.
    ///
    /// - Precondition: ``canMake(_:cups:)``, nothing is perishable, and the maker ``own()``s its memory.
    /// - Returns: the ingredients taken, as places in ``limits``.
    /// - Complexity: O(*n*) for *n* ingredients
    @inline(__always)
    mutating func make(_ juice: Juice, cups: Int) -> Range<Int> {
        let ingredients = limits.places(of: juice)
        for place in ingredients { store.take(limits[place].pieces &* cups, of: limits[place].fruit) }
        return ingredients
    }

    /// Takes the fruit for `cups` cups of `juice`, the oldest pieces first.
    ///
    /// - Parameter taken: Called with each lot, or part of a lot, of a perishable fruit, so that it can be returned
    ///   with its age.
    /// - Precondition: ``canMake(_:cups:)``, and the maker ``own()``s its memory.
    /// - Returns: the ingredients taken, as places in ``limits``.
    /// - Complexity: O(*n*) for *n* ingredients and the lots they come from
    mutating func make(_ juice: Juice, cups: Int, taken: (Fruit, FruitStore.Lot) -> Void) -> Range<Int> {
        let ingredients = limits.places(of: juice)
        for place in ingredients {
            let ingredient = limits[place]
            store.remove(ingredient.pieces * cups, of: ingredient.fruit) { taken(ingredient.fruit, $0) }
        }
        return ingredients
    }
}

// MARK: - Changing the stock by the piece

extension JuiceMaker {
    /// Takes pieces of a fruit, the oldest first, without making juice: a correction by hand, or spoilage.
    ///
    /// - Precondition: there are enough, and the maker ``own()``s its memory.
    mutating func remove(_ pieces: Int, of fruit: Fruit) { store.remove(pieces, of: fruit) }

    /// Puts pieces on the shelf: a delivery, a correction by hand, or fruit that an order returns.
    ///
    /// - Parameter spoilsAt: Nanoseconds of stand time; ignored for a fruit that keeps.
    mutating func add(_ pieces: Int, of fruit: Fruit, spoilsAt: Int64) {
        store.add(pieces, of: fruit, spoilsAt: spoilsAt)
    }

    /// Pieces of `fruit` that have reached their shelf life at `time`, in nanoseconds of stand time.
    func spoiled(of fruit: Fruit, at time: Int64) -> Int { store.spoiled(of: fruit, at: time) }

    /// Gives the store memory that no copy shares; required before any change. See ``HotArray/own()``.
    mutating func own() { store.own() }
}

/// An order the stand cannot fill.
///
/// ```swift
/// var maker = JuiceMaker(store: FruitStore(stockQuantity: 0))
/// do { _ = try maker.make("kiwi juice") } catch { print(error) }
/// ```
public enum OrderError: Error, Equatable, Sendable {
    /// No juice has exactly that name.
    case notOnMenu(name: String)
    /// `missing` pieces of `fruit`, the ingredient that lacks the most.
    case soldOut(juice: String, fruit: String, missing: Int)
}

extension OrderError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notOnMenu(let name): "\"\(name)\" is not on the menu"
        case .soldOut(let juice, let fruit, let missing): "\(juice) is sold out: \(missing) more \(fruit) needed"
        }
    }
}
