/// Passes every placed order to a closure.
package final class FactListener: Sendable {
    private let body: @Sendable (OrderPlaced) -> Void

    package init(_ body: @escaping @Sendable (OrderPlaced) -> Void) {
        self.body = body
    }
}

extension FactListener: OrderPlacedObserver {
    package func receive(_ fact: OrderPlaced) { body(fact) }
}
