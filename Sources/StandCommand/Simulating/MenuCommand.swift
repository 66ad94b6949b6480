import JuiceStand
import StandExperiments
import TextFormats

/// `juicestand menu`: the juices, their recipes, and recommendations.
enum MenuCommand {
    private static let makeable = Option("--makeable", "only juices that can be made from the stock")
    private static let only = Option(
        repeatable: "--only", "FRUIT|CATEGORY", .text,
        "only juices with this fruit, or of this category; repeatable")
    private static let having = Option(
        repeatable: "--having", "FRUIT=N,…", .text, "the stock, instead of the opening stock")

    static let command = Command(
        "menu", StandOptions.configuration + [makeable, only, having, Format.option], run: run)

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        let settings = try StandOptions.readSettings(options, output)
        let menu = MenuView(settings, stock: try stock(options, settings))
        let format = options[Format.option]
        var operands = options.operands[...]
        let answer: MenuView.Answer
        switch operands.popFirst() {
        case nil:
            answer = menu.list(
                try filtered(options, settings.menu).filter { !options[makeable] || menu.maker.canMake($0) })
        case "show":
            guard operands.count == 1 else {
                throw CommandFailure(
                    .usage, "menu show needs one JUICE, found \(operands.count) (quote a name with spaces)")
            }
            answer = menu.detail(of: try juice(operands.first!, settings.menu))
        case "recommend":
            guard operands.isEmpty else { throw CommandFailure(.usage, "menu recommend takes no JUICE; see --having") }
            answer = menu.recommendations(among: try filtered(options, settings.menu))
        case "similar":
            guard !operands.isEmpty else { throw CommandFailure(.usage, "menu similar needs at least one JUICE") }
            var liked: [Juice] = []
            for name in operands { liked.append(try juice(name, settings.menu)) }
            answer = menu.similar(to: liked)
        case let word?:
            let isJuice = settings.menu.juice(called: word) != nil
            let meant =
                isJuice
                ? "; did you mean \"menu show '\(word)'\"?"
                : hint(word, among: ["show", "recommend", "similar"])
            throw CommandFailure(
                .usage, "unknown menu command \"\(word)\"\(meant) (known: show JUICE, recommend, similar JUICE…)")
        }
        output.print(format == .json ? answer.json.pretty() + "\n" : answer.text)
        return .done
    }

    private static func juice(_ name: String, _ menu: Menu) throws(CommandFailure) -> Juice {
        if let juice = menu.juice(called: name) { return juice }
        throw OrderCommand.unknown(name, among: menu.juiceNames)
    }

    private static func fruit(_ name: String, _ menu: Menu) throws(CommandFailure) -> Fruit {
        if let fruit = menu.fruit(called: name) { return fruit }
        let known = menu.fruits.map(\.name).joined(separator: ", ")
        throw CommandFailure(
            .usage, "unknown fruit \"\(name)\"\(hint(name, among: menu.fruitNames)) (known: \(known))")
    }

    private static func filtered(_ options: Options, _ menu: Menu) throws(CommandFailure) -> [Juice] {
        let categories = Set(menu.juices.compactMap(\.category)).sorted()
        var juices = menu.allJuices
        for name in options[only] {
            let fruit = menu.fruit(called: name)
            guard fruit != nil || categories.contains(name) else {
                throw Options.unknown(
                    "fruit or category", name, in: "--only", among: menu.fruits.map(\.name) + categories)
            }
            juices.removeAll { juice in
                menu.juices[juice.index].category != name && !menu.recipe(of: juice).contains { $0.fruit == fruit }
            }
        }
        return juices
    }

    private static func stock(_ options: Options, _ settings: StandSettings) throws(CommandFailure) -> FruitStore {
        guard options.has(having) else { return FruitStore(levels: settings.shelves.map(\.initial)) }
        var levels: [Int?] = settings.shelves.map { _ in 0 }
        for item in options[having].flatMap({ $0.split(separator: ",") }) {
            guard let (name, pieces) = ForecastChange.pieces(String(item)), (0...1_000_000_000).contains(pieces) else {
                throw CommandFailure(
                    .usage, "--having needs FRUIT=N,…, with N from 0 to 1,000,000,000, found \"\(item)\"")
            }
            levels[try fruit(name, settings.menu).index] = pieces
        }
        return FruitStore(levels: levels)
    }
}
