/// A juice, as its place on the menu.
public struct Juice: Hashable, BitwiseCopyable, Codable, Sendable {
    private let place: UInt8

    /// Counted from 0.
    @inline(__always)
    public var index: Int { Int(place) }

    /// The most juices a menu may have.
    public static let limit = 256

    /// - Precondition: `index` is from 0 to 255.
    public init(index: Int) {
        precondition((0..<Self.limit).contains(index), "juice \(index) of at most \(Self.limit)")
        place = UInt8(index)
    }
}

/// So many pieces of one fruit, for one cup.
public struct Ingredient: Hashable, BitwiseCopyable, Sendable {
    public let fruit: Fruit
    /// Whole pieces, at least 1.
    public let pieces: Int

    public init(_ fruit: Fruit, _ pieces: Int) {
        self.fruit = fruit
        self.pieces = pieces
    }
}

/// What the stand can make, of what: fruits and juices with their names and recipes.
///
/// Fruits and juices are known by their place here; the order is that of the configuration.
public struct Menu: Equatable, Sendable {
    /// A fruit as people know it.
    public struct FruitEntry: Equatable, Sendable {
        public var name: String
        /// Names in other languages, by language tag, in the order they were given.
        public var names: [LocalizedName]

        public init(name: String, names: [LocalizedName] = []) {
            self.name = name
            self.names = names
        }
    }

    /// A juice as people know it, with what a cup of it takes.
    public struct JuiceEntry: Equatable, Sendable {
        public var name: String
        public var names: [LocalizedName]
        public var category: String?
        public var method: String?
        public var recipe: [Ingredient]

        public init(
            name: String, names: [LocalizedName] = [], category: String? = nil, method: String? = nil,
            recipe: [Ingredient]
        ) {
            self.name = name
            self.names = names
            self.category = category
            self.method = method
            self.recipe = recipe
        }
    }

    public let fruits: [FruitEntry]
    public let juices: [JuiceEntry]

    private let recipes: Recipes
    private let juicesByName: [String: Juice]
    private let fruitsByName: [String: Fruit]

    /// - Precondition: at most 64 fruits and 256 juices, names unique, recipes of the given fruits and at least one
    ///   piece each, each fruit once in a recipe.
    public init(fruits: [FruitEntry], juices: [JuiceEntry]) {
        precondition(fruits.count <= Fruit.limit && juices.count <= Juice.limit, "the menu is too long")
        self.fruits = fruits
        self.juices = juices
        recipes = Recipes(juices.map(\.recipe))
        for ingredient in juices.flatMap(\.recipe) {
            precondition(ingredient.pieces > 0 && ingredient.fruit.index < fruits.count, "\(ingredient)")
        }
        juicesByName = Dictionary(
            uniqueKeysWithValues: juices.enumerated().map { ($1.name, Juice(index: $0)) })
        fruitsByName = Dictionary(
            uniqueKeysWithValues: fruits.enumerated().map { ($1.name, Fruit(index: $0)) })
    }

    public static func == (a: Menu, b: Menu) -> Bool { a.fruits == b.fruits && a.juices == b.juices }

    public var allFruits: [Fruit] { fruits.indices.map(Fruit.init(index:)) }
    public var allJuices: [Juice] { juices.indices.map(Juice.init(index:)) }

    /// What a cup of `juice` takes.
    ///
    /// - Complexity: O(1)
    @inline(__always)
    public func recipe(of juice: Juice) -> ArraySlice<Ingredient> { recipes[juice] }

    public func name(of fruit: Fruit) -> String { fruits[fruit.index].name }
    public func name(of juice: Juice) -> String { juices[juice.index].name }

    public func fruit(named name: String) -> Fruit? { fruitsByName[name] }
    public func juice(named name: String) -> Juice? { juicesByName[name] }
}

/// A name in one language.
public struct LocalizedName: Equatable, Sendable {
    /// A language tag such as `ko`.
    public var language: String
    public var name: String

    public init(language: String, name: String) {
        self.language = language
        self.name = name
    }
}

// MARK: - The standard menu

extension Menu {
    /// The seven juices of the original exercise.
    public static let standard = Menu(
        fruits: StandardFruit.allCases.map { fruit in
            FruitEntry(name: fruit.rawValue, names: [LocalizedName(language: "ko", name: koreanNames[fruit]!)])
        },
        juices: [
            .standard("strawberry juice", "딸기쥬스", [(.strawberry, 16)]),
            .standard("banana juice", "바나나쥬스", [(.banana, 2)]),
            .standard("kiwi juice", "키위쥬스", [(.kiwi, 3)]),
            .standard("pineapple juice", "파인애플쥬스", [(.pineapple, 2)]),
            .standard("strawberry banana juice", "딸바쥬스", [(.strawberry, 10), (.banana, 1)]),
            .standard("mango juice", "망고쥬스", [(.mango, 3)]),
            .standard("mango kiwi juice", "망키쥬스", [(.mango, 2), (.kiwi, 1)]),
        ])

    private static let koreanNames: [StandardFruit: String] = [
        .strawberry: "딸기", .banana: "바나나", .kiwi: "키위", .pineapple: "파인애플", .mango: "망고",
    ]
}

extension Menu.JuiceEntry {
    fileprivate static func standard(_ name: String, _ korean: String, _ recipe: [(StandardFruit, Int)]) -> Self {
        Self(
            name: name, names: [LocalizedName(language: "ko", name: korean)],
            recipe: recipe.map { Ingredient(Fruit($0.0), $0.1) })
    }
}
