struct Sold: NotificationCenter.AsyncMessage {
    typealias Subject = NotificationCenter
    var cups = 1
}
func f(_ c: NotificationCenter) async { for await x in c.messages(for: Sold.self) { x.cups += 1 } }
// error: left side of mutating operator isn't mutable: 'x' is a 'let' constant
