/// Which observer is connected to which kind of fact, and the link that its mechanism gave.
struct Connections<Link> {
    private var entries: [(owner: ObjectIdentifier, kind: FactKind, link: Link)] = []

    var wanted: FactSet { entries.reduce(into: []) { $0.insert(FactSet($1.kind)) } }

    mutating func append(_ link: Link, to kind: FactKind, of owner: AnyObject) {
        entries.append((ObjectIdentifier(owner), kind, link))
    }

    /// - Returns: The links of the connections that ended.
    @discardableResult
    mutating func removeAll(of owner: AnyObject) -> [Link] {
        let removed = entries.filter { $0.owner == ObjectIdentifier(owner) }.map(\.link)
        entries.removeAll { $0.owner == ObjectIdentifier(owner) }
        return removed
    }

    var links: [Link] { entries.map(\.link) }

    func links(to kind: FactKind) -> [Link] { entries.filter { $0.kind == kind }.map(\.link) }

    /// The number of observers of a kind of fact.
    func count(of kind: FactKind) -> Int { entries.count { $0.kind == kind } }

    /// The link of an observer; nil if it is not connected to that kind of fact.
    func link(of owner: AnyObject, to kind: FactKind) -> Link? {
        entries.first { $0.owner == ObjectIdentifier(owner) && $0.kind == kind }?.link
    }
}
