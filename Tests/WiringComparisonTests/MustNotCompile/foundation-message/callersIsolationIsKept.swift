struct Sold: NotificationCenter.AsyncMessage { typealias Subject = NotificationCenter }
actor D {
    var cups = 0
    func f(_ c: NotificationCenter) -> Any { c.addObserver(for: Sold.self) { _ in self.cups += 1 } }
    // error: actor-isolated property 'cups' can not be mutated from a Sendable closure
}
