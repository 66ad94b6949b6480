import JuiceStand
import Platform
import TextFormats

extension StandChange {
    /// The most characters of a name, which bounds a record of the journal.
    package static let longestName = 200
    /// The largest difference of one fruit.
    package static let mostPieces = 1_000_000_000

    /// The error of a change that no stand could make; nil if the change is valid.
    package var invalidity: ControlError? {
        switch self {
        case .order(_, let cups) where !(1...Stand.mostCups).contains(cups):
            return .invalid("cups must be from 1 to \(Stand.mostCups), found \(cups)")
        case .order(let juice, _) where juice.unicodeScalars.count > Self.longestName:
            return .invalid(
                "juice must have at most \(Self.longestName) characters, found \(juice.unicodeScalars.count)")
        case .stock(let changes, _) where changes.isEmpty:
            return .invalid("a change of the stock must name at least one fruit")
        case .stock(let changes, _):
            let most = Self.mostPieces
            let wrong = changes.first { $0.pieces == 0 || !(-most...most).contains($0.pieces) }
            return wrong.map { .invalid("pieces must be from -\(most) to \(most) and not 0, found \($0.pieces)") }
        case .rate(let factor) where !Stand.allows(rate: factor):
            return .invalid(
                "a rate must be 0 or from \(Stand.rates.lowerBound) to \(Int(Stand.rates.upperBound)), found \(factor)")
        case .order, .rate, .pause, .resume, .reload, .stop:
            return nil
        }
    }

    /// Makes the change at `time`.
    ///
    /// - Precondition: ``invalidity`` is nil; everything due before `time` has happened and nothing at it or after it.
    package func apply(
        to stand: inout Stand, at time: SimulationTime, _ out: FactPublisher
    ) -> Result<ChangeAnswer, ControlError> {
        guard !stand.isClosed else { return .failure(.closed) }
        switch self {
        case .order(let juice, let cups):
            guard let answer = stand.takeOrder(juice, cups: cups, at: time, out) else {
                let names = stand.settings.menu.juiceNames
                return .failure(.notOnMenu(name: juice, nearest: likely(juice, among: names).first))
            }
            return .success(.order(answer))
        case .stock(let changes, let ifTag):
            return Self.changeStock(changes, ifTag, in: &stand, at: time, out)
        case .rate(let factor):
            stand.setRate(factor, at: time, out)
        case .pause:
            stand.pause(at: time, out)
        case .resume:
            stand.resume(at: time, out)
        case .reload(let configuration):
            return Self.reload(configuration, in: &stand, at: time, out)
        case .stop:
            stand.close(at: stand.isOver ? stand.now : time, out)
            return .success(.done(at: stand.now))
        }
        return .success(.done(at: time))
    }

    private static func changeStock(
        _ changes: [StockDifference], _ ifTag: UInt64?, in stand: inout Stand, at time: SimulationTime,
        _ out: FactPublisher
    ) -> Result<ChangeAnswer, ControlError> {
        let menu = stand.settings.menu
        if let ifTag, ifTag != stand.edits { return .failure(.tagMismatch(current: stand.edits)) }
        var edits: [(fruit: Fruit, pieces: Int)] = []
        for change in changes {
            guard let fruit = menu.fruit(called: change.fruit) else {
                let nearest = likely(change.fruit, among: menu.fruitNames).first
                return .failure(.unknownFruit(name: change.fruit, nearest: nearest))
            }
            guard !edits.contains(where: { $0.fruit == fruit }) else {
                return .failure(.invalid("name each fruit once, found \(menu.name(of: fruit)) twice"))
            }
            edits.append((fruit, change.pieces))
        }
        do {
            try stand.edit(edits, at: time, out)
        } catch {
            switch error {
            case .wouldBeNegative(let fruit, let by):
                return .failure(.wouldBeNegative(fruit: menu.name(of: fruit), by: by))
            case .wouldNotFit(let fruit, let by): return .failure(.doesNotFit(fruit: menu.name(of: fruit), by: by))
            case .isUnlimited(let fruit): return .failure(.isUnlimited(fruit: menu.name(of: fruit)))
            }
        }
        let levels = menu.allFruits.map { StockLevel(fruit: menu.name(of: $0), level: stand.maker.stock(of: $0)) }
        return .success(.stock(editTag: stand.edits, levels: levels))
    }

    private static func reload(
        _ configuration: String, in stand: inout Stand, at time: SimulationTime, _ out: FactPublisher
    ) -> Result<ChangeAnswer, ControlError> {
        let settings: StandSettings
        do {
            settings = try StandConfiguration(Array(configuration.utf8), source: "configuration").settings
        } catch {
            return .failure(.badConfiguration(error.lines))
        }
        let difference = SettingsDifference(from: stand.settings, to: settings)
        let obstacles = difference.obstacles
        guard obstacles.isEmpty else { return .failure(.cannotChange(obstacles)) }
        stand.reload(settings, difference.announced, at: time, out)
        return .success(.reloaded(difference.changes))
    }
}
