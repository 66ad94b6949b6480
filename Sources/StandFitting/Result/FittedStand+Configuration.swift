import JuiceStand
import Platform
import TextFormats

// The stand's configuration, with and without comments.

extension FittedStand {
    /// The configuration without comments.
    package var configuration: JSONValue {
        let opens = JSONValue.string("\(CalendarTime(nanosecondsSinceEpoch: opening))")
        return .object(
            [.init(key: "stand", value: .string(name)), .init(key: "opens", value: opens)] + base
                + [.init(key: "customers", value: .object(customers))])
    }

    /// The configuration as a JSON5 document that says where its values come from.
    package var configurationText: String {
        let rest = kept == nil ? ": add them here" : ""
        var text = """
            // Fitted by juicestand to \(Self.oneLine(till.file)): \(Columns.counted(till.orders.count, "order")) from \
            \(Self.date(till.days.lowerBound)) to \(Self.date(till.days.upperBound)).
            // juicestand help fitting says how. A till does not know makers, fruit or patience\(rest).

            """
        Self.write(configuration, comments, indentation: 0, to: &text)
        return text + "\n"
    }

    /// The comment above a key, by its path.
    private var comments: [String: String] {
        var comments = [
            "opens": "The day after the till ends.", "customers.arrivals": arrivalsComment,
            "customers.party": "Lines of an order.",
        ]
        if !demand.quantities.isEmpty { comments["customers.cups"] = "Quantity of a line." }
        if menu.base == nil {
            comments["fruits"] = "A stub. Replace it with the ingredients of the recipes, each with its stock."
            comments["menu"] =
                "The till's items, the most frequent first. Popularity is the number of lines. Fill in the recipes."
        } else {
            if kept == nil { comments["fruits"] = "The till does not say what is in stock." }
            if !menu.popularity.isEmpty { comments["menu"] = "Popularity is the number of lines with the item." }
        }
        return comments
    }

    private static func oneLine(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }).visible }

    /// Midnight after the till ends. If shifts are kept, which count from the opening, its time of day is kept, too.
    var opening: Int64 {
        let midnight = Int64(till.days.upperBound + 1) * CalendarTime.day
        guard let kept, kept.shifts != nil, let opens = CalendarTime(kept.opens) else { return midnight }
        return midnight + opens.nanosecondsOfDay
    }

    /// The configuration of `--menu`, which is kept except for what the till tells; nil for the standard one.
    private var kept: StandSettings? { menu.base.flatMap { $0 == .standard ? nil : $0 } }

    /// The name of the kept stand; without one, the name of the till's file without folder and extension.
    private var name: String {
        if let kept, kept.stand != StandSettings.standard.stand { return kept.stand }
        let file = till.file.split(separator: "/").last.map(String.init) ?? ""
        let name = file.split(separator: ".").first.map(String.init) ?? ""
        return name.contains { !$0.isWhitespace } && !name.unicodeScalars.contains { $0.value < 32 } ? name : "till"
    }

    // MARK: Fruits and menu

    private var base: [JSONValue.Member] {
        guard let settings = menu.base else { return newMenu }
        let resolved = settings.resolved()
        let menu = JSONValue.Member(key: "menu", value: .object(juices(of: resolved)))
        guard let kept else {
            let fruits = (resolved["fruits"]?.members ?? []).map { fruit -> JSONValue.Member in
                .init(key: fruit.key, value: ["initial": "unlimited"])
            }
            return [.init(key: "fruits", value: .object(fruits)), menu]
        }
        var keys = ["currency", "wage", "fruits", "makers", "queue"]
        if kept.seed != StandSettings.standard.seed { keys.insert("seed", at: 0) }
        if kept.wiring != StandSettings.standard.wiring { keys.insert("wiring", at: 0) }
        return keys.compactMap { key in resolved[key].map { .init(key: key, value: $0) } } + [menu]
    }

    /// The menu of `resolved` with the popularity and the preparation of the till.
    private func juices(of resolved: JSONValue) -> [JSONValue.Member] {
        let lines = Dictionary(uniqueKeysWithValues: menu.popularity.map { ($0.juice, $0.lines) })
        return (resolved["menu"]?.members ?? []).map { member -> JSONValue.Member in
            var members = member.value.members
            if kept == nil { members.removeAll { ["price", "preparation", "names"].contains($0.key) } }
            if let count = lines[member.key] { members.set("popularity", .whole(count)) }
            if let preparation { members.set("preparation", preparation.candidates[0].law.configuration) }
            return .init(key: member.key, value: .object(members))
        }
    }

    private var newMenu: [JSONValue.Member] {
        let juices = menu.popularity.map { juice, lines -> JSONValue.Member in
            .init(
                key: juice,
                value: [
                    "recipe": ["ingredient": 1], "popularity": .whole(lines),
                    "preparation": preparation?.candidates[0].law.configuration,
                ])
        }
        return [
            .init(key: "fruits", value: ["ingredient": ["initial": "unlimited"]]),
            .init(key: "menu", value: .object(juices)),
        ]
    }

    // MARK: Customers

    private var customers: [JSONValue.Member] {
        var members: [JSONValue.Member] = [.init(key: "arrivals", value: ["week": .object(weekMembers)])]
        if parties.count > 1 || parties[1] == nil { members.append(.init(key: "party", value: Self.law(parties))) }
        if demand.quantities.count > 1 || (demand.quantities[1] == nil && !demand.quantities.isEmpty) {
            members.append(.init(key: "cups", value: Self.law(demand.quantities)))
        }
        if let customers = kept?.resolved()["customers"] {
            let keys = (demand.quantities.isEmpty ? ["cups"] : []) + ["patience", "whenSoldOut"]
            members += keys.compactMap { key in customers[key].map { .init(key: key, value: $0) } }
        }
        return members
    }

    private var arrivalsComment: String {
        let size = parties.count > 1 ? "Parties" : "Orders"
        var lines = ["\(size) per second by weekday, from midnight on."]
        if week.law.levelShape.isFinite {
            lines.append("level multiplies the rates of a day, because days differ by more than chance.")
        }
        if week.law.shortGaps.spacing > 0 { lines.append("spacing is the least time between two of them, in seconds.") }
        if week.law.shortGaps.share > 0 {
            lines.append("followers is the share of them that another follows, after a delay in seconds.")
        }
        return lines.joined(separator: "\n")
    }

    private var weekMembers: [JSONValue.Member] {
        let days = (0..<7).compactMap { weekday -> JSONValue.Member? in
            let rates = week.rates.perSecond(weekday, week.law.shortGaps)
            guard !rates.isEmpty else { return nil }
            return .init(
                key: Weekday.short[weekday], value: .array(rates.map { .number(Self.rounded($0, digits: 5)) }))
        }
        let minutes = 24 * 60 / week.counts.bins
        var members: [JSONValue.Member] = [
            .init(key: "every", value: .string(minutes == 60 ? "1h" : "\(minutes)m")),
            .init(key: "perSecond", value: .object(days)),
        ]
        if week.law.levelShape.isFinite {
            let level = Distribution.gamma(shape: week.law.levelShape, mean: 1)
            members.append(.init(key: "level", value: level.configuration))
        }
        let gaps = week.law.shortGaps
        if gaps.spacing > 0 {
            members.append(.init(key: "spacing", value: .number(Self.rounded(max(gaps.spacing, 1e-3), digits: 4))))
        }
        if gaps.share > 0 {
            let share = JSONValue.number(Self.rounded(gaps.share, digits: 4))
            members.append(
                .init(key: "followers", value: ["share": share, "after": gaps.delay.law.configuration]))
        }
        return members
    }

    /// The observed numbers with how often each occurred.
    private static func law(_ counts: [Int: Int]) -> JSONValue {
        let sorted = counts.sorted { $0.key < $1.key }
        guard sorted.count > 1 else { return .integer(Int64(sorted.first?.key ?? 1)) }
        return [
            "empirical": [
                "values": .array(sorted.map { .integer(Int64($0.key)) }),
                "weights": .array(sorted.map { .integer(Int64($0.value)) }),
            ]
        ]
    }

    static func rounded(_ value: Double, digits: Int) -> Double {
        guard value != 0, value.isFinite else { return value }
        let exponent = Int(log10(abs(value)).rounded(.down))
        let places = digits - 1 - exponent
        // Dividing by an exact power of ten gives the nearest decimal number.
        let scale = pow(10, Double(abs(places)))
        return places >= 0 ? (value * scale).rounded() / scale : (value / scale).rounded() * scale
    }
}

