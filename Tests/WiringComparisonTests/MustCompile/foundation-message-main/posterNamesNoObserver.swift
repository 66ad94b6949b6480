import Foundation

struct Sold: NotificationCenter.MainActorMessage {
    typealias Subject = NotificationCenter
    var cups = 1
}
struct Stand {
    let center: NotificationCenter
    @MainActor func sell() { center.post(Sold()) }
}
