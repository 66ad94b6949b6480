struct Sold: TypedNotification {}

@MainActor final class Display {
    var cups = 0
    func wire(_ center: TypedNotificationCenter) {
        _ = center.observeOnMainActor(Sold.self) { _ in self.cups += 1 }
    }
}
