/// The entries of a wiring for its observers, such as closures: a list for each kind of fact.
struct FactTable {
    /// The elements for one kind of fact. A class, so that changes happen in place.
    final class List<Element>: FactList {
        fileprivate(set) var elements: [(owner: ObjectIdentifier, element: Element)] = []

        fileprivate var count: Int { elements.count }

        fileprivate func removeAll(of owner: ObjectIdentifier) -> [Any] {
            let removed = elements.filter { $0.owner == owner }
            elements.removeAll { $0.owner == owner }
            return removed.map(\.element)
        }
    }

    private var lists: [(any FactList)?] = Array(repeating: nil, count: FactKind.allCases.count)
    private(set) var wanted: FactSet = []

    /// - Parameter element: An existential is written `observer as any FactObserver & Sendable`. Without the `as` the
    ///   element would be of the observer's own class.
    mutating func append<Element>(_ element: Element, to kind: FactKind, of owner: AnyObject) {
        if lists[kind.rawValue] == nil { lists[kind.rawValue] = List<Element>() }
        list(of: kind, Element.self)!.elements.append((ObjectIdentifier(owner), element))
        wanted.insert(FactSet(kind))
    }

    /// - Returns: The elements that `owner` had.
    mutating func removeAll(of owner: AnyObject) -> [Any] {
        var removed: [Any] = []
        for kind in FactKind.allCases {
            guard let list = lists[kind.rawValue] else { continue }
            removed += list.removeAll(of: ObjectIdentifier(owner))
            if list.count == 0 { wanted.remove(FactSet(kind)) }
        }
        return removed
    }

    /// The list for one kind of fact; nil if nothing was ever appended.
    ///
    /// - Precondition: every element of this kind was appended as an `Element`.
    @inline(__always)
    func list<Element>(of kind: FactKind, _: Element.Type) -> List<Element>? {
        guard let list = lists[kind.rawValue] else { return nil }
        return unsafe unsafeDowncast(list, to: List<Element>.self)
    }

    /// The number of observers of a kind of fact.
    func count(of kind: FactKind) -> Int { lists[kind.rawValue]?.count ?? 0 }
}

/// A list of any type of elements.
private protocol FactList: AnyObject {
    var count: Int { get }
    func removeAll(of owner: ObjectIdentifier) -> [Any]
}
