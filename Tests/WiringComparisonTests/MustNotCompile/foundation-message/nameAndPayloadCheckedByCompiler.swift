struct Sold: NotificationCenter.AsyncMessage {
    typealias Subject = NotificationCenter
    var cups = 1
}
func f(_ c: NotificationCenter) { c.post(Slod()) }
// error: cannot find 'Slod' in scope
func g(_ c: NotificationCenter) -> Any { c.addObserver(for: Sold.self) { print($0.cusp) } }
// error: value of type 'Sold' has no member 'cusp'
