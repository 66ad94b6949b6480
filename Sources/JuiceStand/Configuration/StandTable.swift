import TextFormats

// Every key of a configuration: its form, its default, what it means, and its place in the settings.

extension StandSettings {
    static let form = Form.object(standard, rows)

    private static let atOpening = "is fixed when the stand opens"
    fileprivate static let reckonedOverall = "costs are reckoned over the whole time that the stand is open"
    fileprivate static let mostPieces = 1_000_000_000
    fileprivate static let money = Form.number(0...1e12)

    private static let rows: [Setting<StandSettings>] = [
        Setting("stand", \.stand, .text, change: .refuses(atOpening), "A label in logs and metrics."),
        Setting(
            "opens", \.opens,
            .text(must: "a date such as \"2026-05-04T08:00:00\"") {
                CalendarTime($0)?.nanosecondsSinceEpoch() != nil
            }, change: .refuses(atOpening),
            "The date and time at which the stand opens, such as 2026-05-04T08:00:00."),
        Setting(
            "seed", \.seed,
            Form<Int>.integer(0...Int.max).mapped({ UInt64($0) }, back: { Int($0) }),
            change: .refuses(atOpening), scope: .results, "The seed of all random streams."),
        Setting(
            "wiring", \.wiring,
            Form<WiringChoice>.choice.mapped({ $0.rawValue }, back: { WiringChoice(rawValue: $0)! }),
            change: .ignored, scope: .results, "How events reach observers."),
        Setting("currency", \.currency, .text, change: .refuses(atOpening), "The currency of prices and costs."),
        Setting(
            "wage", \.wage, money, change: .refuses(reckonedOverall), scope: .results,
            "What an hour of one maker on duty costs."),
        Setting(
            "fruits", \.fruits,
            .named(
                .object(FruitSettings(), FruitSettings.rows, rule: StandRules.checkFruit), most: Fruit.limit,
                fallback: FruitSettings()),
            "The fruits in stock. The default is ten of each fruit of the standard menu."),
        Setting(
            "menu", \.juices,
            .named(
                .object(JuiceSettings(), JuiceSettings.rows), atLeastOne: "juice", most: Juice.limit,
                fallback: JuiceSettings()),
            "The juices. The default is the standard menu of seven."),
        Setting("makers", \.team, teamForm, "The makers: a number, \"unlimited\", or shifts."),
        Setting(
            "queue", \.queueLimit,
            .object(.max, [Setting("limit", \.self, .limit(0...mostPieces), "Places for waiting customers.")]),
            "The waiting line."),
        Setting(
            "customers", \.customers, .object(Customers(), Customers.rows, rule: StandRules.checkCustomers),
            "When customers come, what they order, and how long they wait."),
        Setting(
            "$schema", \.schema, .text, "The JSON Schema of this file, for editors. It changes nothing about the stand."
        ),
    ]
}

// MARK: - Fruits

/// A fruit as a configuration describes it.
struct FruitSettings {
    var names: [LocalizedName] = []
    /// The colour as `#rrggbb`; nil for the usual one.
    var colour: String?
    var picture: String?
    var shelf = StandSettings.Shelf(initial: 10)

    fileprivate static let rows: [Setting<FruitSettings>] = [
        .names(\.names),
        Setting(
            "colour", \.colour,
            .text(
                ["type": "string", "pattern": "^#[0-9A-Fa-f]{6}$"], must: "a colour such as \"#e4344b\"",
                where: FruitFace.isColour),
            scope: .everything, "The colour on displays. Usual fruits have one; the default is grey."),
        Setting(
            "picture", \.picture,
            .text(
                ConfigurationSchema.reference("text", [.init(key: "minLength", value: 1)]),
                must: "one emoji or 1 to 16 bytes of text", where: FruitFace.isPicture),
            scope: .everything,
            "One emoji, or at most 16 bytes of text, for displays. Usual fruits have one; the default is a letter."),
        Setting(
            "initial", \.shelf.initial,
            Form.integer(0...StandSettings.mostPieces).or("unlimited"),
            change: .refuses("only counts at the opening; change the stock by hand"), "Pieces in stock at the opening."),
        Setting(
            "capacity", \.shelf.capacity, .integer(1...StandSettings.mostPieces),
            "The most pieces that the shelf holds."),
        Setting(
            "lowStock", \.shelf.lowStock, .integer(0...StandSettings.mostPieces), "The level at which stock is low."),
        Setting("restock", \.shelf.restock, RestockPolicy.form, "The restocking rule."),
        Setting(
            "shelfLife", \.shelf.shelfLife, .period,
            change: .needsValue("fruit can't begin or cease to spoil while the stand is open"),
            "The age at which a piece spoils."),
        Setting(
            "costs", \.shelf.costs,
            .object(
                StandSettings.Costs(),
                [
                    Setting("unit", \.unit, StandSettings.money, "Per piece ordered."),
                    Setting("order", \.order, StandSettings.money, "Per order of fruit."),
                    Setting("holding", \.holding, StandSettings.money, "Per piece and day in stock."),
                    Setting("shortage", \.shortage, StandSettings.money, "Per missing piece and day."),
                ]), change: .refuses(StandSettings.reckonedOverall), "The costs of this fruit."),
    ]
}

