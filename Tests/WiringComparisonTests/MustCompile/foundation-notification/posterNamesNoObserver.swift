struct Stand {
    let center: NotificationCenter
    func sell() { center.post(name: .init("sold"), object: nil, userInfo: ["cups": 1]) }
}
