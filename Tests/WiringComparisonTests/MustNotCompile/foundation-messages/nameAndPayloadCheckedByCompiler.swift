struct Sold: NotificationCenter.AsyncMessage {
    typealias Subject = NotificationCenter
    var cups = 1
}
func f(_ c: NotificationCenter) async { for await x in c.messages(for: Slod.self) { print(x) } }
// error: cannot find 'Slod' in scope
func g(_ c: NotificationCenter) async { for await x in c.messages(for: Sold.self) { print(x.cusp) } }
// error: value of type 'Sold' has no member 'cusp'
