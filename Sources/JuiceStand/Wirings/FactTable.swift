/// A list for each kind of fact, its elements typed by the fact.
struct FactTable {
    /// One list; a class, so that it is changed in place.
    final class List<Element> {
        var elements: [(owner: ObjectIdentifier, element: Element)] = []
    }

    private var lists: [AnyObject?] = Array(repeating: nil, count: FactKind.allCases.count)
    private var removals: [(ObjectIdentifier) -> Void] = []
    private(set) var wanted: FactSet = []

    mutating func append<F: Fact, Element>(_ element: Element, of type: F.Type, owner: AnyObject) {
        if lists[F.kind.rawValue] == nil {
            let list = List<Element>()
            lists[F.kind.rawValue] = list
            removals.append { owner in list.elements.removeAll { $0.owner == owner } }
        }
        list(of: type, Element.self)!.elements.append((ObjectIdentifier(owner), element))
        wanted.insert(FactSet(F.kind))
    }

    mutating func removeAll(of owner: AnyObject) {
        for removal in removals { removal(ObjectIdentifier(owner)) }
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
