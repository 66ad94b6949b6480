struct Sold: TypedNotification {}

actor Display {
    var cups = 0
    func wire(_ center: TypedNotificationCenter) {
        _ = center.observe(Sold.self) { _ in self.cups += 1 }
        // error: actor-isolated property 'cups' can not be mutated from a Sendable closure
    }
}
