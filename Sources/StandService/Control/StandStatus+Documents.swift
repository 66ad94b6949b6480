import JuiceStand
import StandClient
import StandExperiments
import StandState
import TextFormats

// The documents that the service answers with.

extension StandStatus {
    package var document: StatusDocument {
        var document = StatusDocument()
        document.stand = settings.stand
        document.phase = phase.rawValue
        document.opens = settings.opens
        document.seed = settings.seed
        document.time = time.seconds
        document.speed = speed
        document.behind = StatusDocument.Behind().with(\.seconds, behind.seconds).with(\.share, lateShare)
        document.rate = shown.rate
        document.sequence = sequence
        document.editTag = editTag
        document.queue = shown.queue
        document.present = shown.present
        document.busyMakers = busyMakers
        document.makers = makers.limit
        document.places = settings.queueLimit.limit
        document.orders = shown.orders
        document.served = shown.served
        document.lost = NamedValues(LossReason.allCases.map { ($0.name, shown.lost[$0]) })
        document.substituted = shown.substituted
        document.cupsServed = shown.cupsServed
        document.revenue = revenue
        document.lowStockAlerts = lowStockAlerts
        let fruits = settings.menu.fruits.map(\.name)
        document.stock = NamedValues(zip(fruits, shown.levels).map { ($0, $1) })
        document.onOrder = NamedValues(zip(fruits, shown.onOrder).map { ($0, $1) })
        document.isReady = isReady
        document.causes = causes
        document.forecast = outlook?.document
        let waits = waits.percentiles(perMille: [500, 950, 990]).map { $0?.seconds }
        document.waits = StatusDocument.Waits().with(\.p50, waits[0]).with(\.p95, waits[1]).with(\.p99, waits[2])
        document.alerts = alerts.map { $0.event(settings.menu) }
        return document
    }

    package var isReady: Bool { phase != .closed && causes.isEmpty }

    package var stockDocument: StockDocument {
        var document = StockDocument().with(\.editTag, editTag)
        for (index, fruit) in settings.menu.fruits.enumerated() {
            let mark = settings.shelves[index]
            var shelf = StockDocument.Shelf()
            shelf.fruit = fruit.name
            shelf.names = NamedValues(fruit.names)
            shelf.colour = fruit.face.colour
            shelf.labelColour = fruit.face.labelColour
            shelf.picture = fruit.face.picture
            shelf.level = shown.levels[index]
            shelf.onOrder = shown.onOrder[index]
            shelf.lowStock = mark.lowStock
            shelf.reorderPoint = mark.restock.reorderPoint
            shelf.capacity = mark.capacity
            shelf.full = mark.full
            document.shelves.append(shelf)
        }
        return document
    }

    package var menuDocument: MenuDocument {
        let menu = settings.menu
        var document = MenuDocument().with(\.currency, settings.currency)
        for (juice, offer) in zip(menu.juices, settings.offers) {
            var entry = MenuDocument.Entry()
            entry.juice = juice.name
            entry.names = NamedValues(juice.names)
            entry.category = juice.category
            entry.method = juice.method
            entry.price = offer.price
            entry.preparation = offer.preparation.mean
            entry.recipe = NamedValues(juice.recipe.map { (menu.name(of: $0.fruit), $0.pieces) })
            document.juices.append(entry)
        }
        return document
    }
}

extension Past.View {
    /// The status at the instant, with the orders in the stand and the events around the instant.
    ///
    /// Members about the running program and not about the stand are nil.
    package var document: StatusDocument {
        var document = status.document
        document.speed = nil
        document.behind = nil
        document.isReady = nil
        document.causes = nil
        document.forecast = nil
        document.line = orders.filter { $0.order.started == nil }.map(self.order)
        document.making = orders.filter { $0.order.started != nil }.map(self.order)
        document.events = lines.split(separator: UInt8(ascii: "\n")).compactMap { LedgerEvent($0) }
        return document
    }

    private func order(_ number: UInt64, _ order: OrderProgress) -> StatusDocument.Order {
        var document = StatusDocument.Order()
        document.order = number
        document.juice = status.settings.menu.name(of: order.juice)
        document.cups = order.cups
        document.placed = order.placed.seconds
        document.started = order.started?.seconds
        return document
    }
}

extension Forecast.Answer {
    /// The summary in the status.
    fileprivate var document: StatusDocument.Outlook {
        var document = StatusDocument.Outlook().with(\.at, result.at).with(\.horizon, result.horizon)
        document.fruits = NamedValues(
            fruits.map { fruit in
                let at = fruit.short.at
                let shortage = StatusDocument.Outlook.Fruit().with(\.probability, fruit.short.probability.mean)
                return (fruit.name, shortage.with(\.p05, at?.p05).with(\.p50, at?.p50).with(\.p95, at?.p95))
            })
        return document
    }
}

extension LowStockAlerter.Alert {
    /// The event of the ledger.
    fileprivate func event(_ menu: Menu) -> LedgerEvent {
        LedgerEvent(
            stamp, kind,
            ["fruit": .string(menu.name(of: fruit)), "level": .whole(level), "threshold": .whole(threshold)])
    }
}

extension OrderRecord {
    func document(number: UInt64, _ menu: Menu) -> OrderDocument {
        var document = OrderDocument().with(\.order, number).with(\.cups, cups)
        document.juice =
            switch juice {
            case .onMenu(let juice): menu.name(of: juice)
            case .unknown(let name): name
            }
        document.placed = .some(placed?.seconds)
        document.started = .some(started?.seconds)
        switch outcome {
        case .served(let wait, let stay):
            document.state = "served"
            document.wait = wait.seconds
            document.stay = stay.seconds
        case .lost(let reason, let fruit):
            document.state = "lost"
            document.reason = reason.name
            document.fruit = fruit.map { menu.name(of: $0) }
        case nil: document.state = started == nil ? "waiting" : "started"
        }
        return document
    }
}

extension NamedValues<String> {
    fileprivate init(_ names: [LocalizedName]) { self.init(names.map { ($0.language, $0.name) }) }
}

extension Int {
    /// nil for no limit.
    fileprivate var limit: Int? { self == .max ? nil : self }
}

extension StandSettings.Shelf {
    /// The level of a full bar; nil for unlimited fruit.
    fileprivate var full: Int? {
        let afterRestocking =
            switch restock {
            case .manual: 0
            case .orderUpTo(_, let level, _, _): level
            case .fixedQuantity(let point, let quantity, _): point + quantity
            }
        return initial.map { max($0, capacity ?? 0, afterRestocking) }
    }
}
