struct Sold: TypedNotification { var cups = 1 }
struct Stand {
    let center: TypedNotificationCenter
    func sell() { center.post(Sold()) }
}
