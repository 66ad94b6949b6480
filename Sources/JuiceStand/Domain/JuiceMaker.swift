/// Makes juice: knows the menu, owns the store, and turns recipes into fruit taken.
///
/// Whoever shows levels reads them here; nobody reaches past the maker to the store.
public struct JuiceMaker: Sendable {
    public let menu: Menu
    package internal(set) var store: FruitStore
    /// Recipes without the fruits that never run out.
    let limits: Recipes

    public init(menu: Menu = .standard, store: FruitStore) {
        self.menu = menu
        self.store = store
        limits = Recipes(menu.juices.map { $0.recipe.filter { !store.isUnlimited($0.fruit) } })
    }

    /// Pieces of `fruit` on hand; nil where there is no limit.
    public func stock(of fruit: Fruit) -> Int? { store.level(of: fruit) }

    /// The fruit that keeps `cups` cups of `juice` from being made; nil where they can be made.
    public func shortage(for juice: Juice, cups: Int = 1) -> FruitShortage? {
        store.shortage(of: menu.recipe(of: juice), cups: cups)
    }

    @inline(__always)
    public func canMake(_ juice: Juice, cups: Int = 1) -> Bool {
        for place in limits.places(of: juice) where store.lacks(limits[place], cups: cups) { return false }
        return true
    }

    /// How many cups of `juice` the stock is enough for; `Int.max` where nothing limits it.
    public func cups(of juice: Juice) -> Int {
        menu.recipe(of: juice).reduce(.max) { min($0, store.cups(of: $1)) }
    }

    /// Takes the fruit for `cups` cups of the juice called `name`: all of it or nothing.
    ///
    /// - Returns: the juice.
    /// - Throws: ``OrderError``; the stock is then as it was.
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
}

/// An order the stand cannot fill.
public enum OrderError: Error, Equatable, Sendable {
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
