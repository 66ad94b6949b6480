// Juices and fruits by any of their names: people type what they see, which may be a name in their own language.

extension Menu {
    /// The juice that the configuration calls so, or else the first that is called so in another language.
    ///
    /// - Complexity: O(1) by the configuration's name, else O(*n*) for *n* names
    package func juice(called name: String) -> Juice? {
        juice(named: name) ?? allJuices.first { juice in juices[juice.index].names.contains { $0.name == name } }
    }

    /// The fruit that the configuration calls so, or else the first that is called so in another language.
    ///
    /// - Complexity: O(1) by the configuration's name, else O(*n*) for *n* names
    package func fruit(called name: String) -> Fruit? {
        fruit(named: name) ?? allFruits.first { fruit in fruits[fruit.index].names.contains { $0.name == name } }
    }

    /// Every name of every juice, the configuration's first.
    package var juiceNames: [String] { juices.map(\.name) + juices.flatMap { $0.names.map(\.name) } }

    /// Every name of every fruit, the configuration's first.
    package var fruitNames: [String] { fruits.map(\.name) + fruits.flatMap { $0.names.map(\.name) } }
}
