struct Sold: NotificationCenter.AsyncMessage { typealias Subject = NotificationCenter }
struct Low: NotificationCenter.AsyncMessage { typealias Subject = NotificationCenter }
func f(_ c: NotificationCenter) -> [Any] { [c.addObserver(for: Sold.self) { print($0) }] }
