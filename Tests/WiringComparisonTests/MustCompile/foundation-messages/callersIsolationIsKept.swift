struct Sold: NotificationCenter.AsyncMessage {
    typealias Subject = NotificationCenter
    var cups = 1
}
actor D {
    var cups = 0
    func f(_ c: NotificationCenter) { Task { for await x in c.messages(for: Sold.self) { self.cups += x.cups } } }
}
