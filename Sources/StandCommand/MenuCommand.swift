import JuiceStand
import TextFormats

/// `juicestand menu`: what can be made, of what, and what to take instead.
enum MenuCommand: Command {
    static let name = "menu"
    static let summary = "the menu: list, filter, one recipe in detail, what to recommend"
    static let operands = "[show JUICE | recommend | similar JUICE…]"
    static let discussion = """
        Without a word it lists the juices. `show JUICE` names each ingredient as in hand or missing. `recommend`
        lists what can be made with what is in hand, then what lacks least. `similar JUICE…` ranks the others by
        shared ingredients (weighted Jaccard index). In hand is the configuration's opening stock, or --having.
        """
    static let options =
        StandOptions.configuration + [
            Option("--makeable", nil, "only what can be made with what is in hand"),
            Option("--with", "FRUIT", "only juices with this fruit; may be repeated"),
            Option("--category", "NAME", "only juices of this category"),
            Option("--having", "FRUIT=N,…", "what is in hand, instead of the opening stock"),
            Format.option,
        ]
    static let examples = [
        Example("juicestand menu --makeable", "what can be made now?"),
        Example("juicestand menu show 'mango kiwi juice'", "what does it take?"),
        Example("juicestand menu recommend --having banana=3,kiwi=1", "what can I make of this?"),
        Example("juicestand menu similar 'mango juice'", "it is sold out; what else?"),
    ]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        let settings = try StandOptions.readSettings(options, output)
        let guide = MenuGuide(settings.menu, stock: try stock(options, settings))
        let format: Format = try options.choice("--format", default: .text)
        var operands = options.operands[...]
        let page: MenuGuide.Page
        switch operands.popFirst() {
        case nil:
            page = guide.list(
                try filtered(options, settings.menu).filter { !options.has("--makeable") || guide.maker.canMake($0) })
        case "show":
            guard operands.count == 1 else {
                throw CommandFailure(
                    .usage, "menu show needs one JUICE, in quotes where it has spaces, found \(operands.count)")
            }
            page = guide.detail(of: try juice(operands.first!, settings.menu))
        case "recommend":
            guard operands.isEmpty else { throw CommandFailure(.usage, "menu recommend takes no JUICE; see --having") }
            page = guide.recommendations(among: try filtered(options, settings.menu))
        case "similar":
            guard !operands.isEmpty else { throw CommandFailure(.usage, "menu similar needs at least one JUICE") }
            var liked: [Juice] = []
            for name in operands { liked.append(try juice(name, settings.menu)) }
            page = guide.similar(to: liked)
        case let word?:
            let isJuice = settings.menu.juice(called: word) != nil
            let meant =
                isJuice
                ? "; did you mean juicestand menu show '\(word)'?"
                : hint(word, among: ["show", "recommend", "similar"])
            throw CommandFailure(
                .usage, "menu takes show JUICE, recommend or similar JUICE…, found \"\(word)\"\(meant)")
        }
        output.print(format == .json ? page.json.pretty() + "\n" : page.text)
        return .done
    }

    private static func juice(_ name: String, _ menu: Menu) throws(CommandFailure) -> Juice {
        if let juice = menu.juice(called: name) { return juice }
        throw CommandFailure(.usage, "\(OrderError.notOnMenu(name: name))\(hint(name, among: menu.juiceNames))")
    }

    private static func fruit(_ name: String, _ menu: Menu) throws(CommandFailure) -> Fruit {
        if let fruit = menu.fruit(called: name) { return fruit }
        throw CommandFailure(.usage, "\"\(name)\" is a fruit nobody stocks\(hint(name, among: menu.fruitNames))")
    }

    private static func filtered(_ options: Options, _ menu: Menu) throws(CommandFailure) -> [Juice] {
        var wanted: [Fruit] = []
        for name in options.all("--with") { wanted.append(try fruit(name, menu)) }
        let category = try options.value("--category")
        let categories = Set(menu.juices.compactMap(\.category)).sorted()
        if let category, !categories.contains(category) {
            throw CommandFailure(
                .usage, "--category must be one of \(categories.joined(separator: ", ")), found \"\(category)\"")
        }
        return menu.allJuices.filter { juice in
            let recipe = menu.recipe(of: juice)
            return wanted.allSatisfy { fruit in recipe.contains { $0.fruit == fruit } }
                && (category == nil || menu.juices[juice.index].category == category)
        }
    }

    private static func stock(_ options: Options, _ settings: StandSettings) throws(CommandFailure) -> FruitStore {
        guard options.has("--having") else { return FruitStore(levels: settings.shelves.map(\.initial)) }
        var levels: [Int?] = settings.shelves.map { _ in 0 }
        for item in options.all("--having").flatMap({ $0.split(separator: ",") }) {
            let parts = item.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let pieces = Int(parts[1]), (0...1_000_000_000).contains(pieces) else {
                throw CommandFailure(
                    .usage, "--having needs FRUIT=N,…, with N from 0 to 1,000,000,000, found \"\(item)\"")
            }
            levels[try fruit(parts[0], settings.menu).index] = pieces
        }
        return FruitStore(levels: levels)
    }
}
