final class Cup { var full = true }
struct Sold: NotificationCenter.MainActorMessage {
    typealias Subject = NotificationCenter
    var cup: Cup
}
