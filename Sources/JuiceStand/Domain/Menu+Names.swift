// Look-up of juices and fruits by any of their names, in any language.

extension Menu.FruitEntry {
    /// The name in Korean: that of the configuration, else the usual one.
    package var koreanName: String? {
        names.first { $0.language == "ko" }?.name ?? FruitFace.koreanNames[name.lowercased()]
    }
}

extension String {
    /// The text with 쥬스 for 주스, the two spellings of juice in Korean.
    package var spelledAlike: String { replacing("주스", with: "쥬스") }
}

extension Menu {
    /// The faces of the fruits by name.
    package var faces: [String: FruitFace] {
        Dictionary(uniqueKeysWithValues: fruits.map { ($0.name, $0.face) })
    }

    /// The juice with that name in the configuration, or else the first with that name in another language. 주스 and
    /// 쥬스 are the same.
    ///
    /// - Complexity: O(1) by the configuration's name, else O(*n*) for *n* names
    package func juice(called name: String) -> Juice? {
        if let juice = juice(named: name) { return juice }
        let spelled = name.spelledAlike
        return allJuices.first { juice in
            let entry = juices[juice.index]
            return entry.name.spelledAlike == spelled || entry.names.contains { $0.name.spelledAlike == spelled }
        }
    }

    /// The fruit with that name in the configuration, or else the first with that name in another language, or with
    /// that usual name in Korean.
    ///
    /// - Complexity: O(1) by the configuration's name, else O(*n*) for *n* names
    package func fruit(called name: String) -> Fruit? {
        fruit(named: name)
            ?? allFruits.first { fruit in fruits[fruit.index].names.contains { $0.name == name } }
            ?? allFruits.first { fruit in fruits[fruit.index].koreanName == name }
    }

    /// All names of all juices: those of the configuration, then those in other languages.
    package var juiceNames: [String] { juices.map(\.name) + juices.flatMap { $0.names.map(\.name) } }

    /// All names of all fruits: those of the configuration, then those in other languages.
    package var fruitNames: [String] { fruits.map(\.name) + fruits.flatMap { $0.names.map(\.name) } }
}
