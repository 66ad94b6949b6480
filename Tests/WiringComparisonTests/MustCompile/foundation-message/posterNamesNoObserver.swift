struct Sold: NotificationCenter.AsyncMessage { typealias Subject = NotificationCenter }
struct Stand {
    let center: NotificationCenter
    func sell() { center.post(Sold()) }
}
