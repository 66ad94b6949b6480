import JuiceStand
import Terms
import TextFormats

/// Answers questions about a menu and a stock, as text and as JSON.
struct MenuView {
    struct Answer {
        var text: String
        var json: JSONValue
    }

    let maker: JuiceMaker
    private let words = Words.user
    private let menu: Menu
    private let offers: [StandSettings.Offer]

    /// - Parameter stock: The fruit that can be used.
    init(_ settings: StandSettings, stock: FruitStore) {
        menu = settings.menu
        offers = settings.offers
        maker = JuiceMaker(menu: menu, store: stock)
    }

    func list(_ juices: [Juice]) -> Answer {
        Answer(
            text: juices.isEmpty ? words(.noJuiceMatches) + "\n" : table(juices.map { [title($0), content($0)] }),
            json: ["juices": .array(juices.map(json))])
    }

    func detail(of juice: Juice) -> Answer {
        let entry = menu.juices[juice.index]
        let facts = [
            (words(.menuCategory), entry.category.map(words.recipe)),
            (words(.menuMethod), entry.method.map(words.recipe)),
            (words(.menuTakes), words(.menuMean, words.span(offers[juice.index].preparation.mean))),
        ]
        let width = Columns.width(of: facts.map(\.0)) + 2
        var lines = [title(juice)]
        for (name, text) in facts { if let text { lines.append("  " + Columns.left(name, width) + text) } }
        for ingredient in menu.recipe(of: juice) {
            let level = maker.stock(of: ingredient.fruit)
            let missing = level.map { max(0, ingredient.pieces - $0) } ?? 0
            let inHand = level.map { level in words.text("inHand") { _ in "\(level)" } } ?? words(.unlimited)
            lines.append(
                "  \(missing == 0 ? "✓" : "✗") \(pieces(ingredient.pieces, ingredient.fruit)), \(inHand)"
                    + (missing == 0 ? "" : ", " + self.missing(missing)))
        }
        lines.append("  " + words(.canBeMade, cups(juice)))
        return Answer(text: text(lines), json: json(juice))
    }

    /// Juices that can be made, most cups first; then the others, fewest missing pieces first.
    func recommendations(among juices: [Juice]) -> Answer {
        let makeable = juices.filter { maker.canMake($0) }.sorted { maker.cups(of: $0) > maker.cups(of: $1) }
        let others = juices.filter { !maker.canMake($0) }.sorted { missing($0) < missing($1) }
        let rows =
            makeable.map { ["✓ " + title($0), words(.enoughFor, cups($0)), content($0)] }
            + others.map { ["✗ " + title($0), missing(missing($0)), content($0)] }
        return Answer(
            text: table(rows), json: ["makeable": .array(makeable.map(json)), "missingSome": .array(others.map(json))])
    }

    /// The other juices, ranked by their similarity to the nearest of `liked`.
    func similar(to liked: [Juice]) -> Answer {
        let ranked = menu.allJuices.filter { !liked.contains($0) }.map { juice in
            (juice: juice, similarity: liked.map { menu.similarity(of: $0, to: juice) }.max()!)
        }.sorted { $0.similarity > $1.similarity }
        let rows = ranked.map {
            [Columns.fixed($0.similarity.value, decimals: 3), title($0.juice), content($0.juice)]
        }
        let json = ranked.map { item -> JSONValue in
            guard case .object(let members) = self.json(item.juice) else { return .null }
            return .object([.init(key: "similarity", value: .number(item.similarity.value))] + members)
        }
        return Answer(text: table(rows), json: ["similar": .array(json)])
    }

    // MARK: - Parts of an answer

    private func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    private func table(_ rows: [[String]]) -> String { text(Columns.table(rows, texts: nil)) }

    private func title(_ juice: Juice) -> String {
        let entry = menu.juices[juice.index]
        let names = entry.names.map(\.name)
        let name = words.name(entry)
        return words.isKorean || names.isEmpty ? name : "\(name) (\(names.joined(separator: ", ")))"
    }

    private func cups(_ juice: Juice) -> String {
        let cups = maker.cups(of: juice)
        return cups == .max ? words(.anyCups) : words.counted(cups, .cups)
    }

    /// The recipe, and what is missing for it.
    private func content(_ juice: Juice) -> String {
        let recipe = menu.recipe(of: juice).map { pieces($0.pieces, $0.fruit) }.joined(separator: ", ")
        guard let shortage = maker.shortage(for: juice) else { return recipe }
        return recipe + "; " + words(.piecesMissing, "\(shortage.missing)", name(of: shortage.fruit))
    }

    private func name(of fruit: Fruit) -> String { words.name(menu.fruits[fruit.index]) }

    private func pieces(_ number: Int, _ fruit: Fruit) -> String { words(.piecesOf, "\(number)", name(of: fruit)) }

    private func missing(_ pieces: Int) -> String { words.text("missing") { _ in "\(pieces)" } }

    /// Missing pieces for one cup, summed over all fruits.
    private func missing(_ juice: Juice) -> Int {
        menu.recipe(of: juice).reduce(0) { $0 + maker.missing($1) }
    }

    private func json(_ juice: Juice) -> JSONValue {
        let entry = menu.juices[juice.index]
        let cups = maker.cups(of: juice)
        return [
            "name": .string(entry.name),
            "names": .object(entry.names.map { .init(key: $0.language, value: .string($0.name)) }),
            "category": .orNull(entry.category), "method": .orNull(entry.method),
            "preparation": .number(offers[juice.index].preparation.mean),
            "makeable": .bool(cups > 0), "cups": cups == .max ? "unlimited" : .integer(Int64(cups)),
            "recipe": .array(
                menu.recipe(of: juice).map { ingredient in
                    [
                        "fruit": .string(menu.name(of: ingredient.fruit)), "pieces": .integer(Int64(ingredient.pieces)),
                        "inHand": maker.stock(of: ingredient.fruit).map { .integer(Int64($0)) } ?? "unlimited",
                        "missing": .integer(Int64(maker.missing(ingredient))),
                    ]
                }),
        ]
    }
}
