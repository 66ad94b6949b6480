/// A fruit, by its position in ``Menu/fruits``.
///
/// A number rather than a name, so that stores and recipes are arrays and a set of fruits is one machine word.
///
/// ```swift
/// let kiwi = menu.fruit(named: "kiwi")!
/// print(menu.name(of: kiwi))
/// ```
public struct Fruit: Hashable, BitwiseCopyable, Codable, Sendable {
    private let place: UInt8

    /// The position in ``Menu/fruits``, from 0.
    @inline(__always)
    public var index: Int { Int(place) }

    /// The most fruits a menu may have.
    public static let limit = 64

    /// - Precondition: `index` is from 0 to 63.
    public init(index: Int) {
        precondition((0..<Self.limit).contains(index), "fruit \(index) of at most \(Self.limit)")
        place = UInt8(index)
    }
}

/// The five fruits of the original exercise, in the order of the standard menu.
///
/// ```swift
/// let store = FruitStore(stockQuantity: 10)
/// print(store.level(of: Fruit(.kiwi)) ?? 0)
/// ```
public enum StandardFruit: String, CaseIterable, Sendable {
    /// On the Korean menu `딸기`.
    case strawberry
    /// On the Korean menu `바나나`.
    case banana
    /// On the Korean menu `키위`.
    case kiwi
    /// On the Korean menu `파인애플`.
    case pineapple
    /// On the Korean menu `망고`.
    case mango
}

extension Fruit {
    /// The fruit's place on the standard menu.
    public init(_ standard: StandardFruit) {
        self.init(index: StandardFruit.allCases.firstIndex(of: standard)!)
    }
}

/// A set of fruits in one machine word.
package struct FruitSet: Equatable, Codable, Sendable {
    private var bits: UInt64 = 0

    package init() {}

    package init(_ fruits: some Sequence<Fruit>) { for fruit in fruits { insert(fruit) } }

    package var isEmpty: Bool { bits == 0 }

    @inline(__always)
    package func contains(_ fruit: Fruit) -> Bool { bits &>> UInt64(fruit.index) & 1 == 1 }

    @inline(__always)
    package mutating func insert(_ fruit: Fruit) { bits |= 1 &<< UInt64(fruit.index) }

    package mutating func formIntersection(_ other: FruitSet) { bits &= other.bits }
    package func isSubset(of other: FruitSet) -> Bool { bits & ~other.bits == 0 }

    /// Removes and returns the fruit that comes first on the menu; nil if the set is empty.
    package mutating func popFirst() -> Fruit? {
        guard bits != 0 else { return nil }
        let fruit = Fruit(index: bits.trailingZeroBitCount)
        bits &= bits - 1
        return fruit
    }
}
