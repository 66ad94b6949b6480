func f(_ c: NotificationCenter) { c.post(name: .init("slod"), object: nil) }
func g(_ c: NotificationCenter) -> Any {
    c.addObserver(forName: .init("sold"), object: nil, queue: nil) { print($0.userInfo?["cusp"] as? Int ?? 0) }
}
