final class Cup { var full = true }
struct Sold: NotificationCenter.AsyncMessage {
    typealias Subject = NotificationCenter
    var cup: Cup
    // error: stored property 'cup' of 'Sendable'-conforming struct 'Sold' has non-Sendable type 'Cup'
}