extension Setting {
    fileprivate static func names(_ place: ValuePath<Root, [LocalizedName]>) -> Setting {
        let form = Form<[Named<String>]>.named(.text).mapped { names in
            names.map { LocalizedName(language: $0.name, name: $0.value) }
        } back: { names in
            names.map { Named(name: $0.language, value: $0.name) }
        }
        return Setting("names", place, form, isLeftOut: \.isEmpty, "Names by language, such as \"ko\".")
    }
}

extension RestockPolicy {
    fileprivate static let form: Form<RestockPolicy> = {
        let rules = Form.oneOf([upToLevel, ofQuantity], must: ": orderUpTo or fixedQuantity")
        let manual = Form<RestockPolicy>(["const": "manual"]) { _ in
            "manual"
        } read: { found in
            if found.node.value == .string("manual") { return .manual }
            return found.refuse("\"manual\", {\"orderUpTo\": …} or {\"fixedQuantity\": …}")
        }
        return manual.or(rules) { $0 != .manual }
    }()

    private typealias OrderUpTo = (reorderPoint: Int, level: Int, leadTime: Distribution, review: SimulationTime?)
    private typealias FixedQuantity = (reorderPoint: Int, quantity: Int, leadTime: Distribution)

    /// A negative reorder point is reached when that many pieces are backordered.
    private static func reorderPoint<Root>(_ place: ValuePath<Root, Int>) -> Setting<Root> {
        Setting(
            "reorderPoint", place, .integer(-StandSettings.mostPieces...StandSettings.mostPieces - 1),
            required: "a whole number",
            "Orders when pieces on hand and on order, less those backordered, fall to this or below.")
    }

    private static func leadTime<Root>(_ place: ValuePath<Root, Distribution>) -> Setting<Root> {
        Setting("leadTime", place, .distribution(.seconds), "The time to delivery.")
    }

    private static let upToLevel = Setting<RestockPolicy?>(
        choosing: "orderUpTo",
        .object(
            OrderUpTo(reorderPoint: 0, level: 1, leadTime: .constant(0), review: nil),
            [
                reorderPoint(\.reorderPoint),
                Setting(
                    "level", \.level, .integer(-StandSettings.mostPieces + 1...StandSettings.mostPieces),
                    required: "a whole number", "Orders up to this."),
                leadTime(\.leadTime),
                Setting("review", \.review, Form.period.or("continuous"), "How often the rule is applied."),
            ]
        ) { found, rule in
            if rule.level > rule.reorderPoint { return true }
            found["level"]?.mustBe("at least \(rule.reorderPoint + 1)")
            return false
        }, "The (s, S) rule."
    ) {
        .orderUpTo(reorderPoint: $0.reorderPoint, level: $0.level, leadTime: $0.leadTime, review: $0.review)
    } parameters: {
        guard case .orderUpTo(let reorderPoint, let level, let leadTime, let review) = $0 else { return nil }
        return (reorderPoint: reorderPoint, level: level, leadTime: leadTime, review: review)
    }

    private static let ofQuantity = Setting<RestockPolicy?>(
        choosing: "fixedQuantity",
        .object(
            FixedQuantity(reorderPoint: 0, quantity: 1, leadTime: .constant(0)),
            [
                reorderPoint(\.reorderPoint),
                Setting(
                    "quantity", \.quantity, .integer(1...StandSettings.mostPieces), required: "a whole number",
                    "The pieces of one order."),
                leadTime(\.leadTime),
            ]), "The (s, Q) rule."
    ) {
        .fixedQuantity(reorderPoint: $0.reorderPoint, quantity: $0.quantity, leadTime: $0.leadTime)
    } parameters: {
        guard case .fixedQuantity(let reorderPoint, let quantity, let leadTime) = $0 else { return nil }
        return (reorderPoint: reorderPoint, quantity: quantity, leadTime: leadTime)
    }
}

// MARK: - Juices

/// A juice as a configuration describes it.
struct JuiceSettings {
    /// The entry of the menu, without its name and its recipe.
    var entry = Menu.JuiceEntry(name: "", recipe: [])
    /// Pieces by the name of the fruit.
    var recipe: [Named<Int>] = []
    var offer = StandSettings.Offer()

    fileprivate static let rows: [Setting<JuiceSettings>] = [
        .names(\.entry.names), Setting("category", \.entry.category, .text, "A category, to filter the menu by."),
        Setting("method", \.entry.method, .text, "How the juice is made, for the menu."),
        Setting(
            "recipe", \.recipe, .named(.integer(1...1_000_000), atLeastOne: "fruit"),
            required: "an object of fruits and pieces per cup",
            change: .refusesAsOne("a recipe can't change while the stand is open"), "Pieces of each fruit in one cup."),
        Setting("price", \.offer.price, StandSettings.money, "The price of a cup."),
        Setting(
            "popularity", \.offer.popularity, .number(0...1e12), "The weight of this juice in customers' choices."),
        Setting(
            "preparation", \.offer.preparation, .distribution(.seconds), "How long a maker is busy with one cup."),
    ]
}

