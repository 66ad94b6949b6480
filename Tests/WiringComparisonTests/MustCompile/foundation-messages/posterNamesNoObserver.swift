import Foundation

struct Sold: NotificationCenter.AsyncMessage {
    typealias Subject = NotificationCenter
    var cups = 1
}
