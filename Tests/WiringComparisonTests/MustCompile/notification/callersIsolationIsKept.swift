struct Sold: TypedNotification {}

actor Display {
    var cups = 0
    func wire(_ center: TypedNotificationCenter) {
        _ = center.observe(Sold.self, isolation: self) { _ in self.cups += 1 }
    }
}
