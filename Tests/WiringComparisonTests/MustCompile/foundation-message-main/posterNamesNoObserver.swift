struct Sold: NotificationCenter.MainActorMessage { typealias Subject = NotificationCenter }
struct Stand {
    let center: NotificationCenter
    @MainActor func sell() { center.post(Sold()) }
}
