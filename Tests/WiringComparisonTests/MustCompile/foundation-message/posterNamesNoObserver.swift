import Foundation

struct Sold: NotificationCenter.AsyncMessage {
    typealias Subject = NotificationCenter
    var cups = 1
}
struct Stand {
    let center: NotificationCenter
    func sell() { center.post(Sold()) }
}
