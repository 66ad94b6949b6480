struct Sold: NotificationCenter.AsyncMessage {
    typealias Subject = NotificationCenter
    var cups = 1
}
func f(_ c: NotificationCenter) { c.post(Sold()) }
