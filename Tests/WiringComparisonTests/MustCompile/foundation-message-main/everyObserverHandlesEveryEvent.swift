struct Sold: NotificationCenter.MainActorMessage { typealias Subject = NotificationCenter }
struct Low: NotificationCenter.MainActorMessage { typealias Subject = NotificationCenter }
func f(_ c: NotificationCenter) -> [Any] { [c.addObserver(for: Sold.self) { print($0) }] }
