import NotificationBus

/// When something happened, and its place among everything that did.
public struct Stamp: Equatable, Sendable {
    /// From 1, without a gap.
    public var sequence: UInt64
    public var time: SimulationTime

    public init(sequence: UInt64, time: SimulationTime) {
        self.sequence = sequence
        self.time = time
    }
}

/// Something that happened at the stand: a struct in the past tense, stamped by the engine before it is announced.
///
/// `TypedNotification` asks for nothing, so a fact is as good a payload for a delegate or a closure as for the center.
public protocol Fact: TypedNotification {
    /// The protocol of those who hear it. They are called within its delivery, once for each fact.
    associatedtype Observer: Sendable

    static var kind: FactKind { get }

    var stamp: Stamp { get }

    /// Calls the observer's method for this fact.
    func hand(to observer: Observer)

    /// Calls the sink's method for this fact.
    func announce(to sink: any FactSink)
}

/// Several kinds of facts.
public struct FactSet: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    public init(_ kind: FactKind) {
        rawValue = 1 << UInt32(kind.rawValue)
    }

    @inline(__always)
    public func contains(_ kind: FactKind) -> Bool { rawValue >> UInt32(kind.rawValue) & 1 == 1 }

    /// Every kind.
    public static let all = FactSet(FactKind.allCases.map { FactSet($0) })
}
