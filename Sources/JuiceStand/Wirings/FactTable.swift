/// A list for each kind of fact.
struct FactTable {
    /// The elements for one kind of fact. A class, so that changes happen in place.
    final class List<Element> {
        var elements: [(owner: ObjectIdentifier, element: Element)] = []
    }

    private var lists: [AnyObject?] = Array(repeating: nil, count: FactKind.allCases.count)
    /// Removes an owner's elements from one list; true if others are left.
    private var removals: [(kind: FactKind, remove: (ObjectIdentifier) -> Bool)] = []
    private(set) var wanted: FactSet = []

    /// - Parameter element: An existential is written `observer as any FactObserver & Sendable`. Without the `as` the
    ///   element would be of the observer's own class.
    mutating func append<F: Fact, Element>(_ element: Element, of type: F.Type, owner: AnyObject) {
        if lists[F.kind.rawValue] == nil {
            let list = List<Element>()
            lists[F.kind.rawValue] = list
            removals.append(
                (
                    F.kind,
                    { owner in
                        list.elements.removeAll { $0.owner == owner }
                        return !list.elements.isEmpty
                    }
                ))
        }
        list(of: type, Element.self)!.elements.append((ObjectIdentifier(owner), element))
        wanted.insert(FactSet(F.kind))
    }

    mutating func removeAll(of owner: AnyObject) {
        for removal in removals where !removal.remove(ObjectIdentifier(owner)) {
            wanted.remove(FactSet(removal.kind))
        }
    }

    /// The list for one kind of fact; nil if nothing was ever appended.
    ///
    /// - Precondition: every element of this kind was appended as an `Element`.
    @inline(__always)
    func list<F: Fact, Element>(of type: F.Type, _: Element.Type) -> List<Element>? {
        guard let list = lists[F.kind.rawValue] else { return nil }
        return unsafe unsafeDowncast(list, to: List<Element>.self)
    }
}