extension Distribution {
    /// The law with its parameters rounded to five digits.
    fileprivate var configuration: JSONValue {
        let (name, values) = parameters
        guard let family = Distribution.families.first(where: { $0.name == name }) else {
            preconditionFailure("nothing is fitted as \(self)")
        }
        let members = zip(family.parameters, values).map { parameter, value in
            JSONValue.Member(key: parameter.name, value: .number(FittedStand.rounded(value, digits: 5)))
        }
        return [name: .object(members)]
    }
}

extension [JSONValue.Member] {
    fileprivate mutating func set(_ key: String, _ value: JSONValue) {
        if let index = firstIndex(where: { $0.key == key }) {
            self[index].value = value
        } else {
            append(.init(key: key, value: value))
        }
    }
}

// MARK: - Writing

extension FittedStand {
    private static let width = 110

    /// Writes short values on one line, lists of numbers on filled lines, and each member of an object on its own if
    /// any of them has a comment.
    ///
    /// - Parameter path: The path of the value, with a point behind each key.
    private static func write(
        _ value: JSONValue, _ comments: [String: String], at path: String = "", indentation: Int,
        to text: inout String
    ) {
        let line = value.spaced
        let hasComments = comments.keys.contains { $0.hasPrefix(path) }
        guard hasComments || line.count + indentation > width else {
            text += line
            return
        }
        let margin = String(repeating: " ", count: indentation)
        switch value {
        case .object(let members):
            text += "{\n"
            for member in members {
                let inner = path + member.key
                for line in comments[inner]?.split(separator: "\n") ?? [] { text += "\(margin)  // \(line)\n" }
                text += margin + "  " + JSONValue.string(member.key).compact() + ": "
                write(member.value, comments, at: inner + ".", indentation: indentation + 2, to: &text)
                text += ",\n"
            }
            text += margin + "}"
        case .array(let elements):
            text += "[\n"
            var line = margin + " "
            for element in elements {
                let next = " " + element.spaced + ","
                if line.count + next.count > width {
                    text += line + "\n"
                    line = margin + " "
                }
                line += next
            }
            text += line + "\n" + margin + "]"
        default: text += line
        }
    }
}

extension JSONValue {
    /// The value on one line, with a space after commas and colons.
    fileprivate var spaced: String {
        switch self {
        case .array(let elements): "[" + elements.map(\.spaced).joined(separator: ", ") + "]"
        case .object(let members):
            "{ " + members.map { JSONValue.string($0.key).compact() + ": " + $0.value.spaced }.joined(separator: ", ")
                + " }"
        default: compact()
        }
    }
}
