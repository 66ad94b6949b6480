import JuiceStand
import TextFormats

/// A change made now, whose effect a forecast shows.
package enum ForecastChange: Equatable, Sendable {
    /// Pieces by fruit, as whole numbers.
    case stock(StockChange, [JSONValue.Member])
    /// A factor on the arrival rate.
    case rate(Double)

    package enum StockChange: String, CaseIterable, Sendable {
        /// Pieces come in.
        case restock
        /// Pieces come in or go.
        case adjust
    }

    /// The kinds, as a request and a command line name them.
    package static let names = StockChange.allCases.map(\.rawValue) + ["rate"]

    /// Reads `restock banana=20 kiwi=5`, `adjust banana=-3` or `rate 2`.
    package init(_ text: String) throws(ForecastError) {
        let words = text.split(separator: " ").map(String.init)
        let rest = words.dropFirst()
        if let kind = words.first.flatMap(StockChange.init(rawValue:)) {
            let pieces = try rest.map { word throws(ForecastError) in
                guard let (fruit, number) = Self.pieces(word) else {
                    throw .invalid("the change \"\(text)\" must name fruit and pieces, such as \(kind) banana=20")
                }
                return JSONValue.Member(key: fruit, value: .whole(number))
            }
            self = .stock(kind, pieces)
        } else if words.first == "rate" {
            guard rest.count == 1, let factor = Double(decimal: rest[1]) else {
                throw .invalid("the change \"\(text)\" must be rate FACTOR, such as rate 2")
            }
            self = .rate(factor)
        } else {
            let hint = hint(words.first ?? "", among: Self.names)
            throw .invalid("unknown change \"\(text)\"\(hint) (known: \(Self.names.joined(separator: ", ")))")
        }
    }

    /// Reads `FRUIT=N`. The name of a fruit may have an equals sign, so the last one counts. Returns nil for any other
    /// text.
    package static func pieces(_ text: String) -> (fruit: String, number: Int)? {
        guard let equals = text.lastIndex(of: "="), equals > text.startIndex,
            let number = Int(text[equals...].dropFirst())
        else { return nil }
        return (String(text[..<equals]), number)
    }

    /// The change in the form that ``init(_:)`` reads.
    package var text: String {
        switch self {
        case .stock(let kind, let pieces):
            kind.rawValue + pieces.map { " \($0.key)=\($0.value.compact())" }.joined()
        case .rate(let factor): "rate \(JSONValue.number(factor).compact())"
        }
    }

    /// The change in the form of a request.
    package var json: JSONValue {
        switch self {
        case .stock(let kind, let pieces): .object([.init(key: kind.rawValue, value: .object(pieces))])
        case .rate(let factor): ["rate": .number(factor)]
        }
    }

    /// Reads ``json``.
    package init(json: JSONValue) throws(ForecastError) {
        let known = "a change must be one of restock, adjust and rate"
        guard case .object(let members) = json, members.count == 1 else { throw .invalid(known) }
        let value = members[0].value
        if let kind = StockChange(rawValue: members[0].key) {
            guard case .object(let pieces) = value, pieces.allSatisfy({ $0.value.whole != nil }) else {
                throw .invalid("a change of the stock must be an object of fruits and whole numbers")
            }
            self = .stock(kind, pieces)
        } else if members[0].key == "rate" {
            guard let factor = value.seconds else { throw .invalid("rate must be a number") }
            self = .rate(factor)
        } else {
            throw .invalid("\(known), found \"\(members[0].key)\"")
        }
    }
}

// MARK: - Making it

extension ForecastChange {
    /// Changes the stand now.
    func make(in stand: inout Stand, at time: SimulationTime, _ out: FactPublisher) throws(ForecastError) {
        switch self {
        case .stock(let kind, let pieces):
            try Self.edit(pieces, least: kind == .restock ? 1 : -Self.mostPieces, &stand, at: time, out)
        case .rate(let factor):
            guard Stand.allows(rate: factor) else {
                throw .invalid(
                    "a rate must be 0 or from \(Stand.rates.lowerBound) to \(Int(Stand.rates.upperBound)), found "
                        + "\(Columns.readable(factor))")
            }
            stand.setRate(factor, at: time, out)
        }
    }

    private static let mostPieces = 1_000_000_000

    private static func edit(
        _ members: [JSONValue.Member], least: Int, _ stand: inout Stand, at time: SimulationTime, _ out: FactPublisher
    ) throws(ForecastError) {
        let menu = stand.settings.menu
        guard !members.isEmpty else { throw .invalid("a change of the stock must name at least one fruit") }
        var edits: [(fruit: Fruit, pieces: Int)] = []
        for member in members {
            guard let fruit = menu.fruit(called: member.key) else {
                throw .invalid("unknown fruit \"\(member.key)\"\(hint(member.key, among: menu.fruitNames))")
            }
            guard let pieces = member.value.whole, pieces != 0, (least...mostPieces).contains(pieces) else {
                throw .invalid(
                    "pieces of \(member.key) must be from \(Columns.grouped(least)) to "
                        + "\(Columns.grouped(mostPieces)) and not 0, found \(member.value.compact())")
            }
            guard !edits.contains(where: { $0.fruit == fruit }) else {
                throw .invalid("name each fruit once, found \(member.key) twice")
            }
            edits.append((fruit, pieces))
        }
        do { try stand.edit(edits, at: time, out) } catch {
            let reason: String =
                switch error {
                case .wouldBeNegative(let fruit, let by):
                    "\(menu.name(of: fruit)) would be \(Columns.grouped(by)) short"
                case .wouldNotFit(let fruit, let by):
                    "the shelf of \(menu.name(of: fruit)) has no room for \(Columns.grouped(by)) of the pieces"
                case .isUnlimited(let fruit): "\(menu.name(of: fruit)) is unlimited"
                }
            throw .cannotEdit(error, reason)
        }
    }
}