// MARK: - Makers

extension StandSettings {
    /// A number of makers, or shifts of which the first has that number.
    fileprivate typealias Team = (makers: Int, shifts: Shifts?)

    private static let mostMakers = 1_000_000

    private static let teamForm: Form<Team> = {
        let none = Shifts(every: .never, makers: [], repeats: false)
        let shifts = Form.object(
            none,
            [
                Setting("every", \.every, .period, required: "a duration", "How long each shift lasts."),
                Setting(
                    "makers", \.makers, .list(.integer(0...mostMakers), of: "numbers of makers"),
                    required: "a list of numbers of makers", "The makers of each shift in turn."),
                Setting(
                    "repeat", \.repeats, .flag,
                    "Whether the first shift follows the last. Otherwise the last one stays."),
            ])
        let byShifts = Form.object(
            none,
            [
                Setting(
                    "shifts", \.self, shifts, required: #"{"every": …, "makers": […]}"#,
                    "Makers by time since the opening.")
            ])
        let team = byShifts.mapped({ Team(makers: $0.makers[0], shifts: $0) }, back: { $0.shifts! })
        return Form.limit(1...mostMakers).mapped({ Team(makers: $0, shifts: nil) }, back: { $0.makers })
            .or(team, ", \"unlimited\" or {\"shifts\": …}") { $0.shifts != nil }
    }()
}

// MARK: - Customers

extension StandSettings.Customers {
    fileprivate static let rows: [Setting<StandSettings.Customers>] = [
        Setting("arrivals", \.arrivals, Arrivals.form, "When customers come."),
        Setting("cups", \.cups, count(CustomerGenerator.mostCups), "The cups of an order."),
        // A stand without parties keeps the fingerprint it had before there were any.
        Setting(
            "party", \.party, count(CustomerGenerator.largestParty), isLeftOut: { $0 == .constant(1) },
            "The orders that come at one instant. The default is 1."),
        Setting(
            "patience", \.patience, .distribution(.seconds),
            "How long a customer waits for the first cup to be started."),
        Setting("whenSoldOut", \.whenSoldOut, .choice, "What a customer does if the juice is sold out."),
    ]

    /// A distribution of whole numbers up to `most`.
    private static func count(_ most: Int) -> Form<Distribution> {
        let form = Form<Distribution>.distribution(.count).checked { law, found in
            guard case .constant(let count) = law, count > Double(most) else { return nil }
            return "must be at most \(most), found \(found.text)"
        }
        let maximum = JSONValue.Member(key: "maximum", value: .whole(most))
        return form.described(ConfigurationSchema.reference("distributionOfCounts", [maximum]))
    }
}

// MARK: - Values that the settings hold in another way

extension StandSettings {
    /// Always nil, because the key is for editors only.
    fileprivate var schema: String? {
        get { nil }
        set {}
    }

    fileprivate var team: Team {
        get { (makers, shifts) }
        set { (makers, shifts) = newValue }
    }

    /// Setting them keeps the juices, without the ingredients that are no longer there.
    fileprivate var fruits: [Named<FruitSettings>] {
        get {
            zip(menu.fruits, shelves).map { entry, shelf in
                let fruit = FruitSettings(
                    names: entry.names, colour: entry.face.colour, picture: entry.face.picture, shelf: shelf)
                return Named(name: entry.name, value: fruit)
            }
        }
        set {
            let juices = self.juices
            let entries = newValue.map { fruit in
                var entry = Menu.FruitEntry(name: fruit.name, names: fruit.value.names)
                entry.face.colour = fruit.value.colour ?? entry.face.colour
                entry.face.picture = fruit.value.picture ?? entry.face.picture
                return entry
            }
            menu = Menu(fruits: entries, juices: [])
            shelves = newValue.map(\.value.shelf)
            self.juices = juices
        }
    }

    /// Setting them leaves ingredients out that are no fruits of the stand.
    fileprivate var juices: [Named<JuiceSettings>] {
        get {
            zip(menu.juices, offers).map { entry, offer in
                let recipe = entry.recipe.map { Named(name: menu.name(of: $0.fruit), value: $0.pieces) }
                return Named(name: entry.name, value: JuiceSettings(entry: entry, recipe: recipe, offer: offer))
            }
        }
        set {
            let entries = newValue.map { juice in
                var entry = juice.value.entry
                entry.name = juice.name
                entry.recipe = juice.value.recipe.compactMap { ingredient in
                    menu.fruit(named: ingredient.name).map { Ingredient($0, ingredient.value) }
                }
                return entry
            }
            menu = Menu(fruits: menu.fruits, juices: entries)
            offers = newValue.map(\.value.offer)
        }
    }
}
