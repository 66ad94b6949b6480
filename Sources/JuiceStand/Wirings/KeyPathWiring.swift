/// Properties: the stand sets the property of a kind of fact, and its `didSet` calls the closures for its key path.
///
/// To be used from one thread.
final class KeyPathWiring: TableWiring, Wiring {
    private struct Handler<F: Fact> {
        var path: PartialKeyPath<Board<F>>
        var call: (Board<F>) -> Void
    }

    /// Holds the latest fact of a kind.
    private final class Board<F: Fact> {
        private let handlers: FactTable.List<Handler<F>>
        var fact: F? { didSet { hasChanged(\.fact) } }

        init(_ handlers: FactTable.List<Handler<F>>) {
            self.handlers = handlers
        }

        private func hasChanged(_ path: PartialKeyPath<Board>) {
            for (_, handler) in handlers.elements where handler.path == path { handler.call(self) }
        }
    }

    private var boards: [AnyObject?] = Array(repeating: nil, count: FactKind.allCases.count)

    func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        let path = \Board<F>.fact
        let handler = Handler<F>(path: path) { $0[keyPath: path]?.hand(to: observer) }
        table.append(handler, to: F.kind, of: observer)
        if boards[F.kind.rawValue] == nil {
            boards[F.kind.rawValue] = table.list(of: F.kind, Handler<F>.self).map { Board($0) }
        }
    }

    func hear<F: Fact>(_ fact: F) {
        guard let board = boards[F.kind.rawValue] else { return }
        unsafe unsafeDowncast(board, to: Board<F>.self).fact = fact
    }
}

extension WiringChoice {
    package static let keyPath = WiringChoice("key-path", "properties whose didSet calls closures by key path") {
        KeyPathWiring()
    }
}
