// Look-up of juices and fruits by any of their names, in any language.

extension Menu {
    /// The faces of the fruits by name.
    package var faces: [String: FruitFace] {
        Dictionary(uniqueKeysWithValues: fruits.map { ($0.name, $0.face) })
    }

    /// The juice with that name in the configuration, or else the first with that name in another language.
    ///
    /// - Complexity: O(1) by the configuration's name, else O(*n*) for *n* names
    package func juice(called name: String) -> Juice? {
        juice(named: name) ?? allJuices.first { juice in juices[juice.index].names.contains { $0.name == name } }
    }

    /// The fruit with that name in the configuration, or else the first with that name in another language.
    ///
    /// - Complexity: O(1) by the configuration's name, else O(*n*) for *n* names
    package func fruit(called name: String) -> Fruit? {
        fruit(named: name) ?? allFruits.first { fruit in fruits[fruit.index].names.contains { $0.name == name } }
    }

    /// All names of all juices: those of the configuration, then those in other languages.
    package var juiceNames: [String] { juices.map(\.name) + juices.flatMap { $0.names.map(\.name) } }

    /// All names of all fruits: those of the configuration, then those in other languages.
    package var fruitNames: [String] { fruits.map(\.name) + fruits.flatMap { $0.names.map(\.name) } }
}
