import TextFormats

// `menu`: the juices and their recipes.

extension SettingsReader {
    func readMenu(
        _ section: Section, fruits: [Menu.FruitEntry]
    ) -> (menu: Menu, offers: [StandSettings.Offer]) {
        guard section.has("menu") else { return (standardMenu(of: fruits, section), StandSettings.standard.offers) }
        guard let juices = section.section("menu") else { return (Menu(fruits: fruits, juices: []), []) }
        if juices.all.isEmpty { report.add(juices.place, "menu", "must have at least one juice") }
        var entries: [Menu.JuiceEntry] = []
        var offers: [StandSettings.Offer] = []
        for member in usable(juices, most: Juice.limit) {
            var (entry, offer) = (Menu.JuiceEntry(name: member.key, recipe: []), StandSettings.Offer())
            // A value that is not an object has been reported. A trace may still name the juice.
            if let juice = juices.section(member.key) {
                entry.names = readNames(juice)
                entry.category = juice.string("category")
                entry.method = juice.string("method")
                entry.recipe = readRecipe(juice, fruits)
                offer.price = juice.number("price") ?? offer.price
                offer.popularity = juice.number("popularity") ?? offer.popularity
                offer.preparation = juice.distribution("preparation") ?? offer.preparation
            }
            entries.append(entry)
            offers.append(offer)
        }
        return (Menu(fruits: fruits, juices: entries), offers)
    }

    private func readRecipe(_ juice: Section, _ fruits: [Menu.FruitEntry]) -> [Ingredient] {
        guard let recipe = juice.section("recipe") else { return [] }
        if recipe.all.isEmpty { report.add(recipe.place, recipe.path, "must have at least one fruit") }
        let names = fruits.map(\.name)
        return recipe.all.compactMap { member in
            // Read first, so that an unknown fruit does not hide a wrong number of pieces.
            let pieces = recipe.integer(member.key)
            guard let place = names.firstIndex(of: member.key) else {
                let hint = nearest(member.key, among: names).map { "did you mean \"\($0)\"?" }
                report.add(
                    member.keyPlace, recipe.path(of: member.key),
                    "unknown fruit; \(hint ?? "the fruits are \(names.joined(separator: ", "))")")
                return nil
            }
            return pieces.map { Ingredient(Fruit(index: place), $0) }
        }
    }

    /// The seven standard juices, with their fruits found by name.
    private func standardMenu(of fruits: [Menu.FruitEntry], _ section: Section) -> Menu {
        let standard = Menu.standard
        if fruits == standard.fruits { return standard }
        var missing: [String] = []
        let juices = standard.juices.map { entry in
            var entry = entry
            entry.recipe = entry.recipe.compactMap { ingredient in
                let name = standard.name(of: ingredient.fruit)
                guard let place = fruits.firstIndex(where: { $0.name == name }) else {
                    if !missing.contains(name) { missing.append(name) }
                    return nil
                }
                return Ingredient(Fruit(index: place), ingredient.pieces)
            }
            return entry
        }
        if !missing.isEmpty {
            report.add(
                section.node("fruits")?.place ?? section.place, "fruits",
                "must include \(missing.joined(separator: ", ")) for the standard menu, unless a menu is given")
        }
        return Menu(fruits: fruits, juices: juices)
    }
}
