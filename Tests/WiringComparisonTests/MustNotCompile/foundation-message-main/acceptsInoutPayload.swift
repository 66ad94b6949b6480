struct Sold: NotificationCenter.MainActorMessage {
    typealias Subject = NotificationCenter
    var cups = 1
}
func f(_ c: NotificationCenter) -> Any { c.addObserver(for: Sold.self) { $0.cups += 1 } }
// error: left side of mutating operator isn't mutable: '$0' is immutable
