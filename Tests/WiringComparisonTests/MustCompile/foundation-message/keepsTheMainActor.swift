struct Sold: NotificationCenter.AsyncMessage { typealias Subject = NotificationCenter }
@MainActor final class D {
    var cups = 0
    func f(_ c: NotificationCenter) -> Any { c.addObserver(for: Sold.self) { @MainActor _ in self.cups += 1 } }
}
