/// A list for each kind of fact, its elements typed by the fact.
struct FactTable {
    /// One list; a class, so that it is changed in place.
    final class List<Element> {
        var elements: [(owner: ObjectIdentifier, element: Element)] = []
    }

    private var lists: [AnyObject?] = Array(repeating: nil, count: FactKind.allCases.count)
    /// Takes an owner's elements out of one list, and tells whether any are left.
    private var removals: [(kind: FactKind, remove: (ObjectIdentifier) -> Bool)] = []
    private(set) var wanted: FactSet = []

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

    /// The list for one kind of fact; nil where nothing was ever appended.
    ///
    /// - Precondition: every element of this kind was appended as an `Element`.
    @inline(__always)
    func list<F: Fact, Element>(of type: F.Type, _: Element.Type) -> List<Element>? {
        guard let list = lists[F.kind.rawValue] else { return nil }
        return unsafe unsafeDowncast(list, to: List<Element>.self)
    }
}
