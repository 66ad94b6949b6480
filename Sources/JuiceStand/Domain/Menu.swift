/// A juice, by its position in ``Menu/juices``.
///
/// ```swift
/// let juice = menu.juice(named: "kiwi juice")!
/// print(menu.recipe(of: juice).count, "ingredients")
/// ```
public struct Juice: Hashable, BitwiseCopyable, Codable, Sendable {
    private var place: UInt8

    /// The position in ``Menu/juices``, from 0.
    @inline(__always)
    public var index: Int { Int(place) }

    /// The most juices a menu may have.
    public static let limit = 256

    /// - Precondition: `index` is from 0 to 255.
    public init(index: Int) {
        precondition((0..<Self.limit).contains(index), "juice \(index) of at most \(Self.limit)")
        place = UInt8(index)
    }

    mutating func pass(_ row: inout HotArrayRow) { row.pass(&place) }
}

/// A fruit and how many pieces of it one cup takes.
///
/// ```swift
/// for ingredient in menu.recipe(of: menu.allJuices[0]) { print(menu.name(of: ingredient.fruit), ingredient.pieces) }
/// ```
public struct Ingredient: Hashable, BitwiseCopyable, Sendable {
    /// The fruit that is taken from the store.
    public let fruit: Fruit
    /// Whole pieces, at least 1.
    public let pieces: Int

    /// `pieces` whole pieces of `fruit`; a ``Menu`` refuses fewer than one.
    public init(_ fruit: Fruit, _ pieces: Int) {
        self.fruit = fruit
        self.pieces = pieces
    }
}

/// The fruits and juices of a stand, with their names and recipes, in the order of the configuration.
///
/// ```swift
/// for juice in Menu.standard.allJuices { print(Menu.standard.name(of: juice)) }
/// ```
public struct Menu: Equatable, Sendable {
    /// The names of a fruit, and how it looks.
    public struct FruitEntry: Equatable, Sendable {
        /// The key in the configuration, which ledger, metrics and commands use.
        public var name: String
        /// Names in other languages, in the order of the configuration.
        public var names: [LocalizedName]
        package var face: FruitFace

        /// A fruit with translations, which only displays use.
        public init(name: String, names: [LocalizedName] = []) {
            self.name = name
            self.names = names
            face = FruitFace(of: [name] + names.map(\.name))
        }
    }

    /// The names and the recipe of a juice.
    public struct JuiceEntry: Equatable, Sendable {
        /// The key in the configuration, which orders, ledger and metrics use.
        public var name: String
        /// Names in other languages, in the order of the configuration.
        public var names: [LocalizedName]
        /// A category by which `juicestand menu` can filter, such as "classic".
        public var category: String?
        /// How the juice is made, in words.
        public var method: String?
        /// The ingredients of one cup, in the order of the configuration.
        public var recipe: [Ingredient]

        /// A juice of at least one ingredient; each fruit may appear once in `recipe`.
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

    /// The fruits, by ``Fruit/index``.
    public let fruits: [FruitEntry]
    /// The juices, by ``Juice/index``.
    public let juices: [JuiceEntry]

    private let recipes: Recipes
    private let juicesByName: [String: Juice]
    private let fruitsByName: [String: Fruit]
    let ranking = Ranking()

    /// Creates a menu.
    ///
    /// - Precondition: at most 64 fruits and 256 juices; names are unique; a recipe names each of its fruits once, with
    ///   at least one piece.
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

    /// Every fruit, in menu order.
    public var allFruits: [Fruit] { fruits.indices.map(Fruit.init(index:)) }
    /// Every juice, in menu order.
    public var allJuices: [Juice] { juices.indices.map(Juice.init(index:)) }

    /// The ingredients of one cup of `juice`.
    ///
    /// - Complexity: O(1)
    @inline(__always)
    public func recipe(of juice: Juice) -> ArraySlice<Ingredient> { recipes[juice] }

    /// The most pieces of `fruit` that a cup of any juice takes; 0 if no juice uses it. With fewer on hand, the fruit
    /// is short.
    ///
    /// - Complexity: O(*n*) for *n* ingredients of all juices.
    package func mostPieces(of fruit: Fruit) -> Int {
        allJuices.flatMap(recipe(of:)).reduce(0) { $1.fruit == fruit ? max($0, $1.pieces) : $0 }
    }

    /// The configuration's name of `fruit`.
    public func name(of fruit: Fruit) -> String { fruits[fruit.index].name }
    /// The configuration's name of `juice`.
    public func name(of juice: Juice) -> String { juices[juice.index].name }

    /// The fruit with that name in the configuration, matched exactly; nil if there is none.
    ///
    /// - Complexity: O(1)
    public func fruit(named name: String) -> Fruit? { fruitsByName[name] }
    /// The juice with that name in the configuration, matched exactly; nil if there is none.
    ///
    /// - Complexity: O(1)
    public func juice(named name: String) -> Juice? { juicesByName[name] }
}

/// A name in another language.
///
/// ```swift
/// let kiwi = Menu.FruitEntry(name: "kiwi", names: [LocalizedName(language: "ko", name: "키위")])
/// ```
public struct LocalizedName: Equatable, Sendable {
    /// A language tag such as `ko`.
    public var language: String
    /// The name that displays in that language show.
    public var name: String

    /// The name for readers of `language`, a tag such as `ko`.
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
            let korean = FruitFace.koreanNames[fruit.rawValue]!
            return FruitEntry(name: fruit.rawValue, names: [LocalizedName(language: "ko", name: korean)])
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
}

extension Menu.JuiceEntry {
    fileprivate static func standard(_ name: String, _ korean: String, _ recipe: [(StandardFruit, Int)]) -> Self {
        Self(
            name: name, names: [LocalizedName(language: "ko", name: korean)],
            recipe: recipe.map { Ingredient(Fruit($0.0), $0.1) })
    }
}
