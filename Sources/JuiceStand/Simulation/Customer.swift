/// A customer's wishes: everything random about them, settled when they arrive.
struct Customer {
    var juice: Juice
    var cups: Int
    var patience = SimulationTime.never
    /// Of the stream that the preparation times of this customer's cups are drawn from.
    var preparationSeed: UInt64
}

/// The generator of customers: one stream a purpose, one number of each a customer.
///
/// That number seeds the draw (see ``SplitMix64``), so that however many a law takes, and whether or not a draw is
/// used, the next customer's wishes stay the same: common random numbers.
struct CustomerGenerator: Codable, Sendable {
    /// An order of more cups than this is cut to it.
    static let mostCups = 10_000
    /// A party of more orders than this is cut to it.
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

    /// For an order by command, which must not move the customers' streams.
    mutating func preparationSeedForCommand() -> UInt64 { commands.next() }
}

extension Stand {
    /// Draws how many come with the next customer.
    @inline(__always)
    mutating func nextCompanions() -> Int {
        guard let law = laws.party else { return 0 }
        let orders = law.sampleOnce(from: &state.customers.party).rounded(.toNearestOrAwayFromZero)
        return Int(max(1, min(orders, Double(CustomerGenerator.largestParty)))) - 1
    }

    /// The customer who arrives now.
    ///
    /// Of the stand and not of the generator, which would have to be handed all the laws for the few that vary.
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

/// The laws that customers and their orders follow, ready for drawing.
struct CustomerLaws: Sendable {
    /// Relative weights of the juices; nil where there is nothing to draw.
    let popularity: CumulativeWeights?
    let cups: Sampler
    /// nil if everybody comes alone.
    let party: Sampler?
    /// Where the law of cups is constant, what it gives.
    let usualCups: Int
    /// nil is for ever.
    let patience: Sampler?
    /// Of each juice.
    let preparation: [Sampler]
    /// Real orders; empty where they are drawn.
    let orders: [Trace.Line]

    init(_ settings: StandSettings) {
        // A trace names its juices, whatever their popularity.
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

    /// Rounded, halves up, at least 1.
    @inline(__always)
    static func wholeCups(_ draw: Double) -> Int {
        draw < Double(CustomerGenerator.mostCups) ? max(1, Int(draw + 0.5)) : CustomerGenerator.mostCups
    }
}

extension Sampler {
    /// A draw that takes exactly one number of `stream`, or none where the law is constant.
    @inline(__always)
    func sampleOnce(from stream: inout RandomStream) -> Double {
        // A constant takes no stream to sample from.
        if isConstant {
            var none = SplitMix64(seed: 0)
            return sample(using: &none)
        }
        var draw = SplitMix64(seed: stream.next())
        return sample(using: &draw)
    }
}
