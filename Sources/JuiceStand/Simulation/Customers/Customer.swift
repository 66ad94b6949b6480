/// The wishes of a customer: everything random about the customer, drawn at arrival.
struct Customer {
    var juice: Juice
    var cups: Int
    var patience = SimulationTime.never
    /// Seeds the stream of the preparation times of this customer's cups.
    var preparationSeed: UInt64
}

/// The random streams of the customers, one for each purpose. Every customer takes one number of each stream.
///
/// That number seeds the draw (see ``SplitMix64``). So the wishes of the next customer do not depend on how many
/// numbers a distribution needs or whether a draw is used: common random numbers.
struct CustomerGenerator: Codable, Sendable {
    /// The most cups of an order. A larger draw is cut to this number.
    static let mostCups = 10_000
    /// The most orders of a party. A larger draw is cut to this number.
    static let largestParty = 10_000

    var arrivals: ArrivalProcess
    fileprivate var juices: RandomStream
    fileprivate var cups: RandomStream
    fileprivate var patience: RandomStream
    fileprivate var preparation: RandomStream
    fileprivate var party: RandomStream
    private var commands: RandomStream

    init(streams: inout RandomStreams) {
        arrivals = ArrivalProcess(streams: &streams)
        juices = streams.stream(named: "juice")
        cups = streams.stream(named: "cups")
        patience = streams.stream(named: "patience")
        preparation = streams.stream(named: "preparation")
        party = streams.stream(named: "party")
        commands = streams.stream(named: "commands")
    }

    /// The seed for an order by command, which must not advance the customers' streams.
    mutating func preparationSeedForCommand() -> UInt64 { commands.next() }

    /// Takes the streams of `part` from `fresh`; for the gaps, see ``ArrivalProcess/renewGaps(from:)``.
    mutating func renew(_ part: HiddenPart, from fresh: Self, _ law: Arrivals, at now: SimulationTime) {
        switch part {
        case .phases: arrivals.renewPhases(from: fresh.arrivals, law, at: now)
        case .followers: arrivals.renewFollowers(from: fresh.arrivals, law, at: now)
        case .levels: arrivals.renewLevels(from: fresh.arrivals, law, at: now)
        case .parties: party = fresh.party
        case .juices: juices = fresh.juices
        case .cups: cups = fresh.cups
        case .patience: patience = fresh.patience
        case .preparation: preparation = fresh.preparation
        case .gaps, .waitingPatience, .cupsBegun, .cupsNotBegun, .deliveries, .leadTimes: break
        }
    }
}

extension Stand {
    /// Draws the number of further orders in the next party.
    @inline(__always)
    mutating func nextCompanions() -> Int {
        guard let law = laws.party else { return 0 }
        let orders = law.sampleOnce(from: &state.customers.party).rounded(.toNearestOrAwayFromZero)
        return Int(max(1, min(orders, Double(CustomerGenerator.largestParty)))) - 1
    }

    /// Draws the arriving customer.
    ///
    /// A method of the stand, because a method of the generator would need all laws as arguments.
    @inline(__always)
    mutating func nextCustomer() -> Customer {
        var customer = Customer(
            juice: Juice(index: 0), cups: laws.usualCups, preparationSeed: state.customers.preparation.next())
        if let popularity = laws.popularity {
            customer.juice = Juice(index: popularity.index(at: state.customers.juices.uniform()))
        }
        if !laws.cups.isConstant {
            customer.cups = CustomerLaws.wholeCups(laws.cups.sampleOnce(from: &state.customers.cups))
        }
        if let law = laws.patience {
            customer.patience = SimulationTime(seconds: law.sampleOnce(from: &state.customers.patience))
        }
        if !laws.orders.isEmpty {
            let line = laws.orders[state.customers.arrivals.line - 1]
            customer.juice = line.juice
            if let cups = line.cups { customer.cups = cups }
        }
        return customer
    }
}

/// The distributions of customers and their orders, prepared for drawing.
struct CustomerLaws: Sendable {
    /// The relative weights of the juices; nil if the juice is not drawn.
    let popularity: CumulativeWeights?
    let cups: Sampler
    /// The orders of a party; nil if every customer comes alone.
    let party: Sampler?
    /// The number of cups if it is constant.
    let usualCups: Int
    /// The patience in seconds; nil if customers never lose it.
    let patience: Sampler?
    /// The preparation time of a cup of each juice, in seconds.
    let preparation: [Sampler]
    /// The orders of a trace; empty if orders are drawn.
    let orders: [Trace.Line]

    init(_ settings: StandSettings) {
        // The juices of a trace do not depend on popularity.
        popularity =
            settings.offers.count > 1 && !settings.endsWithItsOrders
            ? CumulativeWeights(settings.offers.map(\.popularity)) : nil
        cups = Sampler(settings.customers.cups)
        usualCups = if case .constant(let cups) = settings.customers.cups { Self.wholeCups(cups) } else { 1 }
        // A trace has an order for every line.
        party =
            settings.customers.party == .constant(1) || settings.endsWithItsOrders
            ? nil : Sampler(settings.customers.party)
        patience = settings.customers.patience.map(Sampler.init)
        preparation = settings.offers.map { Sampler($0.preparation) }
        orders = if case .trace(let trace) = settings.customers.arrivals { trace.lines } else { [] }
    }

    /// Rounds to the nearest number of cups, halves up, from 1 to the most.
    @inline(__always)
    static func wholeCups(_ draw: Double) -> Int {
        draw < Double(CustomerGenerator.mostCups) ? max(1, Int(draw + 0.5)) : CustomerGenerator.mostCups
    }
}

extension Sampler {
    /// Draws with exactly one number of `stream`, or with none if the distribution is constant.
    @inline(__always)
    func sampleOnce(from stream: inout RandomStream) -> Double {
        // A constant needs no stream.
        if isConstant {
            var none = SplitMix64(seed: 0)
            return sample(using: &none)
        }
        var draw = SplitMix64(seed: stream.next())
        return sample(using: &draw)
    }
}
